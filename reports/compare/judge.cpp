// From estimates to verdicts: significance over the whole report, then the rule for each metric.
#include "reports/compare/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "reports/compare/detect.hpp"
#include "reports/compare/estimate.hpp"
#include "reports/compare/median.hpp"
#include "reports/compare/percent.hpp"
#include "reports/compare/shift.hpp"

namespace ridge::compare {
namespace {

double upper_tail(double statistic, double freedom) {
  if (freedom >= normal_from) return cdf(complement(boost::math::normal_distribution<>(), statistic));
  return cdf(complement(boost::math::students_t_distribution<>(freedom), statistic));
}

// Holm's step-down: which of the hypotheses fall when the chance that any true one falls is to stay at `level`.
std::vector<bool> rejected(const std::vector<double>& probabilities, double level) {
  std::vector<std::size_t> order(probabilities.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return probabilities[a] < probabilities[b]; });
  std::vector<bool> falls(order.size(), false);
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (probabilities[order[k]] > level / static_cast<double>(order.size() - k)) break;
    falls[order[k]] = true;
  }
  return falls;
}

bool beyond(double slowdown, const Measure& measure, const Series& series, const Judgement& judgement) {
  return slowdown > measure.tolerance && std::abs(judgement.fresh - judgement.base) > series.tolerance.absolute;
}

// Of a change by `slowdown` for the worse (or, with its sign turned, for the better) when nothing changed.
double probability(double slowdown, const Measure& measure) {
  if (measure.error <= 0) return 0;  // nothing is known of the noise: the tolerance alone decides
  return upper_tail(slowdown / measure.error, measure.freedom);
}

// Takes back those of `changed` that the same runs, divided otherwise, would have shown as well. Step-down: the largest
// is held against the largest of all metrics, the next against all but that, and so on (Westfall and Young 1993).
// `sign` −1 is for changes for the better.
void hold_against_divisions(Estimates& estimates, double sign, double level, std::vector<bool>& changed,
                            std::vector<double>& shares) {
  const auto& measures = estimates.measures();
  const auto row = [&](std::size_t i) {
    auto found = estimates.elsewhere(i);
    for (double& each : found) each *= sign;
    return found;
  };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < changed.size(); ++i)
    if (changed[i] && measures[i].error > 0) order.push_back(i);
  if (order.empty()) return;
  const auto excess = [&](std::size_t i) { return sign * measures[i].slowdown / measures[i].threshold; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return excess(a) < excess(b); });
  Largest largest;
  for (std::size_t i = 0; i < changed.size(); ++i)
    if (!changed[i]) largest.take(row(i));
  for (const std::size_t i : order) {
    largest.take(row(i));
    shares[i] = largest.share(excess(i));
  }
  bool falls = true;
  for (std::size_t k = order.size(); k-- > 0;) {
    falls = falls && shares[order[k]] <= level;
    changed[order[k]] = falls;
  }
}

// What `judge` knows of one metric when it comes to the verdict.
struct Evidence {
  bool worse = false;  // significantly, within the whole report
  bool better = false;
  double share = 0;      // of the divisions of the same runs that show as much; 0 where that was not asked
  double one_sided = 0;  // quantile of t
};

void decide(const Series& series, const Measure& measure, const Evidence& evidence, const Settings& settings,
            Judgement& out) {
  const bool noise_known = measure.freedom > 0;
  if (beyond(measure.slowdown, measure, series, out)) {
    out.verdict = evidence.worse ? Verdict::regressed : Verdict::undecided;
    if (!noise_known) out.reason = "no spread known, tolerance only";
    if (!evidence.worse)
      out.reason = fmt::format(
          "worse, but within what noise can do{}; the smallest change that would be seen is {}",
          evidence.share > 0 ? fmt::format(" ({} of the ways to divide all runs show as much)", percent(evidence.share))
                             : "",
          percent(*out.detectable));
    return;
  }
  if (beyond(-measure.slowdown, measure, series, out) && evidence.better) {
    const double factor = std::exp(-measure.slowdown);
    out.verdict = factor > settings.implausible ? Verdict::invalid : Verdict::improved;
    if (out.verdict == Verdict::invalid)
      out.reason = fmt::format("better by a factor of {:.3g}, beyond the plausible {:.3g}: was the same work done?",
                               factor, settings.implausible);
    else if (!noise_known)
      out.reason = "no spread known, tolerance only";
    return;
  }
  if (!noise_known) {
    out.verdict = Verdict::same;
    out.reason = "no spread known, tolerance only";
    return;
  }
  const bool could_be_worse = measure.slowdown + evidence.one_sided * measure.error > 2 * measure.tolerance &&
                              std::expm1(2 * measure.tolerance) * out.base > series.tolerance.absolute;
  out.verdict = could_be_worse ? Verdict::undecided : Verdict::same;
  if (could_be_worse)
    out.reason = fmt::format(
        "too noisy to exclude a slowdown of twice the tolerance; the smallest change that would "
        "be seen is {}",
        percent(*out.detectable));
}

}  // namespace

Judged judge(std::span<const Series> all, const Settings& settings) {
  Estimates estimates(all, settings);
  Judged out{std::vector<Judgement>(all.size()), estimates.pooled()};
  std::vector<double> worse(all.size(), 1.0);
  std::vector<double> better(all.size(), 1.0);
  std::vector<double> shares(all.size(), 0.0);
  std::vector<Moved> moved(all.size());
  Quantiles interval(1 - (1 - confidence) / 2);
  Quantiles one_sided(power);
  Quantiles critical(1 - settings.false_alarms / static_cast<double>(std::max<std::size_t>(all.size(), 1)));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Measure& m = estimates.measures()[i];
    Judgement& judgement = out.judgements[i];
    moved[i] = {m.slowdown, m.error, m.tolerance};
    judgement.base = median_of(all[i].base);
    judgement.fresh = median_of(all[i].fresh);
    judgement.slowdown = std::expm1(m.slowdown);
    judgement.tolerance = std::expm1(m.tolerance);
    if (m.freedom > 0) {
      judgement.lower = std::expm1(m.slowdown - interval(m.freedom) * m.error);
      judgement.upper = std::expm1(m.slowdown + interval(m.freedom) * m.error);
      judgement.detectable =
          std::expm1(smallest_detectable(m.tolerance, critical(m.freedom), one_sided(m.freedom), m.error));
      judgement.noise = m.noise;
    }
    if (beyond(m.slowdown, m, all[i], judgement)) worse[i] = probability(m.slowdown, m);
    if (beyond(-m.slowdown, m, all[i], judgement)) better[i] = probability(-m.slowdown, m);
    judgement.probability = std::min(worse[i], better[i]);
  }
  auto alarms = rejected(worse, settings.false_alarms);
  auto gains = rejected(better, settings.false_alarms);
  hold_against_divisions(estimates, 1, settings.false_alarms, alarms, shares);
  hold_against_divisions(estimates, -1, settings.false_alarms, gains, shares);
  const auto shift = uniform_shift(moved);
  if (shift) out.pooled.shift = std::expm1(*shift);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Measure& m = estimates.measures()[i];
    const Evidence evidence{alarms[i], gains[i], shares[i], m.freedom > 0 ? one_sided(m.freedom) : 0};
    decide(all[i], m, evidence, settings, out.judgements[i]);
    out.judgements[i].uniform_shift = shift && moves_with(moved[i], *shift);
  }
  return out;
}

}  // namespace ridge::compare
