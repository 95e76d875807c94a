// The promised error rates, by simulation with fixed seeds: counts against bounds that a correct rule passes with room.
#include <catch2/catch.hpp>
#include <cmath>

#include "reports/compare/study/rivals.hpp"
#include "reports/compare/study/trial.hpp"

using namespace ridge::study;

namespace {

// The largest count that a true rate of `rate` gives in all but about one of a thousand cases.
double bound(double rate, std::uint64_t trials) {
  const double expected = rate * static_cast<double>(trials);
  return expected + 3.1 * std::sqrt(expected) + 1;
}

}  // namespace

TEST_CASE("noise of a fifth of the tolerance: an unchanged report alarms in at most 1 % of trials") {
  for (const Noise noise : issue_noises)
    for (const std::size_t metrics : {1, 10, 100}) {
      Scenario scenario;
      scenario.noise = noise;
      scenario.metrics = metrics;
      const std::uint64_t trials = metrics == 100 ? 100 : 500;
      INFO(to_string(noise) << ", " << metrics << " metrics");
      CHECK(static_cast<double>(false_alarms(scenario, trials, 11).gate) <= bound(0.01, trials));
    }
}

TEST_CASE("noise of a fifth of the tolerance: a slowdown of twice the tolerance is caught in at least 95 % of trials") {
  for (const Noise noise : issue_noises)
    for (const std::size_t metrics : {1, 10, 100}) {
      Scenario scenario;
      scenario.noise = noise;
      scenario.metrics = metrics;
      const std::uint64_t trials = metrics == 100 ? 100 : 500;
      INFO(to_string(noise) << ", " << metrics << " metrics");
      CHECK(static_cast<double>(misses(scenario, trials, 12).gate) <= bound(0.05, trials));
    }
}

TEST_CASE("noise as large as a fixed tolerance: still no false alarms, and what is not seen is mostly undecided") {
  for (const Noise noise : {Noise::normal, Noise::log_normal, Noise::heavy, Noise::bimodal}) {
    Scenario scenario;
    scenario.noise = noise;
    scenario.deviation = 0.05;
    scenario.tolerance = {0.05, false, 0, "rule"};
    INFO(to_string(noise));
    CHECK(static_cast<double>(false_alarms(scenario, 500, 13).gate) <= bound(0.01, 500));
    const Counts missed = misses(scenario, 500, 14);
    CHECK(static_cast<double>(missed.gate - missed.undecided) <= bound(0.05, 500));
  }
}

TEST_CASE("metrics of very different noise share one prior without alarming") {
  Scenario scenario;
  scenario.metrics = 100;
  scenario.deviation = 0.03;
  scenario.mixed = true;
  scenario.tolerance = {0.01, true, 0, "default"};
  CHECK(static_cast<double>(false_alarms(scenario, 300, 15).gate) <= bound(0.01, 300));
  CHECK(static_cast<double>(misses(scenario, 300, 16).gate) <= bound(0.05, 300));
}

TEST_CASE("the stated smallest detectable change is caught in about 95 % of trials, and falls with runs") {
  CHECK(smallest_detectable(10, 1, 1, 10, 17) == 0);
  const double few = smallest_detectable(10, 5, 3, 300, 17);
  const double more = smallest_detectable(10, 20, 3, 300, 17);
  CHECK(few > more);
  Scenario scenario;
  scenario.deviation = 1e-3;
  scenario.tolerance = {1e-9, false, 0, "rule"};
  scenario.planted = smallest_detectable(10, 10, 3, 500, 17) * scenario.deviation / scenario.tolerance.relative;
  const double missed = static_cast<double>(misses(scenario, 1000, 18).gate) / 1000;
  CHECK(missed < 0.07);
  CHECK(missed > 0.01);
}

TEST_CASE("the rivals judge as their originals do") {
  const std::vector<double> ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK(mann_whitney(ten, std::vector<double>{11, 12, 13}) == Approx(2.0 / 286));
  CHECK(mann_whitney_alarm(ten, std::vector<double>{11, 12, 13}));
  CHECK_FALSE(mann_whitney_alarm(ten, std::vector<double>{-1, -2, -3}));  // faster is no alarm
  CHECK(threshold_alarm(std::vector<double>{100}, std::vector<double>{106}, 0.05));
  CHECK_FALSE(threshold_alarm(std::vector<double>{100}, std::vector<double>{104}, 0.05));
  CHECK(threshold_strength(std::vector<double>{100, 90, 110}, std::vector<double>{106}) == Approx(1.06));
  CHECK(deviations_strength(std::vector<double>{9, 11, 10}, std::vector<double>{12, 14}) == Approx(3));
  CHECK(deviations_strength(std::vector<double>{9, 11, 10}, std::vector<double>{9, 10}) < -1e300);
  CHECK(mann_whitney_strength(ten, std::vector<double>{11, 12, 13}) == Approx(std::log(143)));
  CHECK(mann_whitney_strength(ten, std::vector<double>{-1, -2, -3}) < -1e300);
}
