// Every code and every border between two codes against the host functions of CUDA's headers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#if __has_include(<cuda_fp4.h>)
#include <cuda_fp4.h>
#endif

#include <catch2/catch.hpp>

#include "kernels/formats/formats.hpp"

using namespace ridge::formats;

namespace {

// Calls `each` with the values at which rounding is decided, of both signs: the codes, the middles between neighbours,
// the doubles and floats next to those, and what lies beyond the largest number.
template <class Each>
void at_every_border(const Format& f, const Each& each) {
  const std::uint32_t codes = 1U << (f.exponent_bits + f.mantissa_bits);
  const auto both = [&](double x) {
    each(x);
    each(-x);
  };
  for (std::uint32_t code = 0; code + 1 < codes; ++code) {
    const double low = decode(code, f), high = decode(code + 1, f);
    if (!(low <= f.largest())) break;
    const double middle = high <= f.largest() ? low + (high - low) / 2 : low;
    for (const double at : {low, middle}) {
      both(at);
      both(std::nextafter(at, 0));
      both(std::nextafter(at, HUGE_VAL));
      both(std::nextafter(static_cast<float>(at), 0.0F));
      both(std::nextafter(static_cast<float>(at), HUGE_VALF));
    }
  }
  for (const double beyond : {1.01, 1.03, 1.2, 1.5, 4.0, 1e30}) both(beyond * f.largest());
  both(HUGE_VAL);
}

std::uint32_t raw(__half h) {
  return static_cast<__half_raw>(h).x;
}
std::uint32_t raw(__nv_bfloat16 h) {
  return static_cast<__nv_bfloat16_raw>(h).x;
}

}  // namespace

TEST_CASE("f16 and bf16 are what CUDA's headers make of doubles and floats, and back") {
  at_every_border(f16, [](double x) {
    if (encode(x, f16) != raw(__double2half(x))) FAIL("f16 of " << x);
    const auto single = static_cast<float>(x);
    if (encode(single, f16) != raw(__float2half_rn(single))) FAIL("f16 of the float " << single);
  });
  at_every_border(bf16, [](double x) {
    if (encode(x, bf16) != raw(__double2bfloat16(x))) FAIL("bf16 of " << x);
    const auto single = static_cast<float>(x);
    if (encode(single, bf16) != raw(__float2bfloat16_rn(single))) FAIL("bf16 of the float " << single);
  });
  for (std::uint32_t code = 0; code < 65536; ++code) {
    __half_raw h;
    __nv_bfloat16_raw b;
    h.x = b.x = static_cast<unsigned short>(code);
    const float of_half = __half2float(__half(h)), of_bfloat = __bfloat162float(__nv_bfloat16(b));
    if (of_half == of_half && decode(code, f16) != of_half) FAIL("f16 code " << code);
    if (of_bfloat == of_bfloat && decode(code, bf16) != of_bfloat) FAIL("bf16 code " << code);
    if ((of_half != of_half) != std::isnan(decode(code, f16))) FAIL("f16 code " << code);
    if ((of_bfloat != of_bfloat) != std::isnan(decode(code, bf16))) FAIL("bf16 code " << code);
  }
}

TEST_CASE("e4m3 and e5m2 are what CUDA's headers make of doubles, saturating and not, and back") {
  for (const auto& [format, kind] : {std::pair{e4m3, __NV_E4M3}, std::pair{e5m2, __NV_E5M2}}) {
    for (const bool saturate : {true, false})
      at_every_border(format, [&](double x) {
        const std::uint32_t theirs = __nv_cvt_double_to_fp8(x, saturate ? __NV_SATFINITE : __NV_NOSAT, kind);
        if (encode(x, format, Rounding::nearest, saturate) != theirs)
          FAIL("kind " << kind << " of " << x << ": " << theirs);
      });
    for (std::uint32_t code = 0; code < 256; ++code) {
      const float theirs = __half2float(__half(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(code), kind)));
      const double ours = decode(code, format);
      if (theirs == theirs ? ours != theirs : ours == ours) FAIL("kind " << kind << " code " << code);
    }
  }
}

#if __has_include(<cuda_fp4.h>)
TEST_CASE("e2m1 is what CUDA's headers make of doubles, and back") {
  at_every_border(e2m1, [](double x) {
    const std::uint32_t theirs = __nv_cvt_double_to_fp4(x, __NV_E2M1, cudaRoundNearest);
    if (encode(x, e2m1) != theirs) FAIL("e2m1 of " << x << ": " << theirs);
  });
  for (std::uint32_t code = 0; code < 16; ++code) {
    const float theirs =
        __half2float(__half(__nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(code), __NV_E2M1)));
    if (decode(code, e2m1) != theirs) FAIL("e2m1 code " << code);
  }
}
#endif
