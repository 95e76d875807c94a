// The formats of at most 16 bits (and tf32) under the names that this machine uses.
#pragma once

#include "kernels/formats/formats.hpp"
#include "kernels/ptx/arith/bits.hpp"

namespace ridge::ptx {

using SmallFormat = formats::Format;
using formats::decode;
using formats::encode;
inline constexpr SmallFormat format_f16 = formats::f16, format_bf16 = formats::bf16, format_tf32 = formats::tf32,
                             format_e4m3 = formats::e4m3, format_e5m2 = formats::e5m2;

// The same modes under the name that operations use here.
constexpr formats::Rounding rounding_of(Rounding mode) {
  return static_cast<formats::Rounding>(mode);
}
static_assert(rounding_of(Rounding::nearest) == formats::Rounding::nearest &&
              rounding_of(Rounding::zero) == formats::Rounding::zero &&
              rounding_of(Rounding::down) == formats::Rounding::down &&
              rounding_of(Rounding::up) == formats::Rounding::up &&
              rounding_of(Rounding::away) == formats::Rounding::away);

}  // namespace ridge::ptx
