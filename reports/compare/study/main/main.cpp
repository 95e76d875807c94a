// gate_study: prints the tables of docs/method/gate.md as Markdown. The only argument scales the number of trials.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "reports/compare/study/trial.hpp"

using namespace ridge::study;

namespace {

constexpr std::uint64_t seed = 20240601;

std::string share(std::uint64_t count, std::uint64_t trials) {
  return fmt::format("{:.2f} %", 100 * static_cast<double>(count) / static_cast<double>(trials));
}

std::uint64_t trials_for(std::size_t metrics, double scale) {
  const double wanted = scale * (metrics >= 1000 ? 1000 : metrics >= 100 ? 4000 : 10000);
  return std::max<std::uint64_t>(20, static_cast<std::uint64_t>(wanted));
}

void rates(double deviation, const ridge::compare::Tolerance& tolerance, bool confirm, double scale) {
  fmt::print(
      "| noise | metrics | false alarms | misses of 2 x tolerance | of these undecided |\n|---|--:|--:|--:|--:|\n");
  for (const Noise noise : all_noises)
    for (const std::size_t metrics : {1, 10, 100, 1000}) {
      Scenario scenario;
      scenario.noise = noise;
      scenario.metrics = metrics;
      scenario.deviation = deviation;
      scenario.tolerance = tolerance;
      scenario.confirm = confirm;
      const auto trials = trials_for(metrics, scale);
      const Counts alarms = false_alarms(scenario, trials, seed);
      const Counts missed = misses(scenario, trials, seed + 1);
      fmt::print("| {} | {} | {} | {} | {} |\n", to_string(noise), metrics, share(alarms.gate, trials),
                 share(missed.gate, trials), share(missed.undecided, trials));
      std::fflush(stdout);
    }
}

void rivals(std::size_t metrics, double scale) {
  const auto trials = trials_for(metrics, scale);
  fmt::print(
      "| noise | gate: alarms | misses | Mann-Whitney: alarms | misses | 5 %: alarms | misses | 10 %: alarms | misses "
      "|\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const Noise noise : issue_noises) {
    Scenario scenario;
    scenario.noise = noise;
    scenario.metrics = metrics;
    scenario.deviation = 0.03;
    scenario.mixed = true;
    scenario.tolerance = {0.01, true, 0, "default"};
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
          std::max<std::uint64_t>(5, static_cast<std::uint64_t>(scale * 20000 / static_cast<double>(metrics)));
      const double found = smallest_detectable(metrics, both ? runs : 10, runs, trials, seed + 4);
      fmt::print(" {} |", found > 0 ? fmt::format("{:.1f}", found) : "none");
    }
    fmt::print("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const double scale = argc > 1 ? std::atof(argv[1]) : 1;
  fmt::print(
      "### Noise of a fifth of the tolerance: deviation 1 %, tolerance max(5 %, 5 x noise), 10 against 3 runs\n\n");
  rates(0.01, {}, false, scale);
  fmt::print("\n### The same, an alarm confirmed by three more runs\n\n");
  rates(0.01, {}, true, scale);
  fmt::print("\n### Noise as large as the tolerance: deviation 5 %, tolerance fixed at 5 %\n\n");
  rates(0.05, {0.05, false, 0, "rule"}, false, scale);
  fmt::print(
      "\n### Against other methods: deviations of 0.3 to 3 %, tolerance max(1 %, 5 x noise), 10 against 3 runs, 100 "
      "metrics\n\n");
  rivals(100, scale);
  fmt::print("\n### Smallest detectable slowdown, in standard deviations between runs: as many base as new runs\n\n");
  detectable(true, scale);
  fmt::print("\n### Smallest detectable slowdown, in standard deviations between runs: 10 base runs\n\n");
  detectable(false, scale);
  return 0;
}
