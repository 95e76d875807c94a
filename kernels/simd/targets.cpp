// The two functions behind HWY_DYNAMIC_DISPATCH that Highway's headers declare and its library defines.
#include <hwy/targets.h>

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace hwy {
namespace {

#if HWY_ARCH_X86
// Half-precision conversions, which __builtin_cpu_supports does not know with every compiler.
bool has_f16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c >> 29 & 1U) != 0;
}

// What each set is compiled with (hwy/ops/set_macros-inl.h). The built-in also asks whether the system saves the
// registers. AVX3_DL is not among the sets that Highway compiles unless told to.
std::int64_t detect() {
  __builtin_cpu_init();
  std::int64_t found = HWY_SCALAR;
  if (!__builtin_cpu_supports("ssse3")) return found;
  found |= HWY_SSSE3;
  if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("pclmul") ||
      !__builtin_cpu_supports("aes"))
    return found;
  found |= HWY_SSE4;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
      !__builtin_cpu_supports("fma") || !has_f16c())
    return found;
  found |= HWY_AVX2;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    found |= HWY_AVX3;
  return found;
}
#else
// Elsewhere what is compiled is what the compiler was told the processor has.
std::int64_t detect() {
  return HWY_ENABLED_BASELINE;
}
#endif

}  // namespace

std::int64_t SupportedTargets() {
  static const std::int64_t found = detect();
  return found;
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy
