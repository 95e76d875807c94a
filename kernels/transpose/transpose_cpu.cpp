// The transposes on a CPU.
#include <algorithm>

#include "kernels/transpose/transpose.hpp"

namespace ridge::transpose {
namespace {

// Rows [begin, end) and columns [left, right) of out.
void piece(const std::uint32_t* in, std::uint32_t* out, std::int64_t n, std::int64_t begin, std::int64_t end,
           std::int64_t left, std::int64_t right) {
  for (std::int64_t j = begin; j < end; ++j)
    for (std::int64_t i = left; i < right; ++i) out[j * n + i] = in[i * n + j];
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
    for (std::int64_t i = 0; i < n; i += tile) piece(in, out, n, j, std::min(end, j + tile), i, std::min(n, i + tile));
}

}  // namespace ridge::transpose
