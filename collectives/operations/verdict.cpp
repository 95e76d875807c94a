// Adding up what ranks found.
#include "collectives/operations/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::bench::collective {

record::Verification verdict(const std::vector<std::int64_t>& wrong, std::int64_t checked) {
  std::int64_t all = 0;
  for (const std::int64_t each : wrong) all += each;
  record::Verification result;
  result.checked = checked;
  result.max_error = 0;
  result.bound = 0;
  result.status = all == 0 ? record::Check::passed : record::Check::failed;
  const auto worst = std::max_element(wrong.begin(), wrong.end());
  if (all > 0)
    result.reason =
        fmt::format("{} elements wrong or touched, most of them ({}) of rank {}", all, *worst, worst - wrong.begin());
  return result;
}

record::Verification verdict(const std::vector<std::vector<collectives::Passage>>& passages) {
  record::Verification result;
  const std::int64_t early = collectives::left_early(passages);
  for (const auto& each : passages) result.checked += static_cast<std::int64_t>(each.size());
  result.status = early == 0 ? record::Check::passed : record::Check::failed;
  if (early > 0) result.reason = fmt::format("the barrier was left {} times before the last rank had come", early);
  return result;
}

}  // namespace ridge::bench::collective
