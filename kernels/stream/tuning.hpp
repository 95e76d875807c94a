// The numbers that make the stream kernels fast, in one place, with what they were chosen for.
#pragma once

#include <cstdint>

namespace ridge::stream {

// Bytes of a line, in which non-temporal stores are combined on every x86-64 and almost every AArch64 core.
inline constexpr std::int64_t cache_line = 64;

// A long range is walked at four places at once, each a quarter of it on its own. One walk keeps a single prefetcher
// and a few memory banks busy. What four bring depends on the machine: on two Zen 3 server cores whose memory was
// shared with neighbours, read gained 6 to 45 %, copy 4 to 26 %, dot about 15 %, triad 2 to 13 %; eight no more than
// four. Below the size of a private cache there is nothing to gain, and short ranges should stay simple.
inline constexpr std::int64_t walks = 4;
inline constexpr bool long_range(std::int64_t bytes) {
  return bytes >= std::int64_t{1} << 20;
}

// How far ahead of each walk `read` prefetches, bytes. Worth a tenth with nothing but loads under way; kernels that
// store, or that read two arrays, gained nothing.
inline constexpr std::int64_t read_ahead = 1024;

}  // namespace ridge::stream
