// Small types against CUDA's own host functions, for every bit pattern: conversions, and arithmetic run as PTX.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "kernels/ptx/arith/half.hpp"
#include "kernels/ptx/arith/small_float.hpp"
#include "kernels/ptx/testing/harness.hpp"

namespace ridge::ptx {
namespace {

bool same_f16(u16 a, u16 b) {
  return a == b || ((a & 0x7fff) > 0x7c00 && (b & 0x7fff) > 0x7c00);
}
bool same_bf16(u16 a, u16 b) {
  return a == b || ((a & 0x7fff) > 0x7f80 && (b & 0x7fff) > 0x7f80);
}
u16 raw(__half h) {
  return static_cast<__half_raw>(h).x;
}
u16 raw(__nv_bfloat16 h) {
  return static_cast<__nv_bfloat16_raw>(h).x;
}
__half half_of(u16 v) {
  __half_raw r;
  r.x = v;
  return r;
}
__nv_bfloat16 bfloat_of(u16 v) {
  __nv_bfloat16_raw r;
  r.x = v;
  return r;
}

TEST_CASE("every f16 and bf16 becomes the float that CUDA's headers say") {
  for (u32 i = 0; i < 65536; ++i) {
    const u16 v = static_cast<u16>(i);
    const float h = __half2float(half_of(v)), b = __bfloat162float(bfloat_of(v));
    REQUIRE((to_float(f16{v}) == h || h != h));
    REQUIRE((to_float(bf16{v}) == b || b != b));
  }
}

TEST_CASE("every f16, as e4m3 and e5m2, is what CUDA's headers say, and back") {
  for (u32 i = 0; i < 65536; ++i) {
    const u16 v = static_cast<u16>(i);
    const float h = to_float(f16{v});
    __half_raw r;
    r.x = v;
    const u32 e4 = __nv_cvt_halfraw_to_fp8(r, __NV_SATFINITE, __NV_E4M3),
              e5 = __nv_cvt_halfraw_to_fp8(r, __NV_SATFINITE, __NV_E5M2);
    if (h == h) {
      REQUIRE(encode(h, format_e4m3, formats::Rounding::nearest, true) == e4);
      REQUIRE(encode(h, format_e5m2, formats::Rounding::nearest, true) == e5);
    } else {
      REQUIRE((e4 & 0x7f) == 0x7f);
    }
  }
  for (u32 i = 0; i < 256; ++i) {
    const auto code = static_cast<__nv_fp8_storage_t>(i);
    const float e4 = __half2float(half_of(__nv_cvt_fp8_to_halfraw(code, __NV_E4M3).x));
    const float e5 = __half2float(half_of(__nv_cvt_fp8_to_halfraw(code, __NV_E5M2).x));
    REQUIRE((decode(i, format_e4m3) == e4 || e4 != e4));
    REQUIRE((decode(i, format_e5m2) == e5 || e5 != e5));
  }
}

TEST_CASE("conversions and arithmetic of every f16 and bf16, run as PTX") {
  testing::Machine m(testing::file_text(RIDGE_PTX_TEST_KERNELS));
  const auto out = m.memory.allocate(65536 * 24);
  m.run("all_halves", {256}, {256}, testing::in_order(Order::forward, 2), out);
  const auto r = m.download<u16>(out, 65536 * 12);
  const __half third = __float2half(0.333f);
  const __nv_bfloat16 bthird = __float2bfloat16(0.333f);
  for (u32 i = 0; i < 65536; ++i) {
    const __half h = half_of(static_cast<u16>(i));
    const __nv_bfloat16 b = bfloat_of(static_cast<u16>(i));
    const float x = __half2float(h), y = __bfloat162float(b);
    const u16* got = &r[12 * i];
    INFO("pattern " << i);
    REQUIRE(same_f16(got[0], raw(__float2half_rn(x * 1.0009765f))));
    REQUIRE(same_f16(got[1], raw(__float2half_rz(x * 1.0007f))));
    REQUIRE(same_f16(got[2], raw(__float2half_rd(x * 1.0007f))));
    REQUIRE(same_f16(got[3], raw(__float2half_ru(x * 1.0007f))));
    REQUIRE(same_f16(got[4], raw(__hadd(h, third))));
    REQUIRE(same_f16(got[5], raw(__hmul(h, third))));
    REQUIRE(same_bf16(got[7], raw(__float2bfloat16_rn(y * 1.003f))));
    REQUIRE(same_bf16(got[8], raw(__hadd(b, bthird))));
    REQUIRE(same_bf16(got[9], raw(__hmul(b, bthird))));
    if (x == x && x > -32768 && x < 32767) REQUIRE(got[11] == static_cast<u16>(static_cast<short>(std::nearbyint(x))));
  }
}

}  // namespace
}  // namespace ridge::ptx
