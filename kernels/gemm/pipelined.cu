// Two steps more: copies that run while the block computes, and tiles of C that suit a warp.
//
//   pipelined  16 bytes at a time go from device to shared memory past the registers (cp.async), into one of two stages
//              while the other is multiplied; shared memory is read 16 bytes at a time too
//   warps      the same with another share of the tile for each thread: a warp has 32 × 64 of C in one piece, not 16
//              rows of the whole tile, and so needs 32 + 64 elements of shared memory for each of k, not 16 + 128
//
// Of a tile of A a row of 16 is read by each thread as four times four; rows lie 20 apart, so that the rows that a warp
// reads at once meet no bank twice.
#include "kernels/gemm/async.cuh"
#include "kernels/gemm/gemm_kernels.hpp"

namespace {

using namespace ridge::gemm;

constexpr int side = 128, depth = 16, each = 8, threads = 256, vector = 4;

struct Stage {
  float a[side][depth + vector];  // rows of C, part of k
  float b[depth][side];           // part of k, columns of C
};

// Which rows, i in [0, 8), and which pieces of four columns, h in {0, 1}, of the tile are a thread's.
struct Spread {
  Slot at = slot<16>(threadIdx.x);
  __device__ int row(int i) const { return at.row + 16 * i; }
  __device__ int column(int h) const { return vector * at.column + 64 * h; }
};
struct InWarps {
  Slot warp = slot<2>(threadIdx.x / 32);
  Slot lane = slot<8>(threadIdx.x % 32);
  __device__ int row(int i) const { return warp.row * 32 + lane.row + 4 * i; }
  __device__ int column(int h) const { return warp.column * 64 + vector * lane.column + 32 * h; }
};

struct Operands {
  const float* a;  // (m, k)
  const float* b;  // (k, n)
  int m, n, k;
  Tile tile;
  bool wide;  // rows begin at multiples of 16 bytes
};

// Four floats of row `row` of (rows, columns) from `column` on; what lies outside is zero.
__device__ void copy_four(float* dst, const float* src, int row, int column, int rows, int columns, bool wide) {
  const float* const from = src + static_cast<std::int64_t>(row) * columns + column;
  if (wide) {
    const bool real = row < rows && column < columns;
    copy_async<16>(dst, real ? from : src, real);
  } else {
#pragma unroll
    for (int i = 0; i < vector; ++i) {
      const bool real = row < rows && column + i < columns;
      copy_async<4>(dst + i, real ? from + i : src, real);
    }
  }
}

__device__ void fetch(Stage& stage, const Operands& o, int first) {
#pragma unroll
  for (int i = 0; i < side * depth / vector; i += threads) {
    const auto [row, piece] = slot<depth / vector>(threadIdx.x + i);
    const int l = piece * vector;
    copy_four(&stage.a[row][l], o.a, o.tile.row + row, first + l, o.m, o.k, o.wide);
  }
#pragma unroll
  for (int i = 0; i < side * depth / vector; i += threads) {
    const auto [l, piece] = slot<side / vector>(threadIdx.x + i);
    const int column = piece * vector;
    copy_four(&stage.b[l][column], o.b, first + l, o.tile.column + column, o.k, o.n, o.wide);
  }
}

template <class Place>
__device__ void multiply_stage(const Stage& stage, const Place& place, float (&sum)[each][each]) {
#pragma unroll
  for (int l = 0; l < depth; l += vector) {
    float4 left[each];
#pragma unroll
    for (int i = 0; i < each; ++i) left[i] = *reinterpret_cast<const float4*>(&stage.a[place.row(i)][l]);
#pragma unroll
    for (int v = 0; v < vector; ++v) {
      const float4 low = *reinterpret_cast<const float4*>(&stage.b[l + v][place.column(0)]);
      const float4 high = *reinterpret_cast<const float4*>(&stage.b[l + v][place.column(1)]);
      const float right[each] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
      for (int i = 0; i < each; ++i) {
        const float of_a = v == 0 ? left[i].x : v == 1 ? left[i].y : v == 2 ? left[i].z : left[i].w;
#pragma unroll
        for (int j = 0; j < each; ++j) sum[i][j] += of_a * right[j];
      }
    }
  }
}

template <class Place>
__device__ void multiply(const void* a, const void* b, float* c, int m, int n, int k) {
  __shared__ alignas(16) Stage stages[2];
  const Operands o{static_cast<const float*>(a), static_cast<const float*>(b),      m, n, k,
                   tile_of_block<side, side>(n), k % vector == 0 && n % vector == 0};
  const Place place;
  float sum[each][each] = {};
  if (k > 0) fetch(stages[0], o, 0);
  commit_copies();
#pragma unroll 1
  for (int first = 0, now = 0; first < k; first += depth, now ^= 1) {
    if (first + depth < k) fetch(stages[now ^ 1], o, first + depth);
    commit_copies();
    wait_copies<1>();
    __syncthreads();
    multiply_stage(stages[now], place, sum);
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < each; ++i)
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const int row = o.tile.row + place.row(i), column = o.tile.column + place.column(j / vector) + j % vector;
      if (row < m && column < n) c[static_cast<std::int64_t>(row) * n + column] = sum[i][j];
    }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads, 2)
    gemm_pipelined(const void* a, const void* b, float* c, std::int32_t m, std::int32_t n, std::int32_t k) {
  multiply<Spread>(a, b, c, m, n, k);
}
extern "C" __global__ void __launch_bounds__(threads, 2)
    gemm_warps(const void* a, const void* b, float* c, std::int32_t m, std::int32_t n, std::int32_t k) {
  multiply<InWarps>(a, b, c, m, n, k);
}

RIDGE_KERNEL_MATCHES(gemm_pipelined, ridge::gemm::gpu_steps[4].kernel);
RIDGE_KERNEL_MATCHES(gemm_warps, ridge::gemm::gpu_steps[5].kernel);
