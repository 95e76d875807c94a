// The contract of the CUDA kernels of a matrix product, from a thread that adds up one element to the matrix units:
// scalar.cu, pipelined.cu and tensor.cu hold them.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernels/device/cuda/kernel.hpp"

// gemm_STEP (a, b, c, m, n, k): C = A·B, A (m, k), B (k, n), C (m, n), row-major without gaps, at addresses that are
// multiples of 16. Any m, n, k ≥ 0, none of which needs to be a multiple of a tile. A one-dimensional grid of
// blocks_of(step, m, n) blocks of step.threads threads.
//
// What a step reads, in elements: each tile of tile_rows × tile_columns of C needs its rows of A and its columns of B,
//   m·k·⌈n / tile_columns⌉ + k·n·⌈m / tile_rows⌉,  which for m = n = k = N and a tile T × T that divides N is 2·N³/T
// What it computes: 2·m·n·k, each extent rounded up to whole tiles, and k to whole `depth`s, as beyond the edges it
// multiplies zeroes.
namespace ridge::gemm {

using CudaGemm = device::cuda::Kernel<const void*, const void*, float*, std::int32_t, std::int32_t, std::int32_t>;

struct GpuStep {
  std::string_view name;
  bool bf16;  // A and B are; else f32
  int tile_rows, tile_columns, depth;
  int block_rows, block_columns;  // of C that a block computes
  unsigned threads;
  CudaGemm kernel;
};

inline constexpr GpuStep gpu_steps[] = {
    {"naive", false, 1, 1, 1, 32, 8, 256, {"gemm_naive"}},
    {"coalesced", false, 1, 1, 1, 8, 32, 256, {"gemm_coalesced"}},
    {"tiled", false, 32, 32, 32, 32, 32, 1024, {"gemm_tiled"}},
    {"registers", false, 128, 128, 8, 128, 128, 256, {"gemm_registers"}},
    {"pipelined", false, 128, 128, 16, 128, 128, 256, {"gemm_pipelined"}},
    {"warps", false, 128, 128, 16, 128, 128, 256, {"gemm_warps"}},
    {"mma", true, 128, 128, 32, 128, 128, 256, {"gemm_mma"}},
};

constexpr const GpuStep* gpu_step(std::string_view name) {
  for (const GpuStep& each : gpu_steps)
    if (each.name == name) return &each;
  return nullptr;
}

constexpr std::int64_t parts_of(std::int64_t whole, std::int64_t part) {
  return (whole + part - 1) / part;
}
constexpr std::int64_t blocks_of(const GpuStep& step, std::int64_t m, std::int64_t n) {
  return parts_of(m, step.block_rows) * parts_of(n, step.block_columns);
}
// Elements of A and B that are read, and operations, as said above.
constexpr std::int64_t loads_of(const GpuStep& step, std::int64_t m, std::int64_t n, std::int64_t k) {
  return m * k * parts_of(n, step.tile_columns) + k * n * parts_of(m, step.tile_rows);
}
constexpr std::int64_t operations_of(const GpuStep& step, std::int64_t m, std::int64_t n, std::int64_t k) {
  return 2 * parts_of(m, step.tile_rows) * step.tile_rows * parts_of(n, step.tile_columns) * step.tile_columns *
         parts_of(k, step.depth) * step.depth;
}
static_assert(loads_of(gpu_steps[2], 64, 64, 64) == 2 * 64 * 64 * 64 / 32);

}  // namespace ridge::gemm
