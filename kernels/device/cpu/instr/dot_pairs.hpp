// A dot product of bf16 pairs on registers, for kernels that are compiled for it; dot.hpp says where they may run.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

namespace ridge::device::cpu {

// sums (16) + Σ of the two products of each lane's pair of bf16 in a and b. vdpbf16ps: rounded to nearest after each
// addition, subnormal numbers taken for zero, whatever the thread's control register says.
__attribute__((target("avx512f,avx512bf16"), always_inline)) inline __m512 add_dot_of_pairs(__m512 sums, __m512 a,
                                                                                            __m512 b) {
  return _mm512_dpbf16_ps(sums, (__m512bh)a, (__m512bh)b);
}

}  // namespace ridge::device::cpu

#elif defined(__aarch64__)
#include <arm_neon.h>

namespace ridge::device::cpu {

// sums (4) likewise. bfdot: the two products are added exactly, that is rounded to odd, and so is the sum with them;
// subnormal numbers are taken for zero. As text, since the compiler has it only in functions compiled for Armv8.2-A.
inline float32x4_t add_dot_of_pairs(float32x4_t sums, float32x4_t a, float32x4_t b) {
  asm(".arch_extension bf16\n\tbfdot %0.4s, %1.8h, %2.8h" : "+w"(sums) : "w"(a), "w"(b));
  return sums;
}

}  // namespace ridge::device::cpu
#endif
