// A way of judging that has a dial, such as a threshold: what it would do at every setting, and at those that would
// suit it best.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::study {

// In how many unchanged splits some metric alarmed, and how many planted slowdowns were not seen.
struct Score {
  std::uint64_t alarms = 0;
  std::uint64_t missed = 0;
};

// For each split the setting below which the dial alarms: of the whole unchanged report, and of the slowed metric.
struct Dial {
  std::string name;
  std::vector<double> unchanged;
  std::vector<double> planted;

  // What it scores at `setting`: a strength above it is an alarm.
  [[nodiscard]] Score at(double setting) const;
  // The fewest misses of any setting with at most that many alarms.
  [[nodiscard]] std::uint64_t missed_at_alarms(std::uint64_t alarms) const;
  // The fewest alarms of any setting with at most that many misses.
  [[nodiscard]] std::uint64_t alarms_at_missed(std::uint64_t missed) const;
};

}  // namespace ridge::study
