// ridge bandwidth, and every other family: one subcommand for each folder's benchmarks, made from its definitions.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bench/harness/analysis.hpp"
#include "cmd/measure.hpp"

namespace ridge::cmd {
namespace {

struct FamilyOptions {
  MeasureOptions measure;
  std::vector<std::string> kernels;
  bool plot = false;
};

// "triad" → "bandwidth.triad"; a full name or a pattern stays as it is.
std::string qualified(const std::string& family, const std::string& kernel) {
  return kernel.starts_with(family + ".") ? kernel : family + "." + kernel;
}

record::Exit do_family(const Invocation& invocation, const std::string& family, const FamilyOptions& options) {
  bench::Request request;
  for (const std::string& kernel : options.kernels) request.benchmarks.push_back(qualified(family, kernel));
  if (request.benchmarks.empty()) request.benchmarks.push_back(family);
  request.axes = options.measure.axes;
  if (options.plot && (options.measure.format != "table" || options.measure.json == "-"))
    throw bench::UsageError("--plot draws below the table: not with another --format, nor with --json -");
  return measure(invocation, family, options.measure, {request}, false, settings_of(options.measure, {}),
                 options.plot ? View::picture : View::table);
}

void add_family(CLI::App& app, const Invocation& invocation, Action& chosen, const std::string& family,
                const std::vector<const bench::Definition*>& definitions) {
  std::vector<std::string> kernels;
  for (const bench::Definition* definition : definitions)
    kernels.push_back(definition->name.substr(std::min(definition->name.size(), family.size() + 1)));
  auto options = std::make_shared<FamilyOptions>();
  CLI::App* command = app.add_subcommand(family, fmt::format("measure {}: {}", family, fmt::join(kernels, ", ")));
  command->add_option("KERNEL", options->kernels, fmt::format("some of {} (default all)", fmt::join(kernels, ", ")));
  if (bench::can_draw(definitions))
    command->add_flag("--plot", options->plot, "draw what was measured below the table");
  add_measure_options(*command, options->measure);
  add_axis_options(*command, definitions, options->measure);
  command->callback([&invocation, &chosen, family, options] {
    chosen = [&invocation, family, options] { return do_family(invocation, family, *options); };
  });
}

}  // namespace

void add_families(CLI::App& app, const Invocation& invocation, Action& chosen) {
  std::vector<std::string> families;
  for (const bench::Definition& definition : *invocation.registry)
    if (families.empty() || families.back() != definition.family()) families.push_back(definition.family());
  for (const std::string& family : families) {
    std::vector<const bench::Definition*> definitions;
    for (const bench::Definition& definition : *invocation.registry)
      if (definition.family() == family) definitions.push_back(&definition);
    add_family(app, invocation, chosen, family, definitions);
  }
}

}  // namespace ridge::cmd
