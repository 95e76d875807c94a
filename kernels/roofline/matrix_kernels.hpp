// The contract of the CUDA kernels that do nothing but matrix instructions; matrix.cu holds them.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernels/device/cuda/kernel.hpp"

// mma_T (a, b, out, steps): D = A·B + D, `steps` times, by mma.sync; any number of blocks of matrix_threads threads.
//   a   (M, K)                            of T, the same for every warp
//   b   (matrix_chains, N, K)             of T: chain c multiplies with the transpose of b[c]
//   out (warps, matrix_chains, M, N)      of the accumulator: chain c of warp w leaves w mod matrix_starts + steps ·
//                                         a·b[c]ᵀ
// Each warp has matrix_chains independent accumulators, so that an instruction need not wait for the one before it.
// Whole numbers small enough for the accumulator are exact in every order of summing, so results can be compared to the
// bit although the order within an instruction is nobody's promise.
namespace ridge::roofline {

inline constexpr unsigned matrix_threads = 256;
inline constexpr int matrix_chains = 4;
inline constexpr int matrix_starts = 61;

using CudaMatrix = device::cuda::Kernel<const void*, const void*, void*, std::int32_t>;

// What one instruction multiplies: (M, K) by (K, N).
struct MatrixInstruction {
  std::string_view dtype;  // as benchmarks name it
  const char* text;
  int m, n, k;
  CudaMatrix kernel;
};

inline constexpr MatrixInstruction matrix_instructions[] = {
    {"bf16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, {"mma_bf16"}},
    {"f16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, {"mma_f16"}},
    {"tf32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, {"mma_tf32"}},
    {"f64", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 4, {"mma_f64"}},
    {"int8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 16, 8, 32, {"mma_int8"}},
};

constexpr const MatrixInstruction* matrix_instruction(std::string_view dtype) {
  for (const MatrixInstruction& each : matrix_instructions)
    if (each.dtype == dtype) return &each;
  return nullptr;
}

}  // namespace ridge::roofline
