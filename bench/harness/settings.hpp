// How cases are measured, whatever they are: rounds, time, order, data, caches.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "bench/harness/definition.hpp"

namespace ridge::bench {

// warm: repetitions back to back in one interval. cold: one repetition per interval, caches flushed before each.
enum class CachePolicy { warm, cold };

struct Settings {
  int rounds = 5;
  double min_time = 0.02;  // seconds that a sample's interval lasts at least (warm)
  std::uint64_t seed = 1;  // of the order of (case, round) pairs and of the data
  Fill fill = Fill::random;
  CachePolicy cache = CachePolicy::warm;
  std::optional<double> timeout;  // seconds for the whole run
};

std::string_view to_string(Fill fill);
std::string_view to_string(CachePolicy policy);

}  // namespace ridge::bench
