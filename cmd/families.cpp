// ridge bandwidth, and every other family: one subcommand for each folder's benchmarks, made from its definitions.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "bench/harness/analysis.hpp"
#include "bench/harness/parse.hpp"
#include "bench/harness/suite.hpp"
#include "cmd/measure.hpp"
#include "cmd/predict.hpp"
#include "cmd/processes.hpp"
#include "collectives/family/predict.hpp"

namespace ridge::cmd {
namespace {

struct FamilyOptions {
  MeasureOptions measure;
  std::vector<std::string> kernels;
  std::string suite;
  bool plot = false;
  std::string predict;  // numbers of ranks
  std::string from;     // a report to predict from
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
  std::function<void(record::Report&)> complete;
  std::vector<std::int64_t> ranks;
  if (!options.predict.empty()) ranks = ranks_to_predict(options.predict);
  if (!options.from.empty()) return predict_from(invocation, family, options.from, ranks, given);
  if (!ranks.empty())
    complete = [ranks](record::Report& report) {
      for (record::Finding& finding : bench::collective::predict(report.records, ranks))
        report.findings.push_back(std::move(finding));
    };
  if (const auto status = measure_by_processes(invocation, family, given, options.suite, view, complete))
    return *status;
  if (options.suite.empty())
    return measure(invocation, family, given, {{benchmarks, given.axes}}, false, settings_of(given, {}), view,
                   complete);
  if (!given.axes.empty())
    throw bench::UsageError(
        fmt::format("--suite and --{} exclude each other: a suite says its axes", given.axes.begin()->first));
  bench::Suite suite = bench::find_suite(options.suite, bench::suite_sources());
  suite = bench::part_of(suite, *invocation.registry, benchmarks);
  return measure(invocation, family, given, std::move(suite.requests), true, settings_of(given, settings_of(suite)),
                 view, complete);
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
  if (has_engines(*invocation.registry, family)) {
    command
        ->add_option("--predict", options->predict,
                     "say what the models of this run give for that many ranks; a prediction, not a measurement")
        ->type_name("RANKS");
    command->add_option("--from", options->from, "predict by the models of this earlier report, and measure nothing")
        ->type_name("REPORT");
  }
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
