// Rules from conditions to findings.
#include "cmd/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace ridge::cmd {
namespace {

using record::Finding;
using record::Record;
using record::Severity;

constexpr double notable_steal = 0.02;
constexpr double notable_delay = 0.05;
constexpr double notable_spread = 0.10;

void about_records(std::vector<Finding>& findings, const record::Report& report, const char* code, Severity severity,
                   const std::string& message, const std::function<bool(const Record&)>& concerns) {
  Finding finding{code, severity, message, {}};
  for (const Record& record : report.records)
    if (concerns(record)) finding.records.push_back(record::identity(record));
  if (finding.records.empty()) return;
  finding.message += fmt::format(" ({} of {} records)", finding.records.size(), report.records.size());
  findings.push_back(std::move(finding));
}

}  // namespace

std::vector<Finding> findings_of(const record::Report& report) {
  std::vector<Finding> findings;
  if (report.tool.build_type != "Release")
    findings.push_back({"not-release",
                        Severity::warning,
                        fmt::format("this is a {} build: its figures are not comparable with a Release build's",
                                    report.tool.build_type.empty() ? "nameless" : report.tool.build_type),
                        {}});
  if (report.interrupted)
    findings.push_back(
        {"interrupted", Severity::warning, "the run was interrupted: records are missing or have fewer rounds", {}});
  if (report.machine.identity.caches.empty())
    findings.push_back({"caches-hidden",
                        Severity::note,
                        "the machine hides its caches: sizes for \"memory\" assume a last level of 256 MiB",
                        {}});
  about_records(findings, report, "cgroup-throttled", Severity::problem,
                "the CPU quota stopped the process while it was measured: figures are those of the quota",
                [](const Record& r) { return r.conditions.cgroup_throttled.value_or(false); });
  about_records(findings, report, "stolen-time", Severity::warning,
                fmt::format("a hypervisor gave over {:.0f} % of the CPU time to others", 100 * notable_steal),
                [](const Record& r) { return r.conditions.steal_fraction.value_or(0) > notable_steal; });
  // More threads than CPUs wait for each other, which their records say; a thread that waits for a GPU needs no CPU.
  about_records(findings, report, "cpu-taken", Severity::warning,
                fmt::format("the CPUs that were measured were others' for over {:.0f} % of "
                            "the time",
                            100 * notable_delay),
                [](const Record& r) {
                  return r.device == "cpu" && r.status == record::Status::ok &&
                         r.conditions.run_delay_fraction.value_or(0) > notable_delay;
                });
  about_records(findings, report, "hardware-throttled", Severity::problem,
                "the hardware lowered its clock while it was measured",
                [](const Record& r) { return r.conditions.throttled.value_or(false); });
  about_records(findings, report, "wide-spread", Severity::note,
                fmt::format("samples spread over more than {:.0f} % of their median", 100 * notable_spread),
                [](const Record& r) { return r.statistics.relative_spread.value_or(0) > notable_spread; });
  return findings;
}

}  // namespace ridge::cmd
