// Two steps more: copies that run while the block computes, and tiles of C that suit a warp.
//
//   pipelined  16 bytes at a time go from device to shared memory past the registers (cp.async), into one of two stages
//              while the other is multiplied; shared memory is read 16 bytes at a time too
//   warps      the same with another share of the tile for each thread: a warp has 32 × 64 of C in one piece, not 16
//              rows of the whole tile, and so needs 32 + 64 elements of shared memory for each of k, not 16 + 128
//
// Of a tile of A a row of 16 is read by each thread as four times four; rows lie 20 apart, so that the rows that a warp
// reads at once meet no bank twice.
#include "kernels/gemm/staged.cuh"

namespace {

using namespace ridge::gemm;

constexpr int depth = 16, each = 8, vector = copy_width<float>;
using Floats = Stage<float, depth, vector, 0>;

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

template <class Place>
__device__ void multiply_stage(const Floats& stage, const Place& place, float (&sum)[each][each]) {
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
  __shared__ alignas(16) Floats stages[2];
  const Operands<float> o(a, b, m, n, k);
  const Place place;
  float sum[each][each] = {};
  in_stages(stages, o, [&](const Floats& stage) { multiply_stage(stage, place, sum); });
#pragma unroll
  for (int i = 0; i < each; ++i)
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const int row = o.tile.row + place.row(i), column = o.tile.column + place.column(j / vector) + j % vector;
      if (row < m && column < n) c[static_cast<std::int64_t>(row) * n + column] = sum[i][j];
    }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(staged_threads, 2)
    gemm_pipelined(const void* a, const void* b, float* c, std::int32_t m, std::int32_t n, std::int32_t k) {
  multiply<Spread>(a, b, c, m, n, k);
}
extern "C" __global__ void __launch_bounds__(staged_threads, 2)
    gemm_warps(const void* a, const void* b, float* c, std::int32_t m, std::int32_t n, std::int32_t k) {
  multiply<InWarps>(a, b, c, m, n, k);
}

RIDGE_KERNEL_MATCHES(gemm_pipelined, ridge::gemm::gpu_steps[4].kernel);
RIDGE_KERNEL_MATCHES(gemm_warps, ridge::gemm::gpu_steps[5].kernel);
