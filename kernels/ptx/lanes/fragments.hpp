// Which element of a matrix a register of a lane holds, for mma.sync and (by our own choice, the manual leaves it open)
// for wmma. g = lane / 4 and t = lane % 4 as in the manual's figures.
#pragma once

#include "kernels/ptx/arith/bits.hpp"

namespace ridge::ptx {

struct Place2 {
  int row, column;
};

/// Registers of one lane that hold a rows × columns matrix of elements of `element_bits`.
RIDGE_PTX_INLINE int fragment_registers(int rows, int columns, int element_bits) {
  const int n = rows * columns * element_bits / (element_bits == 64 ? 64 : 32) / 32;
  return n > 0 ? n : 1;
}

/// A (M×K), row-major: 16-row tiles alternate between row g and row g + 8.
RIDGE_PTX_INLINE Place2 place_in_a(int m, int k, int element_bits, int lane, int r, int e) {
  const int per_word = element_bits == 64 ? 1 : 32 / element_bits, g = lane >> 2, t = lane & 3;
  const int tile = m >= 16 ? 16 : 8, per_tile = fragment_registers(tile, k, element_bits);
  const int block = r / per_tile, s = r % per_tile;
  if (tile == 16) return {block * 16 + g + 8 * (s & 1), t * per_word + (s >> 1) * 4 * per_word + e};
  return {block * 8 + g, t * per_word + s * 4 * per_word + e};
}

/// B (K×N), column-major: 8-column tiles.
RIDGE_PTX_INLINE Place2 place_in_b(int k, int element_bits, int lane, int r, int e) {
  const int per_word = element_bits == 64 ? 1 : 32 / element_bits, g = lane >> 2, t = lane & 3;
  const int per_tile = fragment_registers(k, 8, element_bits);
  const int block = r / per_tile, s = r % per_tile;
  return {t * per_word + s * 4 * per_word + e, block * 8 + g};
}

/// C and D (M×N): element e of the lane.
RIDGE_PTX_INLINE Place2 place_in_c(int m, int lane, int e) {
  const int g = lane >> 2, t = lane & 3;
  if (m < 16) return {g, (e >> 1) * 8 + t * 2 + (e & 1)};
  const int s = e & 3, block = e >> 2;
  const int row_tile = m == 32 ? block : 0, column_tile = m == 32 ? 0 : block;
  return {row_tile * 16 + g + 8 * (s >> 1), column_tile * 8 + t * 2 + (s & 1)};
}

}  // namespace ridge::ptx
