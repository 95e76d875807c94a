// ridge bandwidth, and every other family: one subcommand for each folder's benchmarks, made from its definitions.
#include <fmt/format.h>

#include <memory>

#include "bench/harness/analysis.hpp"
#include "bench/harness/suite.hpp"
#include "cmd/measure.hpp"

namespace ridge::cmd {
namespace {

struct FamilyOptions {
  MeasureOptions measure;
  std::vector<std::string> kernels;
  std::string suite;
  bool plot = false;
};

// "triad" → "bandwidth.triad"; a full name or a pattern stays as it is.
std::string qualified(const std::string& family, const std::string& kernel) {
  return kernel.starts_with(family + ".") ? kernel : family + "." + kernel;
}

record::Exit do_family(const Invocation& invocation, const std::string& family, const FamilyOptions& options) {
  std::vector<std::string> benchmarks;
  for (const std::string& kernel : options.kernels) benchmarks.push_back(qualified(family, kernel));
  if (benchmarks.empty()) benchmarks.push_back(family);
  const MeasureOptions& given = options.measure;
  if (options.plot && (given.format != "table" || given.json == "-"))
    throw bench::UsageError("--plot draws below the table: not with another --format, nor with --json -");
  const View view = options.plot ? View::picture : View::table;
  if (options.suite.empty())
    return measure(invocation, family, given, {{benchmarks, given.axes}}, false, settings_of(given, {}), view);
  if (!given.axes.empty())
    throw bench::UsageError(
        fmt::format("--suite and --{} exclude each other: a suite says its axes", given.axes.begin()->first));
  bench::Suite suite = bench::find_suite(options.suite, bench::suite_sources());
  suite = bench::part_of(suite, *invocation.registry, benchmarks);
  return measure(invocation, family, given, std::move(suite.requests), true, settings_of(given, settings_of(suite)),
                 view);
}

void add_family(CLI::App& app, const Invocation& invocation, Action& chosen, const std::string& family,
                const std::vector<const bench::Definition*>& definitions) {
  std::vector<std::string> kernels;
  for (const bench::Definition* definition : definitions)
    if (definition->name != family) kernels.push_back(definition->name.substr(family.size() + 1));
  auto options = std::make_shared<FamilyOptions>();
  // A family may be a single benchmark of its own name, which has nothing to choose from.
  CLI::App* command =
      app.add_subcommand(family, kernels.empty() ? fmt::format("measure {}: {}", family, definitions.front()->summary)
                                                 : fmt::format("measure {}: {}", family, fmt::join(kernels, ", ")));
  if (!kernels.empty())
    command->add_option("KERNEL", options->kernels, fmt::format("some of {} (default all)", fmt::join(kernels, ", ")));
  command->add_option("--suite", options->suite, "what this suite measures of it, in place of the axes' defaults");
  if (bench::can_draw(definitions))
    command->add_flag("--plot", options->plot, "draw what was measured below the table");
  if (std::find(kernels.begin(), kernels.end(), "ladder") != kernels.end())
    command->add_flag_callback(
        "--ladder", [options] { options->kernels.emplace_back("ladder"); }, "short for the kernel ladder");
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
