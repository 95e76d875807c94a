// The numbers that make the stream kernels fast, in one place, with what they were chosen for.
#pragma once

#include <cstdint>

namespace ridge::stream {

// Bytes of a line, in which non-temporal stores are combined on every x86-64 and almost every AArch64 core.
inline constexpr std::int64_t cache_line = 64;

}  // namespace ridge::stream
