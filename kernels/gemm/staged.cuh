// What the steps whose copies run while the block computes have in common: two stages of shared memory, one of which is
// filled 16 bytes at a time past the registers (cp.async) while the other is multiplied.
#pragma once

#include "kernels/gemm/async.cuh"
#include "kernels/gemm/gemm_kernels.hpp"

namespace ridge::gemm {

constexpr int staged_side = 128;  // of a block's square of C
constexpr int staged_threads = 256;

// How many elements a copy of 16 bytes has.
template <class Element>
constexpr int copy_width = 16 / static_cast<int>(sizeof(Element));

// A block's part of A and B for `depth` of k. Rows lie `gap` elements further apart than they are long.
template <class Element, int depth, int gap_of_a, int gap_of_b>
struct Stage {
  Element a[staged_side][depth + gap_of_a];  // rows of C, part of k
  Element b[depth][staged_side + gap_of_b];  // part of k, columns of C
};

template <class Element>
struct Operands {
  const Element* a;  // (m, k)
  const Element* b;  // (k, n)
  int m, n, k;
  Tile tile;
  bool wide;  // rows begin at multiples of 16 bytes

  __device__ Operands(const void* of_a, const void* of_b, int rows, int columns, int inner)
      : a(static_cast<const Element*>(of_a)),
        b(static_cast<const Element*>(of_b)),
        m(rows),
        n(columns),
        k(inner),
        tile(tile_of_block<staged_side, staged_side>(columns)),
        wide(inner % copy_width<Element> == 0 && columns % copy_width<Element> == 0) {}
};

// 16 bytes of row `row` of (rows, columns) from `column` on; what lies outside is zero.
template <class Element>
__device__ void copy_piece(Element* dst, const Element* src, int row, int column, int rows, int columns, bool wide) {
  const Element* const from = src + static_cast<std::int64_t>(row) * columns + column;
  if (wide) {
    const bool real = row < rows && column < columns;
    copy_async<16>(dst, real ? from : src, real);
    return;
  }
#pragma unroll
  for (int i = 0; i < copy_width<Element>; ++i) {
    const bool real = row < rows && column + i < columns;
    if constexpr (sizeof(Element) >= 4)  // cp.async moves 4 bytes and more
      copy_async<sizeof(Element)>(dst + i, real ? from + i : src, real);
    else
      dst[i] = real ? from[i] : Element{};
  }
}

template <class Element, int depth, int gap_of_a, int gap_of_b>
__device__ void fetch(Stage<Element, depth, gap_of_a, gap_of_b>& stage, const Operands<Element>& o, int first) {
  constexpr int width = copy_width<Element>;
#pragma unroll
  for (int i = 0; i < staged_side * depth / width; i += staged_threads) {
    const auto [row, piece] = slot<depth / width>(threadIdx.x + i);
    const int l = piece * width;
    copy_piece(&stage.a[row][l], o.a, o.tile.row + row, first + l, o.m, o.k, o.wide);
  }
#pragma unroll
  for (int i = 0; i < staged_side * depth / width; i += staged_threads) {
    const auto [l, piece] = slot<staged_side / width>(threadIdx.x + i);
    const int column = piece * width;
    copy_piece(&stage.b[l][column], o.b, first + l, o.tile.column + column, o.k, o.n, o.wide);
  }
}

// Calls multiply(stage) for all of k, `depth` at a time, while the next stage is on its way.
template <class Element, int depth, int gap_of_a, int gap_of_b, class Multiply>
__device__ void in_stages(Stage<Element, depth, gap_of_a, gap_of_b> (&stages)[2], const Operands<Element>& o,
                          Multiply multiply) {
  if (o.k > 0) fetch(stages[0], o, 0);
  commit_copies();
#pragma unroll 1
  for (int first = 0, now = 0; first < o.k; first += depth, now ^= 1) {
    if (first + depth < o.k) fetch(stages[now ^ 1], o, first + depth);
    commit_copies();
    wait_copies<1>();
    __syncthreads();
    multiply(stages[now]);
    __syncthreads();
  }
}

}  // namespace ridge::gemm
