// The contract of the CUDA kernels that do nothing but the matrix instructions of one architecture: wgmma of sm_90a in
// wgmma.cu, tcgen05 of sm_100a and sm_103a in tcgen05.cu. matrix_kernels.hpp has the one of mma, which all have.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kernels/device/cuda/kernel.hpp"
#include "kernels/roofline/tile_layout.hpp"

// wgmma_T, tcgen05_T (a, b, out, steps): D = D + A·Bᵀ, `steps` times; any number of blocks of tile_threads.
//   a   (tile_m, tile_row_bytes)   rows of T, the same for every block
//   b   (tile_n, tile_row_bytes)   rows of T
//   out (blocks, tile_m, tile_n)   of the sum: block b leaves b mod tile_starts + steps · a·bᵀ
// Operands lie in shared memory as tile_layout.hpp says. A step multiplies whole rows: tile_slabs instructions for each
// instruction_rows of A.
namespace ridge::roofline {

inline constexpr int tile_m = 128;
inline constexpr int tile_n = 256;
inline constexpr int tile_starts = 61;
inline constexpr unsigned wgmma_threads = 256;
inline constexpr unsigned tcgen05_threads = 128;

using CudaTile = device::cuda::Kernel<const void*, const void*, void*, std::int32_t>;

// Of each type as benchmarks name it: what sums are of, their registers' kind, K of an instruction, the instruction,
// and what follows its descriptors: whether D is added to (p), factors of A and B, and of 16-bit types whether A and B
// are transposed.
#define RIDGE_WGMMA_INSTRUCTIONS(X)                                                                 \
  X(bf16, float, "f", 16, "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", "p, 1, 1, 0, 0") \
  X(f16, float, "f", 16, "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", "p, 1, 1, 0, 0")    \
  X(tf32, float, "f", 8, "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32", "p, 1, 1")         \
  X(e4m3, float, "f", 32, "wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3", "p, 1, 1")       \
  X(int8, std::int32_t, "r", 32, "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8", "p")

// Of each type: what sums are of, K of an instruction, the instruction, and how its descriptor numbers the types.
#define RIDGE_TCGEN05_FLOATING(X)                                                \
  X(bf16, float, 16, "tcgen05.mma.cta_group::1.kind::f16", (Tcgen05Types{1, 1})) \
  X(f16, float, 16, "tcgen05.mma.cta_group::1.kind::f16", (Tcgen05Types{1, 0}))  \
  X(tf32, float, 8, "tcgen05.mma.cta_group::1.kind::tf32", (Tcgen05Types{1, 2})) \
  X(e4m3, float, 32, "tcgen05.mma.cta_group::1.kind::f8f6f4", (Tcgen05Types{1, 0}))
// Which sm_103a lacks.
#define RIDGE_TCGEN05_WHOLE(X) X(int8, std::int32_t, 32, "tcgen05.mma.cta_group::1.kind::i8", (Tcgen05Types{2, 1}))

// What one instruction multiplies: (m, k) by (k, tile_n). `architectures`: the only ones that have it, 90 for compute
// capability 9.0 and machine code of sm_90a; 0 where there is no second.
struct TileInstruction {
  std::string_view name;   // "wgmma", as benchmarks name it
  std::string_view dtype;  // as benchmarks name it
  const char* text;
  std::array<int, 2> architectures;
  int m, k;
  unsigned threads;    // of a block
  int blocks_at_once;  // of a multiprocessor
  CudaTile kernel;

  [[nodiscard]] constexpr bool on(int architecture) const {
    return architecture == architectures[0] || (architecture != 0 && architecture == architectures[1]);
  }
};

#define RIDGE_OF_WGMMA(dtype, Sum, constraint, k, text, behind) \
  {"wgmma", #dtype, text, {90, 0}, 64, k, wgmma_threads, 1, {"wgmma_" #dtype}},
#define RIDGE_OF_TCGEN05(dtype, text, second, k) \
  {"tcgen05", #dtype, text, {100, second}, 128, k, tcgen05_threads, 2, {"tcgen05_" #dtype}},
#define RIDGE_OF_TCGEN05_FLOATING(dtype, Sum, k, text, types) RIDGE_OF_TCGEN05(dtype, text, 103, k)
#define RIDGE_OF_TCGEN05_WHOLE(dtype, Sum, k, text, types) RIDGE_OF_TCGEN05(dtype, text, 0, k)
inline constexpr TileInstruction tile_instructions[] = {RIDGE_WGMMA_INSTRUCTIONS(RIDGE_OF_WGMMA) RIDGE_TCGEN05_FLOATING(
    RIDGE_OF_TCGEN05_FLOATING) RIDGE_TCGEN05_WHOLE(RIDGE_OF_TCGEN05_WHOLE)};
#undef RIDGE_OF_WGMMA
#undef RIDGE_OF_TCGEN05
#undef RIDGE_OF_TCGEN05_FLOATING
#undef RIDGE_OF_TCGEN05_WHOLE

constexpr const TileInstruction* tile_instruction(std::string_view name, std::string_view dtype) {
  for (const TileInstruction& each : tile_instructions)
    if (each.name == name && each.dtype == dtype) return &each;
  return nullptr;
}

}  // namespace ridge::roofline
