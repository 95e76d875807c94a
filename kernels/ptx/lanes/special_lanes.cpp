// Reciprocals, roots and the `.approx` functions. `rcp` and `sqrt` in directed modes come from the general table.
#include "kernels/ptx/arith/special.hpp"

#include "kernels/ptx/lanes/lanes.hpp"

namespace ridge::ptx::RIDGE_PTX_ISA {
namespace {

struct Rcp {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return T{1} / a;
  }
};
struct Sqrt {
  static RIDGE_PTX_INLINE float f(float a) { return __builtin_sqrtf(a); }
  static RIDGE_PTX_INLINE double f(double a) { return __builtin_sqrt(a); }
};
struct Rsqrt {
  static RIDGE_PTX_INLINE float f(float a) { return rsqrt_approx(a); }
  static RIDGE_PTX_INLINE double f(double a) { return 1.0 / __builtin_sqrt(a); }
};
struct Ex2 {
  static RIDGE_PTX_INLINE float f(float a) { return exp2_approx(a); }
};
struct Ex2Flush {
  static RIDGE_PTX_INLINE float f(float a) { return flushed(exp2_approx(flushed(a))); }
};
struct Lg2 {
  static RIDGE_PTX_INLINE float f(float a) { return log2_approx(a); }
};
struct Sin {
  static RIDGE_PTX_INLINE float f(float a) { return sin_approx(a); }
};
struct Cos {
  static RIDGE_PTX_INLINE float f(float a) { return cos_approx(a); }
};
struct Tanh {
  static RIDGE_PTX_INLINE float f(float a) { return tanh_approx(a); }
};
/// The `.approx.ftz.f64` forms fill only the upper half of the result.
RIDGE_PTX_INLINE double upper_half(double a) {
  return as_double(bits(a) >> 32 << 32);
}
struct RcpHigh {
  static RIDGE_PTX_INLINE double f(double a) { return upper_half(1.0 / a); }
};
struct RsqrtHigh {
  static RIDGE_PTX_INLINE double f(double a) { return upper_half(1.0 / __builtin_sqrt(a)); }
};

}  // namespace

Handler special_unary(Unary u, Type t) {
  if (t == Type::f64) {
    switch (u) {
      case Unary::rcp:
        return run_unary<Rcp, double>;
      case Unary::sqrt:
        return run_unary<Sqrt, double>;
      case Unary::rsqrt:
        return run_unary<Rsqrt, double>;
      case Unary::rcp_high:
        return run_unary<RcpHigh, double>;
      case Unary::rsqrt_high:
        return run_unary<RsqrtHigh, double>;
      default:
        return nullptr;
    }
  }
  if (t != Type::f32) return nullptr;
  switch (u) {
    case Unary::rcp:
      return run_unary<Rcp, float>;
    case Unary::sqrt:
      return run_unary<Sqrt, float>;
    case Unary::rsqrt:
      return run_unary<Rsqrt, float>;
    case Unary::ex2:
      return run_unary<Ex2, float>;
    case Unary::ex2_ftz:
      return run_unary<Ex2Flush, float>;
    case Unary::lg2:
      return run_unary<Lg2, float>;
    case Unary::sin:
      return run_unary<Sin, float>;
    case Unary::cos:
      return run_unary<Cos, float>;
    case Unary::tanh:
      return run_unary<Tanh, float>;
    default:
      return nullptr;
  }
}

}  // namespace ridge::ptx::RIDGE_PTX_ISA
