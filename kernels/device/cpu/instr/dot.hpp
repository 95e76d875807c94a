// Dot-product instructions of narrow types: several products are added to each sum by one instruction. Highway 1.0.3,
// which distributions have, emulates the bf16 one on x86 and AArch64 and lacks the int8 one, so they are wrapped here.
#pragma once

#include <cstdint>

namespace ridge::device::cpu {

// Independent sums that hide an instruction's latency: a unit or two, of latency four to six.
inline constexpr int dot_chains = 12;

// sums (dot_chains, lanes); each of them grows `steps` times by Σ a[p]·b[p] over its lane's `products` neighbours in
// a and b (lanes · products).
struct DotInstruction {
  const char* name;
  int lanes;
  int products;
  void (*repeat)(void* sums, const void* a, const void* b, std::int64_t steps);
};
inline constexpr int most_dot_lanes = 16;

// What of them this processor has, and the system lets programs use.
struct DotFeatures {
  bool avx512_bf16 = false;
  bool avx512_vnni = false;
  bool avx_vnni = false;
  bool arm_bf16 = false;
};
DotFeatures dot_features();

// bf16 · bf16 added to f32. Null: no such instruction is known here.
const DotInstruction* bf16_dot(const DotFeatures& features);
inline constexpr const char* no_bf16_dot = "this processor has no bf16 dot product (AVX512_BF16, or BF16 of AArch64)";
// u8 (a) · s8 (b) added to s32, modulo 2^32. Null likewise.
const DotInstruction* int8_dot(const DotFeatures& features);

}  // namespace ridge::device::cpu
