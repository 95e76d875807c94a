// Double-precision arithmetic rounded to zero, down or up, by the host's rounding mode.
#pragma once

#include "kernels/ptx/arith/bits.hpp"

namespace ridge::ptx {

enum class Operation64 : u8 { add, sub, mul, fma, div, sqrt, from_s64, from_u64, to_f32 };

/// d[i] = a[i] op b[i] (+ c[i]) for the lanes named by `lanes`; unused operands may be null. For from_s64 and from_u64
/// `a` holds integer bits; for to_f32 the result is rounded to single precision and kept as a double.
void directed64(Operation64 operation, Rounding rounding, u32 lanes, double* d, const double* a, const double* b,
                const double* c);

/// The integer rounded to a float in the given mode.
float float_of(u64 magnitude, bool negative, Rounding rounding);

}  // namespace ridge::ptx
