// How the matrix instructions of warpgroups (wgmma) and of tensor memory (tcgen05) are told where their operands lie in
// shared memory and of what kind they are: the PTX manual's "matrix descriptor" and "instruction descriptor".
//
// Both operands are K-major without swizzling, the plainest of the manual's layouts: rows of 16 bytes of K, eight rows
// to a core matrix of 128 bytes in a run. In 16 bytes,
//
//   piece (row, chunk) of a tile of `rows` rows lies at chunk · rows + row          chunk = byte of K / 16
//
// so the next eight rows are 128 bytes on (the stride offset) and the next 16 bytes of K are 16 · rows on (the leading
// offset). One instruction takes a slab of two chunks, 32 bytes of K, whatever the type.
#pragma once

#include <cstdint>

#include "kernels/device/cuda/on_both.hpp"

namespace ridge::roofline {

inline constexpr int piece_bytes = 16;
inline constexpr int slab_bytes = 32;                           // of K, that one instruction multiplies
inline constexpr int tile_slabs = 2;                            // that a block holds
inline constexpr int tile_chunks = 2 * tile_slabs;              // of 16 bytes, in a row
inline constexpr int tile_row_bytes = tile_slabs * slab_bytes;  // of a row
inline constexpr int core_rows = 8;

// In pieces, from the tile's beginning.
RIDGE_ON_BOTH constexpr int piece_at(int row, int chunk, int rows) {
  return chunk * rows + row;
}

// A number of bytes as descriptors hold it: 14 bits, in units of 16 (matrix-descriptor-encode).
RIDGE_ON_BOTH constexpr std::uint64_t in_sixteens(std::uint32_t bytes) {
  return (bytes & 0x3ffffU) >> 4;
}

// wgmma: bits 0-13 the address of the first piece, 16-29 the leading offset, 32-45 the stride offset, 49-51 the base
// offset (0: patterns begin where their size divides the address), 62-63 the swizzling (0: none).
RIDGE_ON_BOTH constexpr std::uint64_t wgmma_descriptor(std::uint32_t address, int rows) {
  return in_sixteens(address) | in_sixteens(static_cast<std::uint32_t>(rows * piece_bytes)) << 16 |
         in_sixteens(core_rows * piece_bytes) << 32;
}

// tcgen05: the same, with the constant 1 in bits 46-48, a relative leading offset (bit 52: 0) and the swizzling in bits
// 61-63 (0: none).
RIDGE_ON_BOTH constexpr std::uint64_t tcgen05_descriptor(std::uint32_t address, int rows) {
  return wgmma_descriptor(address, rows) | std::uint64_t{1} << 46;
}

// How tcgen05 numbers types: in the field of D, and in those of A and B.
struct Tcgen05Types {
  std::uint32_t sums;  // 1: f32, 2: s32
  std::uint32_t
      operands;  // kind::f16 has f16 0, bf16 1; kind::tf32 has tf32 2; kind::f8f6f4 has e4m3 0; kind::i8 has s8 1
};

// tcgen05: bits 4-5 the type of D, 7-9 of A, 10-12 of B, 17-22 N / 8, 24-28 M / 16; 0 elsewhere: dense, not negated,
// neither transposed, whole numbers wrap.
RIDGE_ON_BOTH constexpr std::uint32_t tcgen05_kind(Tcgen05Types types, int m, int n) {
  return types.sums << 4 | types.operands << 7 | types.operands << 10 | static_cast<std::uint32_t>(n / 8) << 17 |
         static_cast<std::uint32_t>(m / 16) << 24;
}

}  // namespace ridge::roofline
