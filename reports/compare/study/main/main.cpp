// gate_study: prints the tables of docs/method/gate.md as Markdown. The only argument scales the number of trials.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include "reports/compare/study/trial.hpp"

using namespace ridge::study;

namespace {

constexpr std::uint64_t seed = 20240601;

std::string share(std::uint64_t count, std::uint64_t trials) {
  return fmt::format("{:.2f} %", 100 * static_cast<double>(count) / static_cast<double>(trials));
}

std::uint64_t trials_for(std::size_t metrics, double scale) {
  const double wanted = scale * (metrics >= 1000 ? 150 : metrics >= 100 ? 500 : 2000);
  return std::max<std::uint64_t>(20, static_cast<std::uint64_t>(wanted));
}

void rates(Scenario scenario, std::initializer_list<std::size_t> sizes, double scale) {
  fmt::print(
      "| noise | metrics | trials | false alarms | misses of 2 x tolerance | of these undecided |\n"
      "|---|--:|--:|--:|--:|--:|\n");
  for (const Noise noise : all_noises)
    for (const std::size_t metrics : sizes) {
      scenario.noise = noise;
      scenario.metrics = metrics;
      const auto trials = trials_for(metrics, scale);
      const Counts alarms = false_alarms(scenario, trials, seed);
      const Counts missed = misses(scenario, trials, seed + 1);
      fmt::print("| {} | {} | {} | {} | {} | {} |\n", to_string(noise), metrics, trials, share(alarms.gate, trials),
                 share(missed.gate, trials), share(missed.undecided, trials));
      std::fflush(stdout);
    }
}

void rivals(Scenario scenario, double scale) {
  scenario.metrics = 100;
  const auto trials = trials_for(scenario.metrics, scale);
  fmt::print(
      "| noise | gate: alarms | misses | Mann-Whitney: alarms | misses | 5 %: alarms | misses | 10 %: alarms | misses "
      "|\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const Noise noise : issue_noises) {
    scenario.noise = noise;
    const Counts a = false_alarms(scenario, trials, seed + 2);
    const Counts m = misses(scenario, trials, seed + 3);
    fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", to_string(noise), share(a.gate, trials),
               share(m.gate, trials), share(a.mann_whitney, trials), share(m.mann_whitney, trials),
               share(a.five_percent, trials), share(m.five_percent, trials), share(a.ten_percent, trials),
               share(m.ten_percent, trials));
    std::fflush(stdout);
  }
}

void detectable(bool both, double scale) {
  fmt::print("| runs | 1 metric | 10 | 30 | 100 | 1000 |\n|--:|--:|--:|--:|--:|--:|\n");
  for (const std::size_t runs : {1, 3, 5, 10, 20}) {
    fmt::print("| {} |", runs);
    for (const std::size_t metrics : {1, 10, 30, 100, 1000}) {
      const auto trials =
          std::max<std::uint64_t>(5, static_cast<std::uint64_t>(scale * 10000 / static_cast<double>(metrics)));
      const double found = smallest_detectable(metrics, both ? runs : 10, runs, trials, seed + 4);
      fmt::print(" {} |", found > 0 ? fmt::format("{:.1f}", found) : "none");
    }
    fmt::print("\n");
  }
}

Scenario equal(double deviation, const ridge::compare::Tolerance& tolerance) {
  Scenario scenario;
  scenario.deviation = deviation;
  scenario.tolerance = tolerance;
  return scenario;
}

Scenario mixed(double deviation, const ridge::compare::Tolerance& tolerance) {
  Scenario scenario = equal(deviation, tolerance);
  scenario.mixed = true;
  return scenario;
}

Scenario retried(Scenario scenario) {
  scenario.retry = true;
  return scenario;
}

}  // namespace

int main(int argc, char** argv) {
  const double scale = argc > 1 ? std::atof(argv[1]) : 1;
  const ridge::compare::Tolerance fixed{0.05, false, 0, "rule"};
  const ridge::compare::Tolerance learned{0.01, true, 0, "default"};
  fmt::print("### Noise of a fifth of the tolerance: deviation 1 %, tolerance max(5 %, 5 x noise)\n\n");
  rates(equal(0.01, {}), {1, 10, 100, 1000}, scale);
  fmt::print("\n### Unlike noise up to a fifth of the tolerance: deviations of 0.1 to 1 %, tolerance fixed at 5 %\n\n");
  rates(mixed(0.01, fixed), {10, 100, 1000}, scale);
  fmt::print("\n### Learned tolerances: deviations of 0.3 to 3 %, tolerance max(1 %, 5 x noise)\n\n");
  rates(mixed(0.03, learned), {10, 100}, scale);
  fmt::print("\n### The same with --retry 1\n\n");
  rates(retried(mixed(0.03, learned)), {10, 100}, scale);
  fmt::print("\n### Noise as large as the tolerance: deviation 5 %, tolerance fixed at 5 %\n\n");
  rates(equal(0.05, fixed), {10, 100}, scale);
  fmt::print("\n### Other methods, calm: deviations of 0.3 to 3 %, tolerance max(1 %, 5 x noise), 100 metrics\n\n");
  rivals(mixed(0.03, learned), scale);
  fmt::print("\n### Other methods, noisy: deviations of 1 to 10 %, tolerance max(5 %, 5 x noise), 100 metrics\n\n");
  rivals(mixed(0.10, {}), scale);
  fmt::print("\n### Smallest detectable slowdown, in standard deviations between runs: as many base as new runs\n\n");
  detectable(true, scale);
  fmt::print("\n### Smallest detectable slowdown, in standard deviations between runs: 10 base runs\n\n");
  detectable(false, scale);
  return 0;
}
