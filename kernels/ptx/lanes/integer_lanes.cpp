// Which handler executes an integer operation of a type; the operations themselves are in integer_operations.hpp.
#include "kernels/ptx/lanes/integer_operations.hpp"

namespace ridge::ptx::RIDGE_PTX_ISA {
namespace {

template <class T>
void run_shl(Warp& w, const Op& op, u32 lanes) {
  const T* a = lanes_of<T>(w, op.a);
  const u32* n = lanes_of<u32>(w, op.b);
  put(
      lanes_of<T>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) { return shift_left(a[i], n[i]); });
}
template <class T>
void run_shr(Warp& w, const Op& op, u32 lanes) {
  const T* a = lanes_of<T>(w, op.a);
  const u32* n = lanes_of<u32>(w, op.b);
  put(
      lanes_of<T>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) { return shift_right(a[i], n[i]); });
}

/// Operations whose result does not depend on the sign.
template <template <class> class Make>
Handler by_width(Type t) {
  switch (bits_of(t)) {
    case 16:
      return Make<u16>::handler();
    case 32:
      return Make<u32>::handler();
    case 64:
      return Make<u64>::handler();
    default:
      return nullptr;
  }
}
template <template <class> class Make>
Handler by_type(Type t) {
  switch (t) {
    case Type::s16:
      return Make<s16>::handler();
    case Type::s32:
      return Make<s32>::handler();
    case Type::s64:
      return Make<s64>::handler();
    default:
      return by_width<Make>(t);
  }
}
#define RIDGE_PTX_MAKER(Name, Expression)           \
  template <class T>                                \
  struct Name {                                     \
    static Handler handler() { return Expression; } \
  };
RIDGE_PTX_MAKER(MakeMov, (run_unary<Mov, T>))
RIDGE_PTX_MAKER(MakeNeg, (run_unary<Neg, T>))
RIDGE_PTX_MAKER(MakeNot, (run_unary<Not, T>))
RIDGE_PTX_MAKER(MakeCnot, (run_unary<Cnot, T>))
RIDGE_PTX_MAKER(MakeAdd, (run_binary<Add, T>))
RIDGE_PTX_MAKER(MakeSub, (run_binary<Sub, T>))
RIDGE_PTX_MAKER(MakeMul, (run_binary<Mul, T>))
RIDGE_PTX_MAKER(MakeMulHi, (run_binary<MulHi, T>))
RIDGE_PTX_MAKER(MakeDiv, (run_binary<Div, T>))
RIDGE_PTX_MAKER(MakeRem, (run_binary<Rem, T>))
RIDGE_PTX_MAKER(MakeMin, (run_binary<Min, T>))
RIDGE_PTX_MAKER(MakeMax, (run_binary<Max, T>))
RIDGE_PTX_MAKER(MakeAnd, (run_binary<And, T>))
RIDGE_PTX_MAKER(MakeOr, (run_binary<Or, T>))
RIDGE_PTX_MAKER(MakeXor, (run_binary<Xor, T>))
RIDGE_PTX_MAKER(MakeShl, (run_shl<T>))
RIDGE_PTX_MAKER(MakeShr, (run_shr<T>))
RIDGE_PTX_MAKER(MakeMad, (run_ternary<Mad, T>))
RIDGE_PTX_MAKER(MakeMadHi, (run_ternary<MadHi, T>))
RIDGE_PTX_MAKER(MakeSad, (run_ternary<Sad, T>))

template <class F>
Handler wide_binary(Type t) {
  switch (t) {
    case Type::u16:
      return run_binary<F, u16, u32>;
    case Type::s16:
      return run_binary<F, s16, s32>;
    case Type::u32:
      return run_binary<F, u32, u64>;
    case Type::s32:
      return run_binary<F, s32, s64>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler integer_unary(Unary u, Type t) {
  const bool w64 = bits_of(t) == 64;
  if (bits_of(t) < 16) return nullptr;
  switch (u) {
    case Unary::mov:
      return by_width<MakeMov>(t);
    case Unary::neg:
      return by_width<MakeNeg>(t);
    case Unary::not_:
      return by_width<MakeNot>(t);
    case Unary::cnot:
      return by_width<MakeCnot>(t);
    case Unary::abs:
      return t == Type::s16   ? run_unary<Abs, s16>
             : t == Type::s32 ? run_unary<Abs, s32>
             : t == Type::s64 ? run_unary<Abs, s64>
                              : nullptr;
    case Unary::popc:
      return w64 ? run_unary<Popc, u64, u32> : run_unary<Popc, u32, u32>;
    case Unary::clz:
      return w64 ? run_unary<Clz, u64, u32> : run_unary<Clz, u32, u32>;
    case Unary::brev:
      return w64 ? run_unary<Brev, u64> : run_unary<Brev, u32>;
    case Unary::bfind:
      return t == Type::u32   ? run_unary<Bfind, u32, u32>
             : t == Type::s32 ? run_unary<Bfind, s32, u32>
             : t == Type::u64 ? run_unary<Bfind, u64, u32>
                              : run_unary<Bfind, s64, u32>;
    case Unary::bfind_shift:
      return t == Type::u32   ? run_unary<BfindShift, u32, u32>
             : t == Type::s32 ? run_unary<BfindShift, s32, u32>
             : t == Type::u64 ? run_unary<BfindShift, u64, u32>
                              : run_unary<BfindShift, s64, u32>;
    case Unary::relu:
      return nullptr;
    default:
      return nullptr;
  }
}

Handler integer_binary(Binary b, Type t) {
  if (t == Type::u16x2 || t == Type::s16x2) {
    const bool s = t == Type::s16x2;
    switch (b) {
      case Binary::add:
        return run_binary<BothUnsigned<Add>, u32>;
      case Binary::min:
        return s ? run_binary<BothSigned<Min>, u32> : run_binary<BothUnsigned<Min>, u32>;
      case Binary::max:
        return s ? run_binary<BothSigned<Max>, u32> : run_binary<BothUnsigned<Max>, u32>;
      default:
        return nullptr;
    }
  }
  switch (b) {
    case Binary::add:
      return by_width<MakeAdd>(t);
    case Binary::sub:
      return by_width<MakeSub>(t);
    case Binary::mul:
      return by_width<MakeMul>(t);
    case Binary::mul_hi:
      return by_type<MakeMulHi>(t);
    case Binary::mul_wide:
      return wide_binary<MulWide>(t);
    case Binary::div:
      return by_type<MakeDiv>(t);
    case Binary::rem:
      return by_type<MakeRem>(t);
    case Binary::min:
      return by_type<MakeMin>(t);
    case Binary::max:
      return by_type<MakeMax>(t);
    case Binary::and_:
      return by_width<MakeAnd>(t);
    case Binary::or_:
      return by_width<MakeOr>(t);
    case Binary::xor_:
      return by_width<MakeXor>(t);
    case Binary::shl:
      return by_width<MakeShl>(t);
    case Binary::shr:
      return by_type<MakeShr>(t);
    case Binary::add_sat:
      return t == Type::s32 ? run_binary<AddSat, s32> : nullptr;
    case Binary::sub_sat:
      return t == Type::s32 ? run_binary<SubSat, s32> : nullptr;
    case Binary::mul24:
      return t == Type::s32 ? run_binary<Mul24, s32> : t == Type::u32 ? run_binary<Mul24, u32> : nullptr;
    default:
      return nullptr;
  }
}

Handler integer_ternary(Ternary o, Type t) {
  switch (o) {
    case Ternary::mad:
      return by_width<MakeMad>(t);
    case Ternary::mad_hi:
      return by_type<MakeMadHi>(t);
    case Ternary::sad:
      return by_type<MakeSad>(t);
    case Ternary::mad24:
      return t == Type::s32 ? run_ternary<Mad24, s32> : t == Type::u32 ? run_ternary<Mad24, u32> : nullptr;
    case Ternary::mad_wide:
      switch (t) {
        case Type::u16:
          return run_ternary<MadWide, u16, u32>;
        case Type::s16:
          return run_ternary<MadWide, s16, s32>;
        case Type::u32:
          return run_ternary<MadWide, u32, u64>;
        case Type::s32:
          return run_ternary<MadWide, s32, s64>;
        default:
          return nullptr;
      }
    default:
      return nullptr;
  }
}

}  // namespace ridge::ptx::RIDGE_PTX_ISA
