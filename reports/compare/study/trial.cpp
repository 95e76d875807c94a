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

// A simulated report, and the runs that a retry would measure.
struct Drawn {
  std::vector<Runs> runs;
  std::vector<std::vector<double>> again;  // per metric
  std::vector<double> deviations;          // per metric
};

// With `mixed`, each metric is noisier or calmer by a factor of its own.
Drawn draw(const Scenario& scenario, Random& random) {
  const std::size_t later = scenario.retry ? scenario.fresh : 0;
  Drawn out;
  out.runs = simulate(scenario.noise, scenario.metrics, scenario.base, scenario.fresh + later, 1e-2, random);
  for (Runs& runs : out.runs) {
    const double deviation =
        scenario.deviation * (scenario.mixed ? std::pow(10.0, -std::uniform_real_distribution<>()(random)) : 1);
    const auto scale = [&](double& value) { value = 100 * std::max(1e-3, 1 + (value - 100) * deviation); };
    std::for_each(runs.base.begin(), runs.base.end(), scale);
    std::for_each(runs.fresh.begin(), runs.fresh.end(), scale);
    out.deviations.push_back(deviation);
    const auto first = runs.fresh.begin() + static_cast<std::ptrdiff_t>(scenario.fresh);
    out.again.emplace_back(first, runs.fresh.end());
    runs.fresh.erase(first, runs.fresh.end());
  }
  return out;
}

std::vector<compare::Judgement> judged_once(const Scenario& scenario, const std::vector<Runs>& runs) {
  std::vector<compare::Series> all;
  all.reserve(runs.size());
  for (const Runs& each : runs) all.push_back({each.base, each.fresh, record::Better::lower, scenario.tolerance});
  return compare::judge(all, {}).judgements;
}

std::vector<compare::Judgement> judged(const Scenario& scenario, Drawn drawn) {
  auto judgements = judged_once(scenario, drawn.runs);
  if (!scenario.retry) return judgements;
  bool any = false;
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    auto& fresh = drawn.runs[i].fresh;
    const auto& again = drawn.again[i];
    if (judgements[i].verdict == Verdict::regressed) fresh = again;
    if (judgements[i].verdict == Verdict::undecided) fresh.insert(fresh.end(), again.begin(), again.end());
    any = any || judgements[i].verdict == Verdict::regressed || judgements[i].verdict == Verdict::undecided;
  }
  return any ? judged_once(scenario, drawn.runs) : judgements;
}

void slow_down(Drawn& drawn, double factor) {
  for (double& value : drawn.runs.front().fresh) value *= factor;
  for (double& value : drawn.again.front()) value *= factor;
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
    const Drawn drawn = draw(scenario, random);
    const auto judgements = judged(scenario, drawn);
    const bool alarm = std::any_of(judgements.begin(), judgements.end(),
                                   [](const auto& each) { return each.verdict == Verdict::regressed; });
    bool mann_whitney = false;
    bool five = false;
    bool ten = false;
    for (const Runs& each : drawn.runs) count_rivals(each, mann_whitney, five, ten);
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
    Drawn drawn = draw(scenario, random);
    slow_down(drawn, 1 + scenario.planted * true_tolerance(scenario, drawn.deviations.front()));
    const Verdict verdict = judged(scenario, drawn).front().verdict;
    bool mann_whitney = false;
    bool five = false;
    bool ten = false;
    count_rivals(drawn.runs.front(), mann_whitney, five, ten);
    counts.gate += verdict == Verdict::regressed ? 0 : 1;
    counts.undecided += verdict == Verdict::undecided ? 1 : 0;
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
    const auto judgements = judged(scenario, draw(scenario, random));
    for (const auto& judgement : judgements)
      if (judgement.detectable) found.push_back(*judgement.detectable / scenario.deviation);
  }
  return found.empty() ? 0 : compare::median_of(std::move(found));
}

}  // namespace ridge::study
