// How the blocked product divides the matrices.
#pragma once

#include <cstdint>

#include "kernels/gemm/gemm.hpp"

namespace ridge::gemm {

inline constexpr std::int64_t tile_rows = 6;
// Bytes of A's block (second level), its depth in bytes (a sliver of B this deep stays in the first level), and columns
// of B packed at a time (third level).
inline constexpr std::int64_t depth_bytes = 2048;
inline constexpr std::int64_t block_rows = 96;
inline constexpr std::int64_t panel_columns = 1024;
static_assert(block_rows % tile_rows == 0);
static_assert(panel_columns % column_block == 0);

// Packed elements, as wide as a T.
template <class T>
inline constexpr std::int64_t depth = depth_bytes / static_cast<std::int64_t>(sizeof(T));

}  // namespace ridge::gemm
