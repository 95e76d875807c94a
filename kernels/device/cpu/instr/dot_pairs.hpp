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
#endif
