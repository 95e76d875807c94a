// Reading, writing and splitting of recorded runs.
#include "reports/compare/study/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

#include "reports/compare/align.hpp"
#include "reports/compare/judge.hpp"
#include "reports/compare/study/noise.hpp"
#include "reports/compare/study/rivals.hpp"

namespace ridge::study {
namespace {

using compare::Verdict;

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(by, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

Recorded parse_line(std::string_view line, std::size_t number) {
  const auto refuse = [&](const char* what) { throw std::runtime_error(fmt::format("line {}: {}", number, what)); };
  const auto parts = split(line, '\t');
  if (parts.size() < 4) refuse("expected name, unit, better and values");
  Recorded metric{std::string(parts[0]), std::string(parts[1]), {}, {}};
  const auto better = record::better_from(parts[2]);
  if (!better || *better == record::Better::neither) refuse("better must be higher or lower");
  metric.better = *better;
  for (std::size_t i = 3; i < parts.size(); ++i) {
    double value = 0;
    const auto* const end = parts[i].data() + parts[i].size();
    const auto [rest, error] = std::from_chars(parts[i].data(), end, value);
    if (error != std::errc() || rest != end || !(value > 0)) refuse("a value is not a number above 0");
    metric.values.push_back(value);
  }
  return metric;
}

// The first runs of `order` are the baseline's, the next ones the new ones.
compare::Series series_of(const Recorded& metric, const std::vector<std::size_t>& order, std::size_t base,
                          std::size_t fresh, const compare::Tolerance& tolerance) {
  compare::Series series;
  series.better = metric.better;
  series.tolerance = tolerance;
  for (std::size_t k = 0; k < base; ++k) series.base.push_back(metric.values[order[k]]);
  for (std::size_t k = base; k < base + fresh; ++k) series.fresh.push_back(metric.values[order[k]]);
  return series;
}

// Costs: lower is better, so that the rivals see a slowdown as a rise.
std::vector<double> costs(const std::vector<double>& values, record::Better better) {
  auto out = values;
  if (better == record::Better::higher)
    for (double& value : out) value = 1 / value;
  return out;
}

// How strongly the other methods alarm about the metric of theirs that is the worst.
struct Rivals {
  double ratio = -std::numeric_limits<double>::infinity();
  double deviations = ratio;
  double rank = ratio;
  bool mann_whitney = false;

  void add(const compare::Series& series) {
    const auto before = costs(series.base, series.better);
    const auto after = costs(series.fresh, series.better);
    ratio = std::max(ratio, threshold_strength(before, after));
    deviations = std::max(deviations, deviations_strength(before, after));
    rank = std::max(rank, mann_whitney_strength(before, after));
    mann_whitney = mann_whitney || mann_whitney_alarm(before, after);
  }
};

struct Dials {
  Dial ratio{"threshold on the change", {}, {}};
  Dial deviations{"threshold in the metric's own standard deviations", {}, {}};
  Dial rank{"Mann-Whitney", {}, {}};

  void add(const Rivals& unchanged, const Rivals& planted) {
    ratio.unchanged.push_back(unchanged.ratio), ratio.planted.push_back(planted.ratio);
    deviations.unchanged.push_back(unchanged.deviations), deviations.planted.push_back(planted.deviations);
    rank.unchanged.push_back(unchanged.rank), rank.planted.push_back(planted.rank);
  }
};

}  // namespace

std::vector<Recorded> parse_recorded(std::string_view text) {
  std::vector<Recorded> metrics;
  std::size_t number = 0;
  for (const auto line : split(text, '\n')) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    metrics.push_back(parse_line(line, number));
    if (metrics.back().values.size() != metrics.front().values.size())
      throw std::runtime_error(fmt::format("line {}: another number of values than before", number));
  }
  return metrics;
}

std::string to_text(std::span<const Recorded> metrics) {
  std::string out;
  for (const Recorded& metric : metrics) {
    out += fmt::format("{}\t{}\t{}", metric.name, metric.unit, record::to_string(metric.better));
    for (const double value : metric.values) out += fmt::format("\t{:.6g}", value);
    out += "\n";
  }
  return out;
}

std::vector<Recorded> recorded(std::span<const compare::Run> runs) {
  std::vector<Recorded> metrics;
  for (const compare::Row& row : compare::align(runs, runs, {}))
    if (row.judged && row.series.base.size() == runs.size())
      metrics.push_back({row.name(), row.unit, row.series.better, row.series.base});
  return metrics;
}

Splits random_splits(std::span<const Recorded> metrics, std::size_t base, std::size_t fresh, std::uint64_t count,
                     const compare::Tolerance& tolerance, std::uint64_t seed) {
  if (metrics.empty() || metrics.front().values.size() < base + fresh)
    throw std::runtime_error("too few runs for such a split");
  Random random(seed);
  std::vector<std::size_t> order(metrics.front().values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  Splits out;
  out.splits = count;
  Dials dials;
  for (std::uint64_t t = 0; t < count; ++t) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(base));  // the baseline in the order of time
    std::vector<compare::Series> all;
    Rivals unchanged;
    for (const Recorded& metric : metrics) {
      all.push_back(series_of(metric, order, base, fresh, tolerance));
      unchanged.add(all.back());
    }
    const auto judged = compare::judge(all, {}).judgements;
    const auto has = [&](Verdict verdict) {
      return std::any_of(judged.begin(), judged.end(), [&](const auto& each) { return each.verdict == verdict; });
    };
    const bool alarm = has(Verdict::regressed);
    out.gate.alarms += alarm ? 1 : 0;
    out.undecided += !alarm && has(Verdict::undecided) ? 1 : 0;
    out.mann_whitney.alarms += unchanged.mann_whitney ? 1 : 0;

    const std::size_t slowed = t % metrics.size();
    const double factor = 1 + 2 * judged[slowed].tolerance;
    for (double& value : all[slowed].fresh)
      value *= metrics[slowed].better == record::Better::higher ? 1 / factor : factor;
    Rivals planted;
    planted.add(all[slowed]);
    const auto verdict = compare::judge(all, {}).judgements[slowed].verdict;
    out.gate.missed += verdict != Verdict::regressed ? 1 : 0;
    out.missed_undecided += verdict == Verdict::undecided ? 1 : 0;
    out.mann_whitney.missed += planted.mann_whitney ? 0 : 1;
    dials.add(unchanged, planted);
  }
  out.five_percent = dials.ratio.at(1 + 0.05);
  out.ten_percent = dials.ratio.at(1 + 0.10);
  out.dials = {dials.ratio, dials.deviations, dials.rank};
  return out;
}

}  // namespace ridge::study
