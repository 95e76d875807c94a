// For tests: passages of ranks as they would be, and one of them late.
#pragma once

#include "collectives/family/arrivals.hpp"

namespace ridge::bench::collective {

// `ranks` ranks that take `time` and come together, n times, each with a clock of its own.
inline Passages together(int ranks, double time, std::size_t n = 16) {
  Passages all(static_cast<std::size_t>(ranks));
  for (std::size_t r = 0; r < all.size(); ++r)
    for (std::size_t i = 0; i < n; ++i) {
      const double begin = 1000.0 * static_cast<double>(r) + static_cast<double>(i);
      all[r].push_back({begin, begin + time, 0.1 * time});
    }
  return all;
}

// The rank comes so much later, and the others wait for it.
inline void make_late(Passages& all, std::size_t rank, std::size_t passage, double seconds) {
  for (std::size_t r = 0; r < all.size(); ++r) {
    collectives::Passage& each = all[r][passage];
    each.left += seconds;
    if (r == rank)
      each.came += seconds;
    else
      each.waited += seconds;
  }
}

// Of two, one right after the other; `rank` 5 ms late in each, nobody where there is no such rank.
inline Passages with_late(std::size_t rank) {
  Passages passages = together(2, 1e-3);
  for (auto& each : passages)
    for (std::size_t i = 0; i < each.size(); ++i) {  // one right after the other
      each[i].left += 1.1e-3 * static_cast<double>(i) - static_cast<double>(i);
      each[i].came += 1.1e-3 * static_cast<double>(i) - static_cast<double>(i);
    }
  for (std::size_t i = 0; rank < 2 && i < passages[0].size(); ++i) make_late(passages, rank, i, 5e-3);
  return passages;
}

}  // namespace ridge::bench::collective
