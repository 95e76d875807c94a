// Matrix instructions and nothing else: what the matrix units of a GPU do in a second, by type.
//
// Which element a register holds is the PTX manual's layout: with g = lane / 4 and t = lane % 4, register r of A holds
// row g + 8·(r % 2), columns from (t + 4·(r / 2)) words on; register r of B column g, rows from (t + 4·r) words on;
// element e of C row g + 8·(e / 2), column 2·t + e % 2. A word is a register: two 16-bit numbers, four bytes, or one of
// 32 or 64 bits.
#include <cstdint>

#include "kernels/roofline/matrix_kernels.hpp"

namespace {

#define RIDGE_FOUR_BY_MMA(Name, Sum, constraint, instruction)                                                       \
  struct Name {                                                                                                     \
    using Word = std::uint32_t;                                                                                     \
    using D = Sum;                                                                                                  \
    static constexpr int a = 4, b = 2, d = 4, words = 8; /* registers, words of a row of K */                       \
    static __device__ void multiply(D (&sum)[d], const Word (&l)[a], const Word (&r)[b]) {                          \
      asm volatile(instruction " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                             \
                   : "+" constraint(sum[0]), "+" constraint(sum[1]), "+" constraint(sum[2]), "+" constraint(sum[3]) \
                   : "r"(l[0]), "r"(l[1]), "r"(l[2]), "r"(l[3]), "r"(r[0]), "r"(r[1]));                             \
    }                                                                                                               \
  }

RIDGE_FOUR_BY_MMA(Bf16, float, "f", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
RIDGE_FOUR_BY_MMA(F16, float, "f", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
RIDGE_FOUR_BY_MMA(Tf32, float, "f", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32");
RIDGE_FOUR_BY_MMA(Int8, std::int32_t, "r", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32");

struct F64 {
  using Word = double;
  using D = double;
  static constexpr int a = 1, b = 1, d = 2, words = 4;
  static __device__ void multiply(D (&sum)[d], const Word (&l)[a], const Word (&r)[b]) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(sum[0]), "+d"(sum[1])
                 : "d"(l[0]), "d"(r[0]));
  }
};

constexpr int chains = ridge::roofline::matrix_chains;

template <class I>
__device__ void repeat(const void* a, const void* b, void* out, std::int32_t steps) {
  using Word = typename I::Word;
  using D = typename I::D;
  constexpr int m = 4 * I::d, n = 8;
  const auto* const as = static_cast<const Word*>(a);
  const auto* const bs = static_cast<const Word*>(b);
  const int lane = static_cast<int>(threadIdx.x % 32), g = lane / 4, t = lane % 4;
  const std::int64_t warp = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  Word left[I::a];
  Word right[chains][I::b];
  D sum[chains][I::d];
#pragma unroll
  for (int r = 0; r < I::a; ++r) left[r] = as[(g + 8 * (r % 2)) * I::words + t + 4 * (r / 2)];
#pragma unroll
  for (int c = 0; c < chains; ++c) {
#pragma unroll
    for (int r = 0; r < I::b; ++r) right[c][r] = bs[(c * n + g) * I::words + t + 4 * r];
#pragma unroll
    for (int e = 0; e < I::d; ++e) sum[c][e] = static_cast<D>(static_cast<int>(warp % ridge::roofline::matrix_starts));
  }
#pragma unroll 1
  for (; steps >= 8; steps -= 8) {
#pragma unroll
    for (int s = 0; s < 8; ++s) {
#pragma unroll
      for (int c = 0; c < chains; ++c) I::multiply(sum[c], left, right[c]);
    }
  }
#pragma unroll 1
  for (; steps > 0; --steps) {
#pragma unroll
    for (int c = 0; c < chains; ++c) I::multiply(sum[c], left, right[c]);
  }
  auto* const ds = static_cast<D*>(out) + warp * chains * m * n;
#pragma unroll
  for (int c = 0; c < chains; ++c) {
#pragma unroll
    for (int e = 0; e < I::d; ++e) ds[(c * m + g + 8 * (e / 2)) * n + 2 * t + e % 2] = sum[c][e];
  }
}

}  // namespace

#define RIDGE_MATRIX_KERNEL(Instruction, suffix)                                                         \
  extern "C" __global__ void mma_##suffix(const void* a, const void* b, void* out, std::int32_t steps) { \
    repeat<Instruction>(a, b, out, steps);                                                               \
  }                                                                                                      \
  RIDGE_KERNEL_MATCHES(mma_##suffix, ridge::roofline::matrix_instructions[0].kernel)

RIDGE_MATRIX_KERNEL(Bf16, bf16);
RIDGE_MATRIX_KERNEL(F16, f16);
RIDGE_MATRIX_KERNEL(Tf32, tf32);
RIDGE_MATRIX_KERNEL(F64, f64);
RIDGE_MATRIX_KERNEL(Int8, int8);
