// Settings worth trying are the strengths themselves: between two of them nothing changes.
#include "reports/compare/study/dial.hpp"

#include <algorithm>
#include <limits>

namespace ridge::study {
namespace {

std::uint64_t above(const std::vector<double>& strengths, double setting) {
  return static_cast<std::uint64_t>(
      std::count_if(strengths.begin(), strengths.end(), [&](double each) { return each > setting; }));
}

std::vector<double> settings(const Dial& dial) {
  std::vector<double> all = dial.unchanged;
  all.insert(all.end(), dial.planted.begin(), dial.planted.end());
  all.push_back(-std::numeric_limits<double>::infinity());
  return all;
}

}  // namespace

Score Dial::at(double setting) const {
  return {above(unchanged, setting), planted.size() - above(planted, setting)};
}

std::uint64_t Dial::missed_at_alarms(std::uint64_t alarms) const {
  std::uint64_t fewest = planted.size();
  for (const double setting : settings(*this)) {
    const Score score = at(setting);
    if (score.alarms <= alarms) fewest = std::min(fewest, score.missed);
  }
  return fewest;
}

std::uint64_t Dial::alarms_at_missed(std::uint64_t missed) const {
  std::uint64_t fewest = unchanged.size();
  for (const double setting : settings(*this)) {
    const Score score = at(setting);
    if (score.missed <= missed) fewest = std::min(fewest, score.alarms);
  }
  return fewest;
}

}  // namespace ridge::study
