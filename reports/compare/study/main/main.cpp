// gate_study [SCALE [TEXT]]: prints the tables of docs/method/gate.md as Markdown, those with TEXT in their title;
// SCALE multiplies the number of trials.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <vector>

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

void rates(Scenario scenario, const std::vector<std::size_t>& sizes, double scale) {
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

Scenario from_baseline_of(std::size_t runs, Scenario scenario) {
  scenario.base = runs;
  return scenario;
}

Scenario retried(Scenario scenario) {
  scenario.retry = true;
  return scenario;
}

}  // namespace

int main(int argc, char** argv) {
  const double scale = argc > 1 ? std::atof(argv[1]) : 1;
  const std::string_view wanted = argc > 2 ? argv[2] : "";
  const ridge::compare::Tolerance fixed{0.05, false, 0, "rule"};
  const ridge::compare::Tolerance learned{0.01, true, 0, "default"};
  bool first = true;
  const auto table = [&](std::string_view title, const auto& print) {
    if (title.find(wanted) == std::string_view::npos) return;
    fmt::print("{}### {}\n\n", first ? "" : "\n", title);
    first = false;
    print();
  };
  using Sizes = std::vector<std::size_t>;
  const auto rates_of = [&](const Scenario& scenario, const Sizes& sizes) {
    return [=] { rates(scenario, sizes, scale); };
  };
  const auto rivals_of = [&](const Scenario& scenario) { return [=] { rivals(scenario, scale); }; };

  table("Noise of a fifth of the tolerance: deviation 1 %, tolerance max(5 %, 5 x noise)",
        rates_of(equal(0.01, {}), {1, 10, 100, 1000}));
  table("Unlike noise up to a fifth of the tolerance: deviations of 0.1 to 1 %, tolerance fixed at 5 %",
        rates_of(mixed(0.01, fixed), {10, 100, 1000}));
  table("Learned tolerances: deviations of 0.3 to 3 %, tolerance max(1 %, 5 x noise)",
        rates_of(mixed(0.03, learned), {10, 100}));
  table("The same with --retry 1", rates_of(retried(mixed(0.03, learned)), {10, 100}));
  table("The same from 30 baseline runs, without --retry",
        rates_of(from_baseline_of(30, mixed(0.03, learned)), {10, 100}));
  table("Noise as large as the tolerance: deviation 5 %, tolerance fixed at 5 %",
        rates_of(equal(0.05, fixed), {10, 100}));
  table("Other methods, noise up to a fifth of the tolerance: deviations of 0.1 to 1 %, fixed at 5 %, 100 metrics",
        rivals_of(mixed(0.01, fixed)));
  table("Other methods, calm: deviations of 0.3 to 3 %, tolerance max(1 %, 5 x noise), 100 metrics",
        rivals_of(mixed(0.03, learned)));
  table("Other methods, calm, from 30 baseline runs: otherwise as above",
        rivals_of(from_baseline_of(30, mixed(0.03, learned))));
  table("Other methods, noisy: deviations of 1 to 10 %, tolerance max(5 %, 5 x noise), 100 metrics",
        rivals_of(mixed(0.10, {})));
  table("Smallest detectable slowdown, in standard deviations between runs: as many base as new runs",
        [&] { detectable(true, scale); });
  table("Smallest detectable slowdown, in standard deviations between runs: 10 base runs",
        [&] { detectable(false, scale); });
  return 0;
}
