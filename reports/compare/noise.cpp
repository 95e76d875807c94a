// Noise is read off a comparison of the runs with themselves.
#include "reports/compare/noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "reports/compare/detect.hpp"
#include "reports/compare/median.hpp"
#include "reports/compare/moderation.hpp"
#include "reports/compare/percent.hpp"

namespace ridge::compare {
namespace {

std::vector<double> logs(const std::vector<double>& values) {
  std::vector<double> out;
  for (const double value : values) out.push_back(std::log(value));
  return out;
}

std::unordered_map<std::string, std::vector<double>> spreads_within(std::span<const Run> runs) {
  std::unordered_map<std::string, std::vector<double>> within;
  for (const Run& run : runs)
    for (const Case& each : run.cases)
      if (each.spread) within[each.id].push_back(*each.spread);
  return within;
}

std::optional<double> drift_of(const Series& series) {
  constexpr std::size_t fewest = 6;
  const auto& values = series.base;
  if (values.size() < fewest) return std::nullopt;
  const auto split = values.end() - static_cast<std::ptrdiff_t>((values.size() + 3) / 4);
  const double ratio = median_of({split, values.end()}) / median_of({values.begin(), split});
  return (series.better == record::Better::higher ? 1 / ratio : ratio) - 1;
}

}  // namespace

NoiseReport noise(std::span<const Run> runs, const Rules& rules, const Settings& settings, std::size_t fresh) {
  const auto rows = align(runs, runs, rules);
  const auto within = spreads_within(runs);
  std::vector<Series> series;
  std::vector<Spread> spreads;
  for (const Row& row : rows) {
    if (!row.judged) continue;
    series.push_back(row.series);
    const auto values = logs(row.series.base);
    const auto freedom = static_cast<double>(values.size() - 1);
    spreads.push_back({freedom > 0 ? sum_of_squares(values) / freedom : 0, freedom});
  }
  const Prior prior = fit_prior(spreads);
  NoiseReport out{{}, runs.size(), fresh, judge(series, settings).pooled.drift};
  std::size_t k = 0;
  for (const Row& row : rows) {
    Noise& each = out.metrics.emplace_back();
    each.id = row.id;
    each.metric = row.metric;
    each.unit = row.unit;
    each.tolerance = row.series.tolerance.relative;
    each.reason = row.judgement.reason;
    if (!row.judged) continue;
    const Spread& spread = spreads[k++];
    each.runs = row.series.base.size();
    each.median = median_of(row.series.base);
    if (const auto found = within.find(row.id); found != within.end()) each.within = median_of(found->second);
    each.drift = drift_of(row.series);
    if (spread.freedom <= 0) {
      each.reason = "one run: the noise between runs is unknown";
      continue;
    }
    each.between = std::sqrt(spread.variance);
    each.moderated = std::sqrt(std::max(spread.variance, moderated(prior, spread)));
    const double tolerance = std::log1p(each.tolerance);
    each.detectable = std::expm1(smallest_detectable(*each.moderated, spread.freedom + prior.freedom, each.runs, fresh,
                                                     series.size(), tolerance, settings.false_alarms, out.drift));
    each.gateable = std::log1p(*each.detectable) <= 2 * tolerance;
    if (!each.gateable)
      each.reason = fmt::format("not gateable at a tolerance of {}: the smallest slowdown that would be caught is {}",
                                percent(each.tolerance), percent(*each.detectable));
  }
  return out;
}

}  // namespace ridge::compare
