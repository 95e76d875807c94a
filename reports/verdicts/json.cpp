// The comparison for programs.
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/verdicts/verdicts.hpp"
#include "reports/verdicts/words.hpp"

namespace ridge::verdicts {
namespace {

using compare::Comparison;
using compare::Row;
using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::optional<std::string>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json of(const Row& row) {
  const auto& j = row.judgement;
  Json out{{"id", row.id},
           {"metric", row.metric},
           {"unit", row.unit},
           {"better", record::to_string(row.series.better)},
           {"verdict", to_string(j.verdict)},
           {"reason", j.reason.empty() ? Json(nullptr) : Json(j.reason)},
           {"gated", row.gated},
           {"uniform_shift", j.uniform_shift},
           {"notes", row.notes},
           {"judged_together", row.together},
           {"base_runs", row.series.base},
           {"new_runs", row.series.fresh}};
  if (!has_figures(row)) return out;
  const auto ends = interval(row);
  out["base"] = j.base;
  out["new"] = j.fresh;
  out["change"] = change(row);
  out["change_interval"] = ends ? Json{ends->first, ends->second} : Json(nullptr);
  out["slowdown"] = j.slowdown;
  out["tolerance"] = j.tolerance;
  out["tolerance_source"] = row.series.tolerance.source;
  out["floor"] = row.series.tolerance.absolute;
  out["noise"] = number(j.noise);
  out["detectable"] = number(j.detectable);
  out["probability"] = j.probability;
  return out;
}

Json of(const record::Difference& each) {
  return {{"tier", to_string(each.tier)},
          {"field", each.field},
          {"base", text_or_null(each.a)},
          {"new", text_or_null(each.b)}};
}

}  // namespace

std::string json(const Comparison& comparison) {
  using compare::Verdict;
  Json counts = Json::object();
  for (const Verdict verdict : {Verdict::same, Verdict::improved, Verdict::regressed, Verdict::undecided,
                                Verdict::missing, Verdict::added, Verdict::not_comparable, Verdict::invalid})
    counts[std::string(to_string(verdict))] = comparison.count(verdict);
  Json rows = Json::array();
  for (const Row& row : comparison.rows) rows.push_back(of(row));
  Json differences = Json::array();
  for (const auto& each : comparison.differences) differences.push_back(of(each));
  const Json out{
      {"schema", "ridge-comparison"},
      {"schema_version", "1.0"},
      {"exit", static_cast<int>(comparison.exit())},
      {"summary", headline(comparison)},
      {"capability", capability(comparison)},
      {"counts", counts},
      {"false_alarms", comparison.settings.false_alarms},
      {"strict", comparison.strict},
      {"base", {{"tool", comparison.base.tool}, {"files", comparison.base.sources}}},
      {"new", {{"tool", comparison.fresh.tool}, {"files", comparison.fresh.sources}}},
      {"different_machine", comparison.other_machine},
      {"different_machine_allowed", comparison.allowed},
      {"machine_differences", differences},
      {"uniform_shift", number(comparison.pooled.shift)},
      {"drift", comparison.pooled.drift},
      {"prior", {{"variance", comparison.pooled.prior_variance}, {"freedom", comparison.pooled.prior_freedom}}},
      {"notes", comparison.notes},
      {"ignored_without_direction", comparison.ignored},
      {"metrics", rows}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ridge::verdicts
