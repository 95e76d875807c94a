// Simulated reports, judged.
#include "reports/compare/study/trial.hpp"

#include <algorithm>
#include <cmath>

#include "reports/compare/judge.hpp"
#include "reports/compare/median.hpp"
#include "reports/compare/study/rivals.hpp"

namespace ridge::study {
namespace {

using compare::Verdict;

// The runs of one simulated report; with `mixed`, each metric is noisier or calmer by a factor of its own.
std::vector<Runs> draw(const Scenario& scenario, std::vector<double>& deviations, Random& random) {
  auto runs = simulate(scenario.noise, scenario.metrics, scenario.base, scenario.fresh, 1e-2, random);
  if (deviations.empty())
    for (std::size_t i = 0; i < scenario.metrics; ++i)
      deviations.push_back(scenario.deviation *
                           (scenario.mixed ? std::pow(10.0, -std::uniform_real_distribution<>()(random)) : 1));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto scale = [&](double& value) { value = 100 * std::max(1e-3, 1 + (value - 100) * deviations[i]); };
    std::for_each(runs[i].base.begin(), runs[i].base.end(), scale);
    std::for_each(runs[i].fresh.begin(), runs[i].fresh.end(), scale);
  }
  return runs;
}

std::vector<compare::Judgement> judged(const Scenario& scenario, const std::vector<Runs>& runs) {
  std::vector<compare::Series> all;
  all.reserve(runs.size());
  for (const Runs& each : runs) all.push_back({each.base, each.fresh, record::Better::lower, scenario.tolerance});
  return compare::judge(all, {}).judgements;
}

void slow_down(Runs& runs, double factor) {
  for (double& value : runs.fresh) value *= factor;
}

// The tolerance that a metric of this noise ought to have: the rule's, or learned from a known deviation.
double true_tolerance(const Scenario& scenario, double deviation) {
  const double learned = scenario.tolerance.learned ? compare::Settings{}.noise_factor * deviation : 0;
  return std::max(scenario.tolerance.relative, learned);
}

void count_rivals(const Runs& runs, bool& mann_whitney, bool& five, bool& ten) {
  mann_whitney = mann_whitney || mann_whitney_alarm(runs.base, runs.fresh);
  five = five || threshold_alarm(runs.base, runs.fresh, 0.05);
  ten = ten || threshold_alarm(runs.base, runs.fresh, 0.10);
}

}  // namespace

Counts false_alarms(const Scenario& scenario, std::uint64_t trials, std::uint64_t seed) {
  Random random(seed);
  Counts counts;
  counts.trials = trials;
  for (std::uint64_t t = 0; t < trials; ++t) {
    std::vector<double> deviations;
    auto runs = draw(scenario, deviations, random);
    const auto judgements = judged(scenario, runs);
    std::vector<std::size_t> alarms;
    for (std::size_t i = 0; i < judgements.size(); ++i)
      if (judgements[i].verdict == Verdict::regressed) alarms.push_back(i);
    bool alarm = !alarms.empty();
    if (alarm && scenario.confirm) {
      const auto again = draw(scenario, deviations, random);
      for (std::size_t i = 0; i < runs.size(); ++i) runs[i].fresh = again[i].fresh;
      const auto confirmed = judged(scenario, runs);
      alarm = std::any_of(alarms.begin(), alarms.end(),
                          [&](std::size_t i) { return confirmed[i].verdict == Verdict::regressed; });
    }
    bool mann_whitney = false;
    bool five = false;
    bool ten = false;
    if (!scenario.confirm)
      for (const Runs& each : runs) count_rivals(each, mann_whitney, five, ten);
    counts.gate += alarm ? 1 : 0;
    counts.mann_whitney += mann_whitney ? 1 : 0;
    counts.five_percent += five ? 1 : 0;
    counts.ten_percent += ten ? 1 : 0;
  }
  return counts;
}

Counts misses(const Scenario& scenario, std::uint64_t trials, std::uint64_t seed) {
  Random random(seed);
  Counts counts;
  counts.trials = trials;
  for (std::uint64_t t = 0; t < trials; ++t) {
    std::vector<double> deviations;
    auto runs = draw(scenario, deviations, random);
    slow_down(runs.front(), 1 + scenario.planted * true_tolerance(scenario, deviations.front()));
    const auto judgements = judged(scenario, runs);
    bool seen = judgements.front().verdict == Verdict::regressed;
    if (seen && scenario.confirm) {
      auto again = draw(scenario, deviations, random);
      slow_down(again.front(), 1 + scenario.planted * true_tolerance(scenario, deviations.front()));
      for (std::size_t i = 0; i < runs.size(); ++i) runs[i].fresh = again[i].fresh;
      seen = judged(scenario, runs).front().verdict == Verdict::regressed;
    }
    bool mann_whitney = false;
    bool five = false;
    bool ten = false;
    count_rivals(runs.front(), mann_whitney, five, ten);
    counts.gate += seen ? 0 : 1;
    counts.undecided += !seen && judgements.front().verdict == Verdict::undecided ? 1 : 0;
    counts.mann_whitney += mann_whitney ? 0 : 1;
    counts.five_percent += five ? 0 : 1;
    counts.ten_percent += ten ? 0 : 1;
  }
  return counts;
}

double smallest_detectable(std::size_t metrics, std::size_t base, std::size_t fresh, std::uint64_t trials,
                           std::uint64_t seed) {
  Random random(seed);
  Scenario scenario;
  scenario.metrics = metrics;
  scenario.base = base;
  scenario.fresh = fresh;
  scenario.deviation = 1e-5;  // so small that logarithm and ratio are one
  scenario.tolerance = {1e-12, false, 0, "none"};
  std::vector<double> found;
  for (std::uint64_t t = 0; t < trials; ++t) {
    std::vector<double> deviations;
    const auto judgements = judged(scenario, draw(scenario, deviations, random));
    for (const auto& judgement : judgements)
      if (judgement.detectable) found.push_back(*judgement.detectable / scenario.deviation);
  }
  return found.empty() ? 0 : compare::median_of(std::move(found));
}

}  // namespace ridge::study
