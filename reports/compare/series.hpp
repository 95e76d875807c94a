// What the judgement takes and gives: one metric's values by run, and the verdict on them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/unit.hpp"

namespace ridge::compare {

enum class Verdict { same, improved, regressed, undecided, missing, added, not_comparable, invalid };
std::string_view to_string(Verdict verdict);  // `added` is "new"

// The least tolerance of a metric that is a ratio of two from one run, as a speed-up is: what slows all of a run
// cancels.
inline constexpr double ratio_tolerance = 0.02;

// How much worse a metric may become. A slowdown of 0.05 takes 1.05 times as long, or has its rate divided by 1.05.
struct Tolerance {
  double relative = 0.05;
  bool learned = true;  // the larger of `relative` and noise_factor × the baseline's noise; else `relative`
  double absolute = 0;  // in the metric's unit; a change smaller than this is none
  std::string source = "default";
};

struct Series {
  std::vector<double> base;  // one value a run, each > 0, in the order of time
  std::vector<double> fresh;
  record::Better better = record::Better::lower;
  Tolerance tolerance;
};

struct Settings {
  double false_alarms = 0.01;  // for the whole report
  double noise_factor = 5;     // of a learned tolerance: noise at a fifth of the tolerance can be gated
  double implausible = 3;      // an improvement beyond this factor is invalid
};

struct Judgement {
  Verdict verdict = Verdict::undecided;
  std::string reason;  // empty where the figures say it all
  double base = 0;     // median over runs
  double fresh = 0;
  double slowdown = 0;          // worse: > 0. (time ratio − 1, or inverse rate ratio − 1)
  std::optional<double> lower;  // of the slowdown, two-sided 95 %
  std::optional<double> upper;
  std::optional<double> detectable;  // smallest slowdown caught in 95 % of trials, at the report's false-alarm rate
  std::optional<double> noise;       // relative between-run standard deviation, moderated
  double tolerance = 0;              // as a slowdown, after learning
  double probability = 1;            // of so bad a result when nothing changed; not corrected
  bool uniform_shift = false;        // moved along with everything else
};

}  // namespace ridge::compare
