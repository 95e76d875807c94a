// Arithmetic of f16 and bf16, alone and in pairs.
#include "kernels/ptx/arith/special.hpp"
#include "kernels/ptx/lanes/lanes.hpp"

namespace ridge::ptx::RIDGE_PTX_ISA {
namespace {

template <class H>
RIDGE_PTX_INLINE bool is_nan(H a) {
  const float f = to_float(a);
  return f != f;
}
template <class H>
RIDGE_PTX_INLINE H canonical() {
  return {0x7fff};
}

struct Add {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a, H b) {
    return half_add(a, b);
  }
};
struct Sub {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a, H b) {
    return half_sub(a, b);
  }
};
struct Mul {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a, H b) {
    return half_mul(a, b);
  }
};
struct Fma {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a, H b, H c) {
    return half_fma(a, b, c);
  }
};
struct Min {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a, H b) {
    const float x = to_float(a), y = to_float(b);
    const bool first = (x < y) | ((x == y) & (a.v > b.v));
    const u16 number = x != x ? b.v : y != y ? a.v : first ? a.v : b.v;
    return {static_cast<u16>(((x != x) & (y != y)) ? 0x7fff : number)};
  }
};
struct Max {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a, H b) {
    const float x = to_float(a), y = to_float(b);
    const bool first = (x > y) | ((x == y) & (a.v < b.v));
    const u16 number = x != x ? b.v : y != y ? a.v : first ? a.v : b.v;
    return {static_cast<u16>(((x != x) & (y != y)) ? 0x7fff : number)};
  }
};
struct MinNan {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a, H b) {
    return (u32{is_nan(a)} | u32{is_nan(b)}) != 0 ? canonical<H>() : Min::f(a, b);
  }
};
struct MaxNan {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a, H b) {
    return (u32{is_nan(a)} | u32{is_nan(b)}) != 0 ? canonical<H>() : Max::f(a, b);
  }
};
struct Neg {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a) {
    return {static_cast<u16>(a.v ^ 0x8000)};
  }
};
struct Abs {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a) {
    return {static_cast<u16>(a.v & 0x7fff)};
  }
};
struct Saturate {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a) {
    const float x = to_float(a);
    return from_float<H>(x > 0 ? (x < 1 ? x : 1.0f) : 0.0f);
  }
};
struct Relu {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a) {
    const float x = to_float(a);
    return {static_cast<u16>(x != x ? 0x7fff : x > 0 ? a.v : 0)};
  }
};
struct Ex2 {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a) {
    return from_float<H>(exp2_approx(to_float(a)));
  }
};
struct Tanh {
  template <class H>
  static RIDGE_PTX_INLINE H f(H a) {
    return from_float<H>(tanh_approx(to_float(a)));
  }
};

/// Applies F to both halves.
template <class F>
struct Both {
  template <class H>
  static RIDGE_PTX_INLINE pair<H> f(pair<H> a) {
    return {F::f(a.lo), F::f(a.hi)};
  }
  template <class H>
  static RIDGE_PTX_INLINE pair<H> f(pair<H> a, pair<H> b) {
    return {F::f(a.lo, b.lo), F::f(a.hi, b.hi)};
  }
  template <class H>
  static RIDGE_PTX_INLINE pair<H> f(pair<H> a, pair<H> b, pair<H> c) {
    return {F::f(a.lo, b.lo, c.lo), F::f(a.hi, b.hi, c.hi)};
  }
};

template <class F>
Handler unary_for(Type t) {
  switch (t) {
    case Type::f16:
      return run_unary<F, f16>;
    case Type::bf16:
      return run_unary<F, bf16>;
    case Type::f16x2:
      return run_unary<Both<F>, pair<f16>>;
    default:
      return run_unary<Both<F>, pair<bf16>>;
  }
}
template <class F>
Handler binary_for(Type t) {
  switch (t) {
    case Type::f16:
      return run_binary<F, f16>;
    case Type::bf16:
      return run_binary<F, bf16>;
    case Type::f16x2:
      return run_binary<Both<F>, pair<f16>>;
    default:
      return run_binary<Both<F>, pair<bf16>>;
  }
}

}  // namespace

Handler half_unary(Unary u, Type t) {
  switch (u) {
    case Unary::neg:
      return unary_for<Neg>(t);
    case Unary::abs:
      return unary_for<Abs>(t);
    case Unary::saturate:
      return unary_for<Saturate>(t);
    case Unary::relu:
      return unary_for<Relu>(t);
    case Unary::ex2:
      return unary_for<Ex2>(t);
    case Unary::tanh:
      return unary_for<Tanh>(t);
    default:
      return nullptr;
  }
}

Handler half_binary(Binary b, Type t) {
  switch (b) {
    case Binary::add:
      return binary_for<Add>(t);
    case Binary::sub:
      return binary_for<Sub>(t);
    case Binary::mul:
      return binary_for<Mul>(t);
    case Binary::min:
      return binary_for<Min>(t);
    case Binary::max:
      return binary_for<Max>(t);
    case Binary::min_nan:
      return binary_for<MinNan>(t);
    case Binary::max_nan:
      return binary_for<MaxNan>(t);
    default:
      return nullptr;
  }
}

Handler half_ternary(Ternary o, Type t) {
  if (o != Ternary::fma) return nullptr;
  switch (t) {
    case Type::f16:
      return run_ternary<Fma, f16>;
    case Type::bf16:
      return run_ternary<Fma, bf16>;
    case Type::f16x2:
      return run_ternary<Both<Fma>, pair<f16>>;
    default:
      return run_ternary<Both<Fma>, pair<bf16>>;
  }
}

}  // namespace ridge::ptx::RIDGE_PTX_ISA
