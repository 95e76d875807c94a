// The transposes on a CPU.
#include <algorithm>
#include <bit>
#include <cstring>

#include "hwy/cache_control.h"
#include "kernels/transpose/transpose.hpp"

namespace ridge::transpose {
namespace {

// Asks for the lines of a tile's row.
void ahead(const std::uint32_t* row) {
  for (std::int64_t i = 0; i < tile; i += 64 / 4) hwy::Prefetch(row + i);
}

// Rows [begin, end) and columns [left, right) of out.
void piece(const std::uint32_t* in, std::uint32_t* out, std::int64_t n, std::int64_t begin, std::int64_t end,
           std::int64_t left, std::int64_t right) {
  for (std::int64_t j = begin; j < end; ++j)
    for (std::int64_t i = left; i < right; ++i) out[j * n + i] = in[i * n + j];
}

// Two neighbours in one store.
void put(std::uint32_t* at, std::uint32_t first, std::uint32_t second) {
  static_assert(std::endian::native == std::endian::little);
  const std::uint64_t both = first | static_cast<std::uint64_t>(second) << 32;
  std::memcpy(at, &both, sizeof(both));
}

// A tile by way of a buffer that stays in the first-level cache: rows of `in` come and rows of `out` leave by whole
// lines, however far apart they lie, and elements change places in between, where rows of 33 meet in no set. The next
// tile's rows are asked for meanwhile, as no prefetcher follows from one row to the next.
void through_buffer(const std::uint32_t* in, std::uint32_t* out, std::int64_t n, std::int64_t top, std::int64_t left) {
  std::uint32_t buffer[tile][tile + 1];
  for (std::int64_t i = 0; i < tile; ++i) std::memcpy(buffer[i], in + (left + i) * n + top, tile * sizeof(*in));
  const std::uint32_t* next = in + (left + tile) * n + top;
  for (std::int64_t j = 0; j < tile; ++j, next += n) {
    if (left + tile + j < n) ahead(next);
    std::uint32_t* const row = out + (top + j) * n + left;
    for (std::int64_t i = 0; i < tile; i += 2) put(row + i, buffer[i][j], buffer[i + 1][j]);
  }
}

}  // namespace

std::optional<Variant> variant_from(std::string_view text) {
  for (std::size_t i = 0; i < variant_names.size(); ++i)
    if (variant_names[i] == text) return static_cast<Variant>(i);
  return std::nullopt;
}

void cpu_transpose(Variant variant, const std::uint32_t* in, std::uint32_t* out, std::int64_t n, std::int64_t begin,
                   std::int64_t end) {
  if (variant == Variant::naive) return piece(in, out, n, begin, end, 0, n);
  for (std::int64_t j = begin; j < end; j += tile)
    for (std::int64_t i = 0; i < n; i += tile) {
      if (variant == Variant::padded && j + tile <= end && i + tile <= n)
        through_buffer(in, out, n, j, i);
      else
        piece(in, out, n, j, std::min(end, j + tile), i, std::min(n, i + tile));
    }
}

}  // namespace ridge::transpose
