// ridge list: what can be measured, with which axes, and the suites.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "bench/harness/plan.hpp"
#include "bench/harness/suite.hpp"
#include "cmd/commands.hpp"
#include "cmd/kernels.hpp"
#include "cmd/output.hpp"
#include "reports/record/text.hpp"

namespace ridge::cmd {
namespace {

struct ListOptions {
  std::vector<std::string> patterns;
  std::string format = "table";
  bool kernels = false;
};

std::vector<const bench::Definition*> selected(const bench::Registry& registry, const ListOptions& options) {
  std::vector<const bench::Definition*> all;
  if (options.patterns.empty())
    for (const bench::Definition& definition : registry) all.push_back(&definition);
  for (const std::string& pattern : options.patterns)
    for (const bench::Definition* definition : bench::match(registry, pattern)) all.push_back(definition);
  return all;
}

std::string devices_of(const bench::Definition& definition) {
  std::string devices;
  if (definition.prepare_cpu) devices += "cpu";
  if (definition.prepare_cuda) devices += devices.empty() ? "cuda, ptx" : ", cuda, ptx";
  return devices;
}

std::string as_json(const std::vector<const bench::Definition*>& definitions) {
  nlohmann::ordered_json out;
  out["benchmarks"] = nlohmann::ordered_json::array();
  for (const bench::Definition* d : definitions) {
    nlohmann::ordered_json entry{{"name", d->name}, {"summary", d->summary}, {"workload_version", d->workload_version}};
    entry["devices"] = nlohmann::ordered_json::array();
    if (d->prepare_cpu) entry["devices"].push_back("cpu");
    if (d->prepare_cuda) entry["devices"].push_back("cuda");
    for (const bench::Axis& axis : d->axes) {
      entry["axes"].push_back({{"name", axis.name},
                               {"unit", axis.unit},
                               {"help", axis.help},
                               {"default", axis.fallback},
                               {"choices", axis.choices}});
      if (!axis.in_cache.empty()) entry["axes"].back()["default_in_cache"] = axis.in_cache;
    }
    for (const bench::MetricRule& rule : d->metrics)
      entry["metrics"].push_back(
          {{"name", rule.name}, {"unit", record::symbol(rule.unit)}, {"better", record::to_string(rule.better)}});
    out["benchmarks"].push_back(std::move(entry));
  }
  out["suites"] = nlohmann::ordered_json::array();
  for (const auto& [name, text] : bench::suite_sources())
    out["suites"].push_back({{"name", name}, {"description", bench::parse_suite(name, text).description}});
  return out.dump(2) + "\n";
}

std::string as_table(const std::vector<const bench::Definition*>& definitions, int columns) {
  std::string text;
  const auto line = [columns](const std::string& content) {
    return record::cut(content, static_cast<std::size_t>(columns)) + "\n";
  };
  text += line("Benchmarks (ridge explain NAME says more):");
  for (const bench::Definition* d : definitions) {
    text += line(fmt::format("  {:<20} {} [{}]", d->name, d->summary, devices_of(*d)));
    std::string axes;
    for (const bench::Axis& axis : d->axes) axes += fmt::format(" --{} {}", axis.name, axis.fallback);
    text += line(fmt::format("  {:<20}  {}", "", axes));
  }
  text += line("Suites (ridge run --suite NAME):");
  for (const auto& [name, source] : bench::suite_sources())
    text += line(fmt::format("  {:<20} {}", name, bench::parse_suite(name, source).description));
  return text;
}

record::Exit do_list(const Invocation& invocation, const ListOptions& options) {
  if (options.kernels)
    return write_stdout(options.format == "json" ? kernels_json(kernel_images()) : kernels_table(kernel_images()));
  const auto definitions = selected(*invocation.registry, options);
  return write_stdout(options.format == "json" ? as_json(definitions) : as_table(definitions, width()));
}

}  // namespace

void add_list(CLI::App& app, const Invocation& invocation, Action& chosen) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand("list", "show the benchmarks, their axes with defaults, and the suites");
  command->add_option("PATTERN", options->patterns, "names, families or patterns with *");
  command->add_flag("--kernels", options->kernels,
                    "the CUDA kernels in this binary: registers, shared memory, occupancy per architecture");
  command->add_option("--format", options->format, "table or json (default table)")
      ->check(CLI::IsMember({"table", "json"}));
  command->callback(
      [&invocation, &chosen, options] { chosen = [&invocation, options] { return do_list(invocation, *options); }; });
}

}  // namespace ridge::cmd
