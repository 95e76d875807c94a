// Centre, noise and tolerance, for all metrics at once.
#include "reports/compare/estimate.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <stdexcept>

#include "reports/compare/detect.hpp"
#include "reports/compare/median.hpp"

namespace ridge::compare {
namespace {

std::vector<double> costs(const std::vector<double>& values, record::Better better) {
  std::vector<double> logs;
  logs.reserve(values.size());
  for (const double value : values) {
    if (!std::isfinite(value) || value <= 0)
      throw std::invalid_argument("a value that is judged must be finite and above 0");
    logs.push_back(better == record::Better::higher ? -std::log(value) : std::log(value));
  }
  return logs;
}

Spread spread_of(double squares, std::size_t values, std::size_t means = 1) {
  const auto freedom = static_cast<double>(values - means);
  return {freedom > 0 ? squares / freedom : 0, freedom};
}

// The later quarter of the baseline's runs against the earlier ones: mean square over its expectation without drift, as
// the lower end of its one-sided 95 % interval, so that few metrics do not invent a drift.
class Drift {
 public:
  void add(const std::vector<double>& base, const Spread& spread) {
    constexpr std::size_t fewest = 6;
    if (base.size() < fewest || spread.variance <= 0) return;
    const std::size_t late = (base.size() + 3) / 4;
    const auto split = base.end() - static_cast<std::ptrdiff_t>(late);
    const double difference = median_of({split, base.end()}) - median_of({base.begin(), split});
    squares_ +=
        difference * difference / spread.variance / (median_variance(late) + median_variance(base.size() - late));
    ++count_;
  }
  [[nodiscard]] double inflation() const {
    if (count_ == 0) return 1;
    const boost::math::chi_squared_distribution<> expected(static_cast<double>(count_));
    return std::max(1.0, squares_ / quantile(expected, confidence));
  }

 private:
  double squares_ = 0;
  std::size_t count_ = 0;
};

// As a logarithm. What is learned grows with the noise of the baseline's runs.
double tolerance_of(const Tolerance& rule, const Spread& base, const Prior& prior, const Settings& settings) {
  double relative = rule.relative;
  if (rule.learned && base.freedom > 0)
    relative = std::max(relative, settings.noise_factor * std::sqrt(moderated(prior, base)));
  return std::log1p(relative);
}

}  // namespace

Measure Estimates::measure(const Divided& divided, const Facts& facts) const {
  Measure out;
  out.slowdown = divided.slowdown;
  const Spread both = spread_of(divided.base_squares + divided.fresh_squares, facts.base + facts.fresh, 2);
  out.freedom = facts.freedom;
  if (facts.freedom > 0) {
    // Pooling may only raise a metric's own noise: a metric noisier than the rest must not borrow their calm.
    out.noise = std::sqrt(std::max(both.variance, moderated(prior_, both)));
    out.error = out.noise * std::sqrt(facts.sizes * pooled_.drift);
  }
  out.tolerance = tolerance_of(facts.rule, spread_of(divided.base_squares, facts.base), base_prior_, settings_);
  out.threshold = std::max({out.tolerance, facts.floor, facts.critical * out.error});
  return out;
}

Estimates::Estimates(std::span<const Series> all, const Settings& settings) : settings_(settings) {
  std::vector<Divided> divided;
  std::vector<Spread> both;
  std::vector<Spread> within_base;
  Drift drift;
  for (const Series& series : all) {
    const auto base = costs(series.base, series.better);
    const auto fresh = costs(series.fresh, series.better);
    Facts& facts = facts_.emplace_back();
    facts.rule = series.tolerance;
    facts.base = base.size();
    facts.fresh = fresh.size();
    facts.sizes = median_variance(fresh.size()) + median_variance(base.size());
    if (series.tolerance.absolute > 0) facts.floor = std::log1p(series.tolerance.absolute / median_of(series.base));
    divided.push_back({median_of(fresh) - median_of(base), sum_of_squares(base), sum_of_squares(fresh)});
    both.push_back(
        spread_of(divided.back().base_squares + divided.back().fresh_squares, base.size() + fresh.size(), 2));
    within_base.push_back(spread_of(divided.back().base_squares, base.size()));
    drift.add(base, within_base.back());
    runs_.emplace_back(base, fresh);
  }
  prior_ = fit_prior(both);
  base_prior_ = fit_prior(within_base);
  pooled_ = {prior_.variance, prior_.freedom, drift.inflation(), std::nullopt};
  Quantiles critical(1 - settings.false_alarms / static_cast<double>(std::max<std::size_t>(all.size(), 1)));
  for (std::size_t i = 0; i < all.size(); ++i) {
    facts_[i].freedom = prior_.freedom + both[i].freedom;
    if (facts_[i].freedom > 0) facts_[i].critical = critical(facts_[i].freedom);
    measures_.push_back(measure(divided[i], facts_[i]));
  }
}

std::vector<double> Estimates::elsewhere(std::size_t metric) {
  const Facts& facts = facts_[metric];
  const double least = std::max(std::log1p(facts.rule.relative), facts.floor);
  if (facts.freedom <= 0 || facts.base + facts.fresh <= 2 || runs_[metric].range() < least / 2) return {};
  const auto& divisions = divisions_.of(facts.base, facts.fresh);
  std::vector<double> out(divisions.size());
  for (std::size_t i = 0; i < divisions.size(); ++i) {
    const Measure found = measure(runs_[metric].at(divisions[i]), facts);
    out[i] = found.slowdown / found.threshold;
  }
  return out;
}

}  // namespace ridge::compare
