// The order in which (case, round) pairs are measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ridge::bench {

struct Turn {
  std::size_t member = 0;  // which case of the window
  int round = 0;
};

// Rounds one after the other, the cases of each in an order of its own drawn from `seed`: whatever drifts during a run
// then meets every case alike, and a run that is cut short has all cases within one sample of each other. The same on
// every platform: SplitMix64 with Fisher and Yates' shuffle.
std::vector<Turn> make_order(std::size_t members, int rounds, std::uint64_t seed);

}  // namespace ridge::bench
