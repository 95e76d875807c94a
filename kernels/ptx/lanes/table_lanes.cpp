// The table of one instruction set.
#include "kernels/ptx/lanes/lanes.hpp"

#define RIDGE_PTX_TEXT2(x) #x
#define RIDGE_PTX_TEXT(x) RIDGE_PTX_TEXT2(x)

namespace ridge::ptx::RIDGE_PTX_ISA {
namespace {

bool is_half(Type t) {
  return t == Type::f16 || t == Type::bf16 || t == Type::f16x2 || t == Type::bf16x2;
}

Handler any_unary(Unary u, Type t) {
  if (is_half(t) && u != Unary::mov) return half_unary(u, t);
  if (Handler h = float_unary(u, t)) return h;
  if (Handler h = special_unary(u, t)) return h;
  return integer_unary(u, t);
}

Handler any_binary(Binary b, Type t, Rounding r) {
  if (is_half(t)) return half_binary(b, t);
  return t == Type::f32 || t == Type::f64 ? float_binary(b, t, r) : integer_binary(b, t);
}

Handler any_ternary(Ternary o, Type t, Rounding r) {
  if (is_half(t)) return half_ternary(o, t);
  if (t == Type::f32 || t == Type::f64) return float_ternary(o, t, r);
  if (Handler h = integer_ternary(o, t)) return h;
  return bit_ternary(o, t);
}

}  // namespace

const Handlers& table() {
  static const Handlers handlers_here = {RIDGE_PTX_TEXT(RIDGE_PTX_ISA),
                                         any_unary,
                                         any_binary,
                                         any_ternary,
                                         compare_setp,
                                         compare_set,
                                         select_of,
                                         convert_of,
                                         convert_pair_of,
                                         pack_of,
                                         unpack_of,
                                         load_of,
                                         store_of,
                                         load_parameter_of,
                                         multiply_matrices,
                                         note_granules};
  return handlers_here;
}

}  // namespace ridge::ptx::RIDGE_PTX_ISA
