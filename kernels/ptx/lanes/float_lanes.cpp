// Arithmetic of single and double precision, in the four IEEE rounding modes.
#include "kernels/ptx/arith/directed64.hpp"
#include "kernels/ptx/lanes/lanes.hpp"

namespace ridge::ptx::RIDGE_PTX_ISA {
namespace {

struct Neg {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return -a;
  }
};
struct Abs {
  static RIDGE_PTX_INLINE float f(float a) { return as_float(bits(a) & 0x7fffffffu); }
  static RIDGE_PTX_INLINE double f(double a) { return as_double(bits(a) & ~(u64{1} << 63)); }
};
struct Flush {
  static RIDGE_PTX_INLINE float f(float a) { return flushed(a); }
};
struct Saturate {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return a > 0 ? (a < 1 ? a : T{1}) : T{0};
  }
};
struct Relu {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return a != a ? a : a > 0 ? a : T{0};
  }
};
struct RoundNearest {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return sizeof(T) == 4 ? static_cast<T>(__builtin_rintf(static_cast<float>(a))) : static_cast<T>(__builtin_rint(a));
  }
};
struct RoundZero {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return sizeof(T) == 4 ? static_cast<T>(__builtin_truncf(static_cast<float>(a)))
                          : static_cast<T>(__builtin_trunc(a));
  }
};
struct RoundDown {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return sizeof(T) == 4 ? static_cast<T>(__builtin_floorf(static_cast<float>(a)))
                          : static_cast<T>(__builtin_floor(a));
  }
};
struct RoundUp {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return sizeof(T) == 4 ? static_cast<T>(__builtin_ceilf(static_cast<float>(a))) : static_cast<T>(__builtin_ceil(a));
  }
};

/// −0 counts as smaller than +0, a NaN loses against a number.
struct Min {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    const bool first = (a < b) | ((a == b) & (bits(a) > bits(b)));
    return a != a ? b : b != b ? a : first ? a : b;
  }
};
struct Max {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    const bool first = (a > b) | ((a == b) & (bits(a) < bits(b)));
    return a != a ? b : b != b ? a : first ? a : b;
  }
};
RIDGE_PTX_INLINE float nan_like(float) {
  return as_float(0x7fffffffu);
}
RIDGE_PTX_INLINE double nan_like(double) {
  return as_double(0x7fffffffffffffffu);
}
struct MinNan {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    return ((a != a) | (b != b)) ? nan_like(a) : Min::f(a, b);
  }
};
struct MaxNan {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    return ((a != a) | (b != b)) ? nan_like(a) : Max::f(a, b);
  }
};
struct CopySign {  // the sign of a, the magnitude of b
  static RIDGE_PTX_INLINE float f(float a, float b) {
    return as_float((bits(a) & 0x80000000u) | (bits(b) & 0x7fffffffu));
  }
  static RIDGE_PTX_INLINE double f(double a, double b) {
    return as_double((bits(a) >> 63 << 63) | (bits(b) << 1 >> 1));
  }
};

template <Rounding R>
struct Add {
  static RIDGE_PTX_INLINE float f(float a, float b) { return add<R>(a, b); }
};
template <Rounding R>
struct Sub {
  static RIDGE_PTX_INLINE float f(float a, float b) { return add<R>(a, -b); }
};
template <Rounding R>
struct Mul {
  static RIDGE_PTX_INLINE float f(float a, float b) { return mul<R>(a, b); }
};
template <Rounding R>
struct Div {
  static RIDGE_PTX_INLINE float f(float a, float b) { return div<R>(a, b); }
};
template <Rounding R>
struct Fma {
  static RIDGE_PTX_INLINE float f(float a, float b, float c) { return fma<R>(a, b, c); }
};
struct Add64 {
  static RIDGE_PTX_INLINE double f(double a, double b) { return a + b; }
};
struct Sub64 {
  static RIDGE_PTX_INLINE double f(double a, double b) { return a - b; }
};
struct Mul64 {
  static RIDGE_PTX_INLINE double f(double a, double b) { return a * b; }
};
struct Div64 {
  static RIDGE_PTX_INLINE double f(double a, double b) { return a / b; }
};
struct Fma64 {
  static RIDGE_PTX_INLINE double f(double a, double b, double c) { return __builtin_fma(a, b, c); }
};

template <Operation64 O, Rounding R>
void run_directed(Warp& w, const Op& op, u32 lanes) {
  double* d = lanes_of<double>(w, op.dst);
  directed64(O, R, lanes, d, lanes_of<double>(w, op.a), lanes_of<double>(w, op.b), lanes_of<double>(w, op.c));
}

template <Operation64 O, class Nearest>
Handler double_binary(Rounding r) {
  switch (r) {
    case Rounding::zero:
      return run_directed<O, Rounding::zero>;
    case Rounding::down:
      return run_directed<O, Rounding::down>;
    case Rounding::up:
      return run_directed<O, Rounding::up>;
    default:
      return run_binary<Nearest, double>;
  }
}

template <template <Rounding> class F>
Handler single_binary(Rounding r) {
  switch (r) {
    case Rounding::zero:
      return run_binary<F<Rounding::zero>, float>;
    case Rounding::down:
      return run_binary<F<Rounding::down>, float>;
    case Rounding::up:
      return run_binary<F<Rounding::up>, float>;
    default:
      return run_binary<F<Rounding::nearest>, float>;
  }
}

template <class T>
Handler unary_of(Unary u) {
  switch (u) {
    case Unary::neg:
      return run_unary<Neg, T>;
    case Unary::abs:
      return run_unary<Abs, T>;
    case Unary::saturate:
      return run_unary<Saturate, T>;
    case Unary::relu:
      return run_unary<Relu, T>;
    case Unary::round_nearest:
      return run_unary<RoundNearest, T>;
    case Unary::round_zero:
      return run_unary<RoundZero, T>;
    case Unary::round_down:
      return run_unary<RoundDown, T>;
    case Unary::round_up:
      return run_unary<RoundUp, T>;
    default:
      return nullptr;
  }
}

template <class T>
Handler order_of(Binary b) {
  switch (b) {
    case Binary::min:
      return run_binary<Min, T>;
    case Binary::max:
      return run_binary<Max, T>;
    case Binary::min_nan:
      return run_binary<MinNan, T>;
    case Binary::max_nan:
      return run_binary<MaxNan, T>;
    case Binary::copysign:
      return run_binary<CopySign, T>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler float_unary(Unary u, Type t) {
  if (t == Type::f32) return u == Unary::flush ? run_unary<Flush, float> : unary_of<float>(u);
  return t == Type::f64 ? unary_of<double>(u) : nullptr;
}

Handler float_binary(Binary b, Type t, Rounding r) {
  if (t == Type::f32) {
    switch (b) {
      case Binary::add:
        return single_binary<Add>(r);
      case Binary::sub:
        return single_binary<Sub>(r);
      case Binary::mul:
        return single_binary<Mul>(r);
      case Binary::div:
        return single_binary<Div>(r);
      default:
        return order_of<float>(b);
    }
  }
  switch (b) {
    case Binary::add:
      return double_binary<Operation64::add, Add64>(r);
    case Binary::sub:
      return double_binary<Operation64::sub, Sub64>(r);
    case Binary::mul:
      return double_binary<Operation64::mul, Mul64>(r);
    case Binary::div:
      return double_binary<Operation64::div, Div64>(r);
    default:
      return order_of<double>(b);
  }
}

Handler float_ternary(Ternary o, Type t, Rounding r) {
  if (o != Ternary::fma) return nullptr;
  if (t == Type::f64) {
    switch (r) {
      case Rounding::zero:
        return run_directed<Operation64::fma, Rounding::zero>;
      case Rounding::down:
        return run_directed<Operation64::fma, Rounding::down>;
      case Rounding::up:
        return run_directed<Operation64::fma, Rounding::up>;
      default:
        return run_ternary<Fma64, double>;
    }
  }
  switch (r) {
    case Rounding::zero:
      return run_ternary<Fma<Rounding::zero>, float>;
    case Rounding::down:
      return run_ternary<Fma<Rounding::down>, float>;
    case Rounding::up:
      return run_ternary<Fma<Rounding::up>, float>;
    default:
      return run_ternary<Fma<Rounding::nearest>, float>;
  }
}

}  // namespace ridge::ptx::RIDGE_PTX_ISA
