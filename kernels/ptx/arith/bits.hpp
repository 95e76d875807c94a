// Short names for fixed-width numbers, and the macro that makes a function part of every lane loop that calls it.
#pragma once

#include <bit>
#include <cstdint>

// Before the aliases below: its enumerators have the same names.
#include "kernels/ptx/text/type.hpp"

/// Lane loops are compiled once per instruction set; what they call must be inlined so that no shared copy is used.
#define RIDGE_PTX_INLINE inline __attribute__((always_inline))

namespace ridge::ptx {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

RIDGE_PTX_INLINE u32 bits(float x) {
  return __builtin_bit_cast(u32, x);
}
RIDGE_PTX_INLINE u64 bits(double x) {
  return __builtin_bit_cast(u64, x);
}
RIDGE_PTX_INLINE float as_float(u32 x) {
  return __builtin_bit_cast(float, x);
}
RIDGE_PTX_INLINE double as_double(u64 x) {
  return __builtin_bit_cast(double, x);
}

/// Rounding of an inexact result, named as IEEE 754 does: PTX's rn, rz, rm, rp and rna.
enum class Rounding : u8 { nearest, zero, down, up, away };

}  // namespace ridge::ptx
