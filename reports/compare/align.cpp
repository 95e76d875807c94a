// Collects each metric's values over the runs, converts their units, and refuses what has no ratio.
#include "reports/compare/align.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "reports/compare/collect.hpp"

namespace ridge::compare {
namespace {

using record::Better;
using record::Status;

Judgement verdict(Verdict verdict, std::string reason) {
  Judgement judgement;
  judgement.verdict = verdict;
  judgement.reason = std::move(reason);
  return judgement;
}

std::string shown(Better better) {
  return std::string(record::to_string(better));
}

// What forbids a comparison although both sides have the metric.
std::optional<Judgement> mismatch(const Found& base, const Found& fresh) {
  if (base.duplicate || fresh.duplicate)
    return verdict(Verdict::invalid,
                   fmt::format("occurs twice in {}", base.duplicate ? base.first_source : fresh.first_source));
  for (const Found* side : {&base, &fresh})
    if (!side->conflict.empty()) return verdict(Verdict::not_comparable, side->conflict);
  if (base.version != fresh.version)
    return verdict(Verdict::not_comparable, fmt::format("workload_version {} in the baseline, {} in the new report",
                                                        base.version, fresh.version));
  if (base.better != fresh.better)
    return verdict(Verdict::not_comparable, fmt::format("better is {} in the baseline, {} in the new report",
                                                        shown(base.better), shown(fresh.better)));
  if (!conversion(fresh.unit, base.unit))
    return verdict(Verdict::not_comparable,
                   fmt::format("unit {} in the baseline, {} in the new report", base.unit, fresh.unit));
  return std::nullopt;
}

// What forbids a judgement of values that could be compared.
std::optional<Judgement> unusable(const Found& base, const Found& fresh, double factor) {
  if (base.values.empty()) return verdict(Verdict::invalid, "no usable value in the baseline: " + base.why_none());
  if (fresh.values.empty()) {
    const bool gone = fresh.absent();
    return verdict(gone ? Verdict::missing : Verdict::invalid,
                   (gone ? "not measured: " : "no usable value: ") + fresh.why_none());
  }
  for (const auto& [side, name] : {std::pair{&base, "the baseline"}, std::pair{&fresh, "the new report"}})
    for (const double value : side->values)
      if (!std::isfinite(value) || value <= 0)
        return verdict(Verdict::invalid, fmt::format("{} {} in {} has no ratio", value, side->unit, name));
  if (fresh.peak)
    for (const double value : fresh.values)
      if (constexpr double over = 1.05; value > over * *fresh.peak)
        return verdict(Verdict::invalid, fmt::format("{:.4g} {} is above {:.4g}, 105 % of the known peak",
                                                     value * factor, base.unit, over * *fresh.peak * factor));
  return std::nullopt;
}

void note_left_out(const Found& side, std::size_t runs, std::string_view name, std::vector<std::string>& notes) {
  if (side.values.empty() || side.values.size() == runs) return;
  notes.push_back(fmt::format("in {} of {} {} runs{}", side.values.size(), runs, name,
                              side.reasons.empty() ? "" : ": " + side.why_none()));
}

// The values of both go into the row.
Row joined(Found* base, Found* fresh, std::size_t base_runs, std::size_t fresh_runs) {
  const Found& any = base != nullptr ? *base : *fresh;
  Row row;
  row.id = any.id;
  row.metric = any.metric;
  row.unit = any.unit;
  row.series.better = any.better;
  row.reproduce = fresh != nullptr && !fresh->reproduce.empty() ? fresh->reproduce : any.reproduce;
  if (fresh == nullptr) {
    row.judgement = verdict(Verdict::missing, "not in the new report");
    return row;
  }
  if (base == nullptr) {
    row.judgement = verdict(Verdict::added, "not in the baseline");
    return row;
  }
  // A case that was skipped says nothing of its metrics: only the status counts.
  if (fresh->metrics_known || fresh->duplicate)
    if (auto wrong = mismatch(*base, *fresh)) {
      row.judgement = *wrong;
      return row;
    }
  const double factor = fresh->metrics_known ? *conversion(fresh->unit, base->unit) : 1;
  if (auto wrong = unusable(*base, *fresh, factor)) {
    row.judgement = *wrong;
    return row;
  }
  note_left_out(*base, base_runs, "baseline", row.notes);
  note_left_out(*fresh, fresh_runs, "new", row.notes);
  row.judged = true;
  row.series.base = std::move(base->values);
  row.series.fresh = std::move(fresh->values);
  for (double& value : row.series.fresh) value *= factor;
  return row;
}

}  // namespace

std::vector<Row> align(std::span<const Run> base, std::span<const Run> fresh, const Rules& rules) {
  Collected before = collect(base, rules.ratios);
  Collected after = collect(fresh, rules.ratios);
  std::vector<Row> rows;
  rows.reserve(before.all.size());
  for (std::size_t i = 0; i < before.all.size(); ++i) {
    Found& found = before.all[i];
    if (found.better == Better::neither && !found.conflict.empty()) continue;
    Found* other = after.find(found, i);
    Found skipped;
    if (other == nullptr)
      if (const auto stopped = after.stopped.find(found.id); stopped != after.stopped.end()) {
        skipped = stopped->second;
        other = &skipped;
      }
    rows.push_back(joined(&found, other, base.size(), fresh.size()));
  }
  for (std::size_t i = 0; i < after.all.size(); ++i)
    if (before.find(after.all[i], i) == nullptr)
      rows.push_back(joined(nullptr, &after.all[i], base.size(), fresh.size()));
  add_stopped({base, before}, {fresh, after}, rows);
  apply(rules, rows);
  fold(rows);
  return rows;
}

}  // namespace ridge::compare
