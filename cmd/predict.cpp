// Reads the report, fits, and tells.
#include "cmd/predict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/harness/parse.hpp"
#include "cmd/output.hpp"
#include "cmd/present.hpp"
#include "collectives/family/predict.hpp"
#include "collectives/mpi/launcher.hpp"
#include "reports/json/read.hpp"
#include "reports/json/write.hpp"
#include "reports/record/text.hpp"
#include "reports/sinks/cells.hpp"

namespace ridge::cmd {
namespace {

using record::Exit;
using record::Report;

Report read(const std::string& file) {
  try {
    return json::read_file(file);
  } catch (const json::ReadError& error) {
    throw bench::UsageError(fmt::format("--from: {}", error.what()));
  }
}

std::string source_of(const Report& measured, const std::string& file) {
  return fmt::format("the models are those of {}, measured {} by Ridge {} on {}", file, measured.started,
                     measured.tool.version,
                     measured.machine.incidental.hostname.value_or(
                         measured.machine.identity.cpu_model.value_or("a machine that it does not name")));
}

std::string text_of(const Report& report) {
  std::string text;
  for (const record::Finding& finding : report.findings)
    for (const std::string& line :
         sinks::wrap(record::printable(finding.message), static_cast<std::size_t>(width()), 2))
      text += line + '\n';
  return text;
}

}  // namespace

std::vector<std::int64_t> ranks_to_predict(const std::string& text) {
  constexpr std::int64_t most = 1 << 20;
  try {
    const auto ranks = bench::parse_list(text, bench::parse_count);
    for (const std::int64_t n : ranks)
      if (n < 2 || n > most) throw bench::UsageError(fmt::format("{} is not between 2 and {}", n, most));
    return ranks;
  } catch (const bench::UsageError& error) {
    throw bench::UsageError(fmt::format("--predict: {}", error.what()));
  }
}

Exit predict_from(const Invocation& invocation, const std::string& operation, const std::string& file,
                  const std::vector<std::int64_t>& ranks, const MeasureOptions& options) {
  if (ranks.empty()) throw bench::UsageError("--from is for --predict RANKS: it is where the models come from");
  if (!options.axes.empty())
    throw bench::UsageError(
        fmt::format("--from and --{} exclude each other: nothing is measured", options.axes.begin()->first));
  if (options.format != "table" && options.format != "json")
    throw bench::UsageError("--from tells predictions as text or as JSON: no other --format");
  require_outputs("--json", {&options.json, 1});
  const auto launch = collectives::mpi::launch();
  if (launch && launch->rank > 0) return Exit::success;  // one of them tells
  Report measured = read(file);
  std::erase_if(measured.records, [&](const record::Record& r) { return r.benchmark != operation; });
  const std::string name = record::printable(file);
  if (measured.records.empty()) {
    write_stderr(fmt::format("ridge: {} has no records of {}\n", name, operation));
    return Exit::nothing_ran;
  }
  auto findings = bench::collective::predict(measured.records, ranks);
  const bool none = std::all_of(findings.begin(), findings.end(), [](const record::Finding& finding) {
    return finding.severity != record::Severity::note;
  });
  if (none) {
    write_stderr(
        fmt::format("ridge: {}: {}\n", name, findings.empty() ? "nothing to predict from" : findings.front().message));
    return Exit::nothing_ran;
  }
  Report report;
  report.tool = this_tool();
  report.command = invocation.line;
  report.started = utc_now();
  report.machine = measured.machine;
  findings.push_back({"prediction-source", record::Severity::note, source_of(measured, file), {}});
  report.findings = std::move(findings);
  if (!options.json.empty() && options.json != "-") json::write_file(report, options.json);
  const bool as_json = options.json == "-" || options.format == "json";
  return write_stdout(as_json ? json::write(report) : text_of(report));
}

}  // namespace ridge::cmd
