// The transpose of a square matrix: out[j][i] = in[i][j], both (n, n), row-major, of 4-byte elements.
//
//   naive     rows are read and columns written: each store of a neighbour goes to another line or sector
//   tiled     32 × 32 elements at a time; on a GPU through shared memory, whose columns all lie in one bank
//   padded    as tiled, with rows of 33 elements in shared memory: a column lies in 32 banks. On a CPU through such a
//             buffer in the first-level cache: rows a power of two apart meet in few of its sets, and in a buffer not
//   swizzled  as tiled, with element (r, c) kept at (r, c ⊕ r): the same without the 33rd column; not on a CPU
//
// Each element of the matrices is read and written once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ridge::transpose {

enum class Variant { naive, tiled, padded, swizzled };
inline constexpr std::array<std::string_view, 4> variant_names{"naive", "tiled", "padded", "swizzled"};
std::optional<Variant> variant_from(std::string_view text);

inline constexpr std::int64_t tile = 32;

// Rows [begin, end) of `out` on one thread of a CPU; all but swizzled.
void cpu_transpose(Variant variant, const std::uint32_t* in, std::uint32_t* out, std::int64_t n, std::int64_t begin,
                   std::int64_t end);

// The element at (row, column) of what is transposed: all differ in a matrix below 2^16 × 2^16.
inline std::uint32_t element(std::int64_t row, std::int64_t column, std::int64_t n) {
  return static_cast<std::uint32_t>(row * n + column) * 0x9E3779B1U;
}

}  // namespace ridge::transpose
