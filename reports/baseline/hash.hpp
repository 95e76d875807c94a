// A hash that is the same everywhere and always, for names of files and folders.
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge::baseline {

// FNV-1a, 64 bits, folded to 32.
constexpr std::uint32_t short_hash(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 1099511628211ULL;
  return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

}  // namespace ridge::baseline
