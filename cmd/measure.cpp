// Plans, checks that the outputs can be written, runs, and writes the report.
#include "cmd/measure.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>

#include "bench/harness/analysis.hpp"
#include "cmd/findings.hpp"
#include "cmd/inquire.hpp"
#include "cmd/output.hpp"
#include "cmd/present.hpp"
#include "cmd/progress.hpp"
#include "cmd/signals.hpp"
#include "kernels/device/cpu/clock_probe.hpp"
#include "reports/json/write.hpp"
#include "ridge_version.hpp"

namespace ridge::cmd {
namespace {

using record::Exit;
using record::Report;
using record::Status;
using Clock = std::chrono::steady_clock;

Report blank_report(const Invocation& invocation, const Surveyed& surveyed, const bench::Settings& settings) {
  Report report;
  report.tool = this_tool();
  report.command = invocation.line;
  report.started = utc_now();
  report.seed = settings.seed;
  report.machine = surveyed.machine();
  return report;
}

Report dry_report(Report report, const bench::Plan& plan) {
  for (const bench::PlannedCase& planned : plan.cases) {
    report.records.push_back(planned.draft);
    if (planned.draft.status == Status::not_run) report.records.back().reason = "dry run: would be measured";
  }
  report.findings = plan.findings;
  return report;
}

// Writes the report wherever it was asked for; what cannot be written is said, and the rest is written all the same.
Exit deliver(const Report& report, const MeasureOptions& options, const Presentation& presentation) {
  std::vector<Exit> outcomes;
  if (options.json == "-") {
    outcomes.push_back(write_stdout(json::write(report)));
  } else {
    outcomes.push_back(write_stdout(present(report, presentation)));
    if (!options.json.empty()) {
      try {
        json::write_file(report, options.json);
      } catch (const std::exception& error) {
        write_stderr(fmt::format("ridge: {}\n", error.what()));
        outcomes.push_back(Exit::usage);
      }
    }
  }
  return record::strongest(outcomes);
}

void say_why_nothing_ran(const Report& report) {
  for (const record::Record& record : report.records)
    if (!record.reason.empty()) return write_stderr(fmt::format("ridge: nothing ran: {}\n", record.reason));
  write_stderr("ridge: nothing ran: nothing was selected\n");
}

}  // namespace

Exit measure(const Invocation& invocation, const std::string& command, const MeasureOptions& options,
             std::vector<bench::Request> requests, bool by_suite, const bench::Settings& settings, View view,
             const std::function<void(record::Report&)>& complete) {
  Surveyed surveyed;
  bench::Selection selection;
  selection.requests = std::move(requests);
  selection.devices = bench::resolve_devices(options.device, surveyed.inventory());
  selection.by_suite = by_suite;
  const bench::Plan plan = bench::plan(*invocation.registry, selection, surveyed.inventory(), settings);
  require_outputs("--json", {&options.json, 1});
  Report report = blank_report(invocation, surveyed, settings);
  Presentation presentation{options.format, view, {}, {}, {}};
  if (options.dry_run)
    return write_stdout(present(dry_report(std::move(report), plan),
                                {options.json == "-" ? "json" : options.format, View::table, {}, {}, {}}));

  const auto begun = Clock::now();
  if (!options.quiet && options.device == "auto")
    write_stderr(fmt::format("ridge: measuring on {} (--device auto)\n", selection.devices.front().text()));
  int signal = 0;
  {
    SignalGuard guard;
    Progress progress(!options.quiet && stderr_is_terminal());
    bench::Hooks hooks;
    hooks.open = [&surveyed](const device::Name& name) { return surveyed.open(name); };
    hooks.interrupted = [] { return SignalGuard::caught() != 0; };
    const bench::ConditionSource conditions(surveyed.host().affinity);
    hooks.conditions = [&conditions] { return conditions.read(); };
    hooks.clock = device::cpu::effective_clock_hz;
    hooks.gpu_clock = [&surveyed](const device::Name& name) { return surveyed.gpus().effective_clock(name); };
    hooks.gpu_sample = [&surveyed](const device::Name& name) { return surveyed.gpus().sample(name); };
    hooks.count = [&surveyed](const device::Name& name, const std::function<void()>& work) {
      return surveyed.gpus().count(name, work);
    };
    report.records = bench::run(plan, settings, hooks, progress);
    signal = SignalGuard::caught();
  }
  report.duration = std::chrono::duration<double>(Clock::now() - begun).count();
  report.interrupted = signal != 0;
  report.findings = plan.findings;
  for (record::Finding& finding : bench::conclude(*invocation.registry, report.records))
    report.findings.push_back(std::move(finding));
  report.ranks = bench::ranks_of(*invocation.registry, report.records);
  for (record::Finding& finding : findings_of(report)) report.findings.push_back(std::move(finding));

  for (const device::Name& name : selection.devices)
    for (const std::string& note : surveyed.gpus().notes(name))
      report.findings.push_back({"launch-gaps-inside", record::Severity::warning, note, {}});

  if (complete) complete(report);
  presentation.stored_at = keep_as_last(report, command, options);
  presentation.key_figures = bench::key_figures(*invocation.registry, report.records);
  if (view == View::picture) presentation.picture = bench::draw(*invocation.registry, report.records, width());
  std::vector<Exit> outcomes{record::exit_of(report), deliver(report, options, presentation)};
  if (signal != 0) outcomes.push_back(signal == SIGINT ? Exit::interrupted : Exit::terminated);
  if (outcomes.front() == Exit::nothing_ran && signal == 0) say_why_nothing_ran(report);
  return record::strongest(outcomes);
}

}  // namespace ridge::cmd
