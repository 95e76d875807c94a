// The first four steps to a fast product on the GPU, each one idea more, by plain loads and multiply-adds.
//
//   naive      a thread adds up one element; neighbouring threads have neighbouring rows: a warp's loads of A and
//   stores
//              of C lie a row apart
//   coalesced  neighbouring threads have neighbouring columns: a warp's loads of B are one line, those of A one element
//   tiled      a block brings tiles of 32 × 32 of A and B into shared memory, where 32 threads use each element
//   registers  a thread adds up 8 × 8 elements: of 16 that it takes from shared memory it makes 64 products
#include "kernels/gemm/async.cuh"
#include "kernels/gemm/gemm_kernels.hpp"

namespace {

using ridge::gemm::Slot;
using ridge::gemm::slot;
using ridge::gemm::Tile;
using ridge::gemm::tile_of_block;

__device__ std::int64_t at(int row, int column, int columns) {
  return static_cast<std::int64_t>(row) * columns + column;
}

__device__ void one_element(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int row,
                            int column, int m, int n, int k) {
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int l = 0; l < k; ++l) sum += a[at(row, l, k)] * b[at(l, column, n)];
  c[at(row, column, n)] = sum;
}

__device__ void tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n,
                      int k) {
  constexpr int side = 32;
  __shared__ float of_a[side][side];  // rows of C, part of k
  __shared__ float of_b[side][side];  // part of k, columns of C
  const auto [y, x] = slot<side>(threadIdx.x);
  const Tile tile = tile_of_block<side, side>(n);
  const int row = tile.row + y, column = tile.column + x;
  float sum = 0;
  for (int first = 0; first < k; first += side) {
    of_a[y][x] = row < m && first + x < k ? a[at(row, first + x, k)] : 0;
    of_b[y][x] = first + y < k && column < n ? b[at(first + y, column, n)] : 0;
    __syncthreads();
#pragma unroll
    for (int l = 0; l < side; ++l) sum += of_a[y][l] * of_b[l][x];
    __syncthreads();
  }
  if (row < m && column < n) c[at(row, column, n)] = sum;
}

// Rows y, y + 16, … and columns x, x + 16, … of the tile are a thread's: a warp then reads neighbouring words.
__device__ void registers(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n,
                          int k) {
  constexpr int side = 128, depth = 8, each = 8, apart = side / each, threads = apart * apart;
  constexpr int pad = 4;  // threads that store a column of A's tile meet no bank twice
  __shared__ float of_a[depth][side + pad];
  __shared__ float of_b[depth][side];
  const auto [y, x] = slot<apart>(threadIdx.x);
  const Tile tile = tile_of_block<side, side>(n);
  float sum[each][each] = {};
  for (int first = 0; first < k; first += depth) {
#pragma unroll
    for (int i = 0; i < side * depth; i += threads) {
      const auto [row, l] = slot<depth>(threadIdx.x + i);
      of_a[l][row] = tile.row + row < m && first + l < k ? a[at(tile.row + row, first + l, k)] : 0;
    }
#pragma unroll
    for (int i = 0; i < side * depth; i += threads) {
      const auto [l, column] = slot<side>(threadIdx.x + i);
      of_b[l][column] = first + l < k && tile.column + column < n ? b[at(first + l, tile.column + column, n)] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int l = 0; l < depth; ++l) {
      float left[each], right[each];
#pragma unroll
      for (int i = 0; i < each; ++i) left[i] = of_a[l][y + i * apart];
#pragma unroll
      for (int j = 0; j < each; ++j) right[j] = of_b[l][x + j * apart];
#pragma unroll
      for (int i = 0; i < each; ++i)
#pragma unroll
        for (int j = 0; j < each; ++j) sum[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < each; ++i)
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const int row = tile.row + y + i * apart, column = tile.column + x + j * apart;
      if (row < m && column < n) c[at(row, column, n)] = sum[i][j];
    }
}

}  // namespace

extern "C" __global__ void gemm_naive(const void* a, const void* b, float* c, std::int32_t m, std::int32_t n,
                                      std::int32_t k) {
  const Tile tile = tile_of_block<32, 8>(n);
  const Slot at = slot<32>(threadIdx.x);
  one_element(static_cast<const float*>(a), static_cast<const float*>(b), c, tile.row + at.column, tile.column + at.row,
              m, n, k);
}
extern "C" __global__ void gemm_coalesced(const void* a, const void* b, float* c, std::int32_t m, std::int32_t n,
                                          std::int32_t k) {
  const Tile tile = tile_of_block<8, 32>(n);
  const Slot at = slot<32>(threadIdx.x);
  one_element(static_cast<const float*>(a), static_cast<const float*>(b), c, tile.row + at.row, tile.column + at.column,
              m, n, k);
}
extern "C" __global__ void __launch_bounds__(1024)
    gemm_tiled(const void* a, const void* b, float* c, std::int32_t m, std::int32_t n, std::int32_t k) {
  tiled(static_cast<const float*>(a), static_cast<const float*>(b), c, m, n, k);
}
extern "C" __global__ void __launch_bounds__(256)
    gemm_registers(const void* a, const void* b, float* c, std::int32_t m, std::int32_t n, std::int32_t k) {
  registers(static_cast<const float*>(a), static_cast<const float*>(b), c, m, n, k);
}

RIDGE_KERNEL_MATCHES(gemm_naive, ridge::gemm::gpu_steps[0].kernel);
RIDGE_KERNEL_MATCHES(gemm_coalesced, ridge::gemm::gpu_steps[1].kernel);
RIDGE_KERNEL_MATCHES(gemm_tiled, ridge::gemm::gpu_steps[2].kernel);
RIDGE_KERNEL_MATCHES(gemm_registers, ridge::gemm::gpu_steps[3].kernel);
