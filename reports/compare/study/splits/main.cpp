// gate_splits: packs a folder of reports into a line a metric (--pack FOLDER), or judges random splits of such a file.
#include <fmt/format.h>

#include <boost/math/distributions/beta.hpp>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "reports/compare/study/recorded.hpp"
#include "reports/inputs/load.hpp"
#include "reports/json/read.hpp"

using namespace ridge;

namespace {

// Clopper–Pearson, 95 %, as if the splits were independent, which they are not: they share the same runs.
std::string rate(std::uint64_t count, std::uint64_t of) {
  const auto k = static_cast<double>(count);
  const auto n = static_cast<double>(of);
  const double low = count == 0 ? 0 : quantile(boost::math::beta_distribution<>(k, n - k + 1), 0.025);
  const double high = count == of ? 1 : quantile(boost::math::beta_distribution<>(k + 1, n - k), 0.975);
  return fmt::format("{:.1f} % [{:.1f}, {:.1f}]", 100 * k / n, 100 * low, 100 * high);
}

// The rivals set as these very splits would have them, beside the gate, which was set beforehand.
std::string tuned_rows(const char* tolerance, const study::Splits& s) {
  std::string rows = fmt::format("| gate, tolerance {} | {} | {} |\n", tolerance, rate(s.gate.missed, s.splits),
                                 rate(s.gate.alarms, s.splits));
  for (const study::Dial& dial : s.dials)
    rows += fmt::format("| {}, against 2 x {} | {} | {} |\n", dial.name, tolerance,
                        rate(dial.missed_at_alarms(s.gate.alarms), s.splits),
                        rate(dial.alarms_at_missed(s.gate.missed), s.splits));
  return rows;
}

void judge_splits(const std::vector<study::Recorded>& metrics) {
  constexpr std::uint64_t count = 1000;
  constexpr std::uint64_t seed = 20240601;
  fmt::print("{} metrics, {} runs, {} random splits of 10 against 3\n\n", metrics.size(), metrics.front().values.size(),
             count);
  fmt::print("| method | alarms of unchanged splits | misses of 2 x tolerance |\n|---|--:|--:|\n");
  const auto row = [&](const std::string& name, const study::Score& score) {
    fmt::print("| {} | {} | {} |\n", name, rate(score.alarms, count), rate(score.missed, count));
  };
  const std::pair<const char*, compare::Tolerance> tolerances[] = {{"max(5 %, 5 x noise)", {}},
                                                                   {"fixed 5 %", {0.05, false, 0, "rule"}}};
  std::string tuned;
  for (const auto& [name, tolerance] : tolerances) {
    const auto s = study::random_splits(metrics, 10, 3, count, tolerance, seed);
    row(fmt::format("gate, tolerance {}; undecided: {} of unchanged, {} of planted", name, rate(s.undecided, count),
                    rate(s.missed_undecided, count)),
        s.gate);
    row(fmt::format("Mann-Whitney, against 2 x {}", name), s.mann_whitney);
    row(fmt::format("5 % threshold, against 2 x {}", name), s.five_percent);
    row(fmt::format("10 % threshold, against 2 x {}", name), s.ten_percent);
    tuned += tuned_rows(name, s);
  }
  fmt::print(
      "\n| the same with its best setting in hindsight | misses with no more alarms than the gate | alarms with no "
      "more misses than the gate |\n|---|--:|--:|\n{}",
      tuned);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 3 && std::strcmp(argv[1], "--pack") == 0) {
    const std::string folder = argv[2];
    fmt::print("{}", study::to_text(study::recorded(inputs::load({&folder, 1}))));
  } else if (argc == 2) {
    judge_splits(study::parse_recorded(json::read_text_file(argv[1])));
  } else {
    fmt::print(stderr, "gate_splits --pack FOLDER | gate_splits FILE\n");
    return 2;
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "gate_splits: {}\n", error.what());
  return 2;
}
