// Sets the host's rounding mode around a loop; compiled so that the compiler does not move arithmetic out of it.
#include "kernels/ptx/arith/directed64.hpp"

#include <cfenv>
#include <cmath>

namespace ridge::ptx {
namespace {

class RoundingScope {
 public:
  explicit RoundingScope(Rounding r) : before_(std::fegetround()) {
    std::fesetround(r == Rounding::zero   ? FE_TOWARDZERO
                    : r == Rounding::down ? FE_DOWNWARD
                    : r == Rounding::up   ? FE_UPWARD
                                          : FE_TONEAREST);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;
  ~RoundingScope() { std::fesetround(before_); }

 private:
  int before_;
};

double apply(Operation64 operation, double a, double b, double c) {
  // Volatile operands keep the operation between the two changes of the rounding mode.
  volatile double x = a, y = b, z = c, r = 0;
  switch (operation) {
    case Operation64::add:
      r = x + y;
      break;
    case Operation64::sub:
      r = x - y;
      break;
    case Operation64::mul:
      r = x * y;
      break;
    case Operation64::fma:
      r = std::fma(x, y, z);
      break;
    case Operation64::div:
      r = x / y;
      break;
    case Operation64::sqrt:
      r = std::sqrt(x);
      break;
    case Operation64::from_s64:
      r = static_cast<double>(static_cast<s64>(bits(x)));
      break;
    case Operation64::from_u64:
      r = static_cast<double>(bits(x));
      break;
    case Operation64::to_f32: {
      volatile float f = static_cast<float>(x);
      r = f;
      break;
    }
  }
  return r;
}

}  // namespace

void directed64(Operation64 operation, Rounding rounding, u32 lanes, double* d, const double* a, const double* b,
                const double* c) {
  const RoundingScope scope(rounding);
  for (int i = 0; i < 32; ++i) {
    if (lanes >> i & 1) d[i] = apply(operation, a[i], b ? b[i] : 0, c ? c[i] : 0);
  }
}

float float_of(u64 magnitude, bool negative, Rounding rounding) {
  const RoundingScope scope(rounding);
  volatile u64 x = magnitude;
  volatile float f = 0;
  if (negative) {
    volatile s64 y = static_cast<s64>(0 - x);
    f = static_cast<float>(y);
  } else {
    f = static_cast<float>(x);
  }
  return f;
}

}  // namespace ridge::ptx
