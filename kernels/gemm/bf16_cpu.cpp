// The blocked product of bf16 with sums in f32: by the processor's dot product of pairs, and for tests by multiply-adds
// in its place, all else the same.
#include <algorithm>
#include <bit>

#include "kernels/device/cpu/instr/dot.hpp"
#include "kernels/device/cpu/instr/dot_pairs.hpp"
#include "kernels/gemm/blocks.hpp"
#include "kernels/gemm/gemm.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm/bf16_cpu.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ridge::gemm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#include "kernels/gemm/blocked-inl.hpp"
#include "kernels/gemm/pairs-inl.hpp"

// Lane by lane, unlike Highway's ReorderWidenMulAccumulate, whose sums may be anywhere. A bf16 is the upper half of an
// f32; the odd product comes first, as Intel's description of vdpbf16ps has it.
struct EmulatedPairs : Pairs {
  template <class V>
  static HWY_INLINE V add(V x, V b, V sums) {
    const hn::DFromV<V> d;
    const hn::RebindToUnsigned<decltype(d)> bits;
    const auto odd = hn::Set(bits, 0xFFFF0000U), left = hn::BitCast(bits, x), right = hn::BitCast(bits, b);
    sums = hn::MulAdd(hn::BitCast(d, hn::And(left, odd)), hn::BitCast(d, hn::And(right, odd)), sums);
    return hn::MulAdd(hn::BitCast(d, hn::ShiftLeft<16>(left)), hn::BitCast(d, hn::ShiftLeft<16>(right)), sums);
  }
};

Kernel<float, std::uint16_t> emulated_pairs() {
  return blocked<EmulatedPairs, float, std::uint16_t>;
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::gemm
HWY_AFTER_NAMESPACE();

// Highway's set of AVX-512 and AVX512_BF16 besides, or NEON and BF16 besides: Highway has no set for either.
#if defined(__x86_64__) && HWY_TARGET == HWY_AVX3
#define RIDGE_GEMM_HAS_DOT HWY_AVX3
HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR ",avx512bf16")
#elif defined(__aarch64__) && HWY_TARGET == HWY_NEON
#define RIDGE_GEMM_HAS_DOT HWY_NEON
HWY_BEFORE_NAMESPACE();
#endif
#if (defined(__x86_64__) && HWY_TARGET == HWY_AVX3) || (defined(__aarch64__) && HWY_TARGET == HWY_NEON)
namespace ridge::gemm::with_bf16_dot {
namespace hn = hwy::HWY_NAMESPACE;

#include "kernels/gemm/blocked-inl.hpp"
#include "kernels/gemm/pairs-inl.hpp"

struct DotPairs : Pairs {
  template <class V>
  static HWY_INLINE V add(V x, V b, V sums) {
    return V{device::cpu::add_dot_of_pairs(sums.raw, x.raw, b.raw)};
  }
};

void multiply(const Product<float, std::uint16_t>& product, float* workspace, std::int64_t begin, std::int64_t end) {
  blocked<DotPairs>(product, workspace, begin, end);
}

}  // namespace ridge::gemm::with_bf16_dot
#if defined(__x86_64__)
HWY_POP_ATTRIBUTES
#else
HWY_AFTER_NAMESPACE();
#endif
#endif

#if HWY_ONCE
namespace ridge::gemm {

HWY_EXPORT(emulated_pairs);

Kernel<float, std::uint16_t> bf16_emulated_kernel() {
  return HWY_DYNAMIC_DISPATCH(emulated_pairs)();
}

Kernel<float, std::uint16_t> bf16_dot_kernel() {
#ifdef RIDGE_GEMM_HAS_DOT
  const bool has_rest = (hwy::SupportedTargets() & RIDGE_GEMM_HAS_DOT) != 0;
  if (has_rest && device::cpu::bf16_dot(device::cpu::dot_features()) != nullptr) return with_bf16_dot::multiply;
#endif
  return nullptr;
}

}  // namespace ridge::gemm
#endif
