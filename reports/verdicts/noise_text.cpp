// A row for each metric: noise inside and between runs, drift, and whether a gate can be built on it.
#include "reports/verdicts/noise_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/record/text.hpp"
#include "reports/sinks/grid.hpp"
#include "reports/verdicts/words.hpp"

namespace ridge::verdicts {
namespace {

using compare::Noise;
using compare::NoiseReport;
using Json = nlohmann::ordered_json;

std::string share(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f} %", 100 * *value) : "-";
}

Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

}  // namespace

std::string noise_table(const NoiseReport& report, std::size_t columns) {
  std::vector<sinks::Column> cells{{"gateable", true, {}},   {"median", false, {}}, {"within", false, {}},
                                   {"between", false, {}},   {"drift", false, {}},  {"tolerance", false, {}},
                                   {"detectable", false, {}}};
  for (const Noise& each : report.metrics) {
    cells[0].cells.push_back(each.gateable ? "yes" : "no");
    cells[1].cells.push_back(each.runs > 0 ? figure(each.median, each.unit) : "-");
    cells[2].cells.push_back(share(each.within));
    cells[3].cells.push_back(share(each.between));
    cells[4].cells.push_back(share(each.drift));
    cells[5].cells.push_back(percent(each.tolerance));
    cells[6].cells.push_back(each.detectable ? percent(*each.detectable) : "-");
  }
  const sinks::Grid grid(std::move(cells));
  std::string out = grid.heading() + "\n";
  const auto wrapped = [&](const std::string& text, std::size_t indent) {
    for (const auto& line : sinks::wrap(std::string(indent, ' ') + record::printable(text), columns, indent))
      out += line + "\n";
  };
  for (std::size_t i = 0; i < report.metrics.size(); ++i) {
    wrapped(report.metrics[i].id + ": " + report.metrics[i].metric, 0);
    out += grid.row(i) + "\n";
    if (!report.metrics[i].reason.empty()) wrapped(report.metrics[i].reason, 4);
  }
  const auto good =
      std::count_if(report.metrics.begin(), report.metrics.end(), [](const Noise& each) { return each.gateable; });
  out += fmt::format("\n{} of {} metrics can be gated with {} baseline and {} new runs", good, report.metrics.size(),
                     report.base, report.fresh);
  if (report.drift > 1)
    out += fmt::format("; the runs drift, so differences are {:.1f} times as uncertain", std::sqrt(report.drift));
  return out + "\n";
}

std::string noise_json(const NoiseReport& report) {
  Json metrics = Json::array();
  for (const Noise& each : report.metrics)
    metrics.push_back({{"id", each.id},
                       {"metric", each.metric},
                       {"unit", each.unit},
                       {"runs", each.runs},
                       {"median", each.runs > 0 ? Json(each.median) : Json(nullptr)},
                       {"within", number(each.within)},
                       {"between", number(each.between)},
                       {"moderated", number(each.moderated)},
                       {"drift", number(each.drift)},
                       {"tolerance", each.tolerance},
                       {"detectable", number(each.detectable)},
                       {"gateable", each.gateable},
                       {"reason", each.reason.empty() ? Json(nullptr) : Json(each.reason)}});
  const Json out{{"schema", "ridge-noise"},  {"schema_version", "1.0"}, {"base_runs", report.base},
                 {"new_runs", report.fresh}, {"drift", report.drift},   {"metrics", metrics}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ridge::verdicts
