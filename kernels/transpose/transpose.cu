// The transposes on the GPU: a block moves a tile of 32 × 32 elements, eight rows at a time.
#include "kernels/transpose/transpose_kernels.hpp"

namespace {

constexpr int tile = 32;
constexpr int rows = 8;

struct Place {
  std::int64_t row, column;  // of the tile's first element in `in`
  int x, y;                  // of this thread in the tile
};

__device__ Place place(std::int64_t n) {
  const auto tiles = static_cast<unsigned>((n + tile - 1) / tile);  // in a row; the grid holds their square
  return {std::int64_t{blockIdx.x / tiles} * tile, std::int64_t{blockIdx.x % tiles} * tile,
          static_cast<int>(threadIdx.x % tile), static_cast<int>(threadIdx.x / tile)};
}

__device__ void naive(const std::uint32_t* __restrict__ in, std::uint32_t* __restrict__ out, std::int64_t n) {
  const Place at = place(n);
#pragma unroll
  for (int step = 0; step < tile / rows; ++step) {
    const int y = at.y + step * rows;
    const std::int64_t row = at.row + y;
    const std::int64_t column = at.column + at.x;
    if (row < n && column < n) out[column * n + row] = in[row * n + column];
  }
}

// Where element (row, column) of the tile is kept.
template <int width, bool swizzle>
__device__ int slot(int row, int column) {
  return row * width + (swizzle ? column ^ row : column);
}

template <int width, bool swizzle>
__device__ void through_shared(const std::uint32_t* __restrict__ in, std::uint32_t* __restrict__ out, std::int64_t n) {
  __shared__ std::uint32_t kept[tile * width];
  const Place at = place(n);
#pragma unroll
  for (int step = 0; step < tile / rows; ++step) {
    const int y = at.y + step * rows;
    const std::int64_t row = at.row + y;
    const std::int64_t column = at.column + at.x;
    if (row < n && column < n) kept[slot<width, swizzle>(y, at.x)] = in[row * n + column];
  }
  __syncthreads();
#pragma unroll
  for (int step = 0; step < tile / rows; ++step) {
    const int y = at.y + step * rows;
    const std::int64_t row = at.column + y;  // of out
    const std::int64_t column = at.row + at.x;
    if (row < n && column < n) out[row * n + column] = kept[slot<width, swizzle>(at.x, y)];
  }
}

}  // namespace

extern "C" __global__ void transpose_naive(const std::uint32_t* in, std::uint32_t* out, std::int64_t n) {
  naive(in, out, n);
}
extern "C" __global__ void transpose_tiled(const std::uint32_t* in, std::uint32_t* out, std::int64_t n) {
  through_shared<tile, false>(in, out, n);
}
extern "C" __global__ void transpose_padded(const std::uint32_t* in, std::uint32_t* out, std::int64_t n) {
  through_shared<tile + 1, false>(in, out, n);
}
extern "C" __global__ void transpose_swizzled(const std::uint32_t* in, std::uint32_t* out, std::int64_t n) {
  through_shared<tile, true>(in, out, n);
}

RIDGE_KERNEL_MATCHES(transpose_naive, ridge::transpose::cuda_naive);
RIDGE_KERNEL_MATCHES(transpose_tiled, ridge::transpose::cuda_tiled);
RIDGE_KERNEL_MATCHES(transpose_padded, ridge::transpose::cuda_padded);
RIDGE_KERNEL_MATCHES(transpose_swizzled, ridge::transpose::cuda_swizzled);
