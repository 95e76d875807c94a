// Takes from a report what is judged, and leaves what is only told.
#include "reports/inputs/from_report.hpp"

#include <fmt/format.h>

namespace ridge::inputs {

compare::Case case_of(record::Record record) {
  compare::Case out;
  out.id = record::identity(record);
  out.workload_version = record.workload_version;
  out.status = record.status;
  out.failure = record.failure;
  out.reason = std::move(record.reason);
  out.reproduce = std::move(record.reproduce);
  out.metrics.reserve(record.metrics.size());
  for (record::Metric& metric : record.metrics) {
    compare::Observed observed{
        std::move(metric.name), metric.value, std::string(record::symbol(metric.unit)), metric.better, {}};
    // A peak that was measured in the same run moves with the machine: exceeding it is no proof of a fault.
    if (metric.peak && !metric.peak->source.starts_with("measured")) observed.peak = metric.peak->value;
    out.metrics.push_back(std::move(observed));
  }
  const auto& statistics = record.statistics;
  if (statistics.stddev && statistics.mean && *statistics.mean > 0) out.spread = *statistics.stddev / *statistics.mean;
  return out;
}

compare::Run run_of(const record::Report& report, const std::string& source) {
  compare::Run run;
  run.source = source;
  run.schema = fmt::format("{} {}", record::schema_name, record::schema_major);
  run.started = report.started;
  run.tool = fmt::format("{} {} ({})", report.tool.name, report.tool.version, report.tool.commit);
  run.build_type = report.tool.build_type;
  run.command = report.command;
  run.interrupted = report.interrupted;
  run.machine = report.machine;
  for (const record::Finding& finding : report.findings)
    if (finding.severity != record::Severity::note)
      run.warnings.push_back(fmt::format("{}: {}", finding.code, finding.message));
  return run;
}

}  // namespace ridge::inputs
