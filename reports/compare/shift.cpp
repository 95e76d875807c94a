// The common movement of a report, if there is one.
#include "reports/compare/shift.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "reports/compare/median.hpp"

namespace ridge::compare {

bool moves_with(const Moved& moved, double shift) {
  const double slack = std::max(std::abs(shift) / 2, 3 * moved.error);
  return moved.slowdown * shift > 0 && std::abs(moved.slowdown - shift) <= slack;
}

std::optional<double> uniform_shift(std::span<const Moved> all) {
  constexpr std::size_t fewest = 5;
  constexpr double share = 0.8;
  if (all.size() < fewest) return std::nullopt;
  std::vector<double> slowdowns;
  std::vector<double> tolerances;
  for (const Moved& each : all) {
    slowdowns.push_back(each.slowdown);
    tolerances.push_back(each.tolerance);
  }
  const double shift = median_of(std::move(slowdowns));
  if (std::abs(shift) <= median_of(std::move(tolerances)) / 2) return std::nullopt;
  const auto together =
      std::count_if(all.begin(), all.end(), [&](const Moved& each) { return moves_with(each, shift); });
  if (static_cast<double>(together) < share * static_cast<double>(all.size())) return std::nullopt;
  return shift;
}

}  // namespace ridge::compare
