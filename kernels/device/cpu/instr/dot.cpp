// The loops around vdpbf16ps, vpdpbusd and bfdot. Each of the first two is compiled for its own instruction set, so
// nothing else may be in them.
#include "kernels/device/cpu/instr/dot.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>

#include "kernels/device/cpu/instr/dot_pairs.hpp"
#endif

namespace ridge::device::cpu {

// Twelve sums by name: an array of them might be left in memory.
#define RIDGE_TWELVE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
// `steps` times each, by the four macros that say how the instruction takes operands and sums.
#define RIDGE_LOOP(Sum)                                         \
  auto* const at = static_cast<Sum*>(sums);                     \
  const auto left = RIDGE_OPERAND(a), right = RIDGE_OPERAND(b); \
  RIDGE_TWELVE(RIDGE_LOAD)                                      \
  for (; steps > 0; --steps) {                                  \
    RIDGE_TWELVE(RIDGE_STEP)                                    \
  }                                                             \
  RIDGE_TWELVE(RIDGE_STORE)

#if defined(__x86_64__)
namespace {

#define RIDGE_OPERAND(from) (__m512bh) _mm512_loadu_si512(from)
#define RIDGE_LOAD(k) __m512 s##k = _mm512_loadu_ps(at + 16 * k);
#define RIDGE_STEP(k) s##k = _mm512_dpbf16_ps(s##k, left, right);
#define RIDGE_STORE(k) _mm512_storeu_ps(at + 16 * k, s##k);
__attribute__((target("avx512f,avx512bf16"))) void bf16_512(void* sums, const void* a, const void* b,
                                                            std::int64_t steps) {
  RIDGE_LOOP(float)
}
#undef RIDGE_OPERAND
#undef RIDGE_LOAD
#undef RIDGE_STEP
#undef RIDGE_STORE

#define RIDGE_OPERAND(from) _mm512_loadu_si512(from)
#define RIDGE_LOAD(k) __m512i s##k = _mm512_loadu_si512(at + 16 * k);
#define RIDGE_STEP(k) s##k = _mm512_dpbusd_epi32(s##k, left, right);
#define RIDGE_STORE(k) _mm512_storeu_si512(at + 16 * k, s##k);
__attribute__((target("avx512f,avx512vnni"))) void int8_512(void* sums, const void* a, const void* b,
                                                            std::int64_t steps) {
  RIDGE_LOOP(std::int32_t)
}
#undef RIDGE_OPERAND
#undef RIDGE_LOAD
#undef RIDGE_STEP
#undef RIDGE_STORE

#define RIDGE_OPERAND(from) _mm256_loadu_si256(static_cast<const __m256i*>(from))
#define RIDGE_LOAD(k) __m256i s##k = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 8 * k));
#define RIDGE_STEP(k) s##k = _mm256_dpbusd_avx_epi32(s##k, left, right);
#define RIDGE_STORE(k) _mm256_storeu_si256(reinterpret_cast<__m256i*>(at + 8 * k), s##k);
__attribute__((target("avx2,avxvnni"))) void int8_256(void* sums, const void* a, const void* b, std::int64_t steps) {
  RIDGE_LOOP(std::int32_t)
}
#undef RIDGE_OPERAND
#undef RIDGE_LOAD
#undef RIDGE_STEP
#undef RIDGE_STORE

constexpr DotInstruction vdpbf16ps{"vdpbf16ps (AVX512_BF16, 512 bits)", 16, 2, bf16_512};
constexpr DotInstruction vpdpbusd_512{"vpdpbusd (AVX512_VNNI, 512 bits)", 16, 4, int8_512};
constexpr DotInstruction vpdpbusd_256{"vpdpbusd (AVX_VNNI, 256 bits)", 8, 4, int8_256};

}  // namespace

DotFeatures dot_features() {
  DotFeatures found;
  __builtin_cpu_init();
  unsigned a = 0, b = 0, c = 0, d = 0;
  // The built-in also asks whether the system saves the registers.
  const bool wide = __builtin_cpu_supports("avx512f") != 0;
  const bool narrow = __builtin_cpu_supports("avx2") != 0;
  if (wide && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) found.avx512_vnni = (c >> 11 & 1U) != 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || a < 1) return found;  // a: the last subleaf
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d) == 0) return found;
  found.avx512_bf16 = wide && (a >> 5 & 1U) != 0;
  found.avx_vnni = narrow && (a >> 4 & 1U) != 0;
  return found;
}

const DotInstruction* bf16_dot(const DotFeatures& features) {
  return features.avx512_bf16 ? &vdpbf16ps : nullptr;
}

const DotInstruction* int8_dot(const DotFeatures& features) {
  if (features.avx512_vnni) return &vpdpbusd_512;
  return features.avx_vnni ? &vpdpbusd_256 : nullptr;
}
#elif defined(__aarch64__)
namespace {

#define RIDGE_OPERAND(from) vld1q_f32(static_cast<const float*>(from))
#define RIDGE_LOAD(k) float32x4_t s##k = vld1q_f32(at + 4 * k);
#define RIDGE_STEP(k) s##k = add_dot_of_pairs(s##k, left, right);
#define RIDGE_STORE(k) vst1q_f32(at + 4 * k, s##k);
void bf16_128(void* sums, const void* a, const void* b, std::int64_t steps) {
  RIDGE_LOOP(float)
}
#undef RIDGE_OPERAND
#undef RIDGE_LOAD
#undef RIDGE_STEP
#undef RIDGE_STORE

constexpr DotInstruction bfdot{"bfdot (BF16, 128 bits)", 4, 2, bf16_128};

}  // namespace

DotFeatures dot_features() {
  constexpr unsigned long hwcap2_bf16 = 1UL << 14;
  DotFeatures found;
  found.arm_bf16 = (getauxval(AT_HWCAP2) & hwcap2_bf16) != 0;
  return found;
}
const DotInstruction* bf16_dot(const DotFeatures& features) {
  return features.arm_bf16 ? &bfdot : nullptr;
}
const DotInstruction* int8_dot(const DotFeatures&) {
  return nullptr;
}
#else
DotFeatures dot_features() {
  return {};
}
const DotInstruction* bf16_dot(const DotFeatures&) {
  return nullptr;
}
const DotInstruction* int8_dot(const DotFeatures&) {
  return nullptr;
}
#endif

}  // namespace ridge::device::cpu
