// The table of handlers: for every operation and type the function that executes it for the active lanes of a warp.
#pragma once

#include "kernels/ptx/machine/access.hpp"
#include "kernels/ptx/text/type.hpp"

namespace ridge::ptx {

enum class Unary : u8 {
  mov,
  neg,
  not_,
  cnot,
  abs,
  popc,
  clz,
  brev,
  bfind,
  bfind_shift,
  rcp,
  sqrt,
  rsqrt,
  ex2,
  ex2_ftz,
  lg2,
  sin,
  cos,
  tanh,
  flush,
  saturate,
  relu,
  round_nearest,
  round_zero,
  round_down,
  round_up,
  rcp_high,
  rsqrt_high
};
enum class Binary : u8 {
  add,
  sub,
  mul,
  mul_hi,
  mul_wide,
  div,
  rem,
  min,
  max,
  min_nan,
  max_nan,
  and_,
  or_,
  xor_,
  shl,
  shr,
  add_sat,
  sub_sat,
  copysign,
  mul24
};
enum class Ternary : u8 {
  fma,
  mad,
  mad_hi,
  mad_wide,
  sad,
  mad24,
  funnel_left,
  funnel_right,
  bfe,
  lop3,
  prmt,
  dp4a,
  dp2a,
  fns,
  bfi,
  szext,
  bmsk
};
enum class Compare : u8 { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
enum class AtomicOp : u8 { add, min, max, and_, or_, xor_, exch, cas, inc, dec };
enum class Collective : u8 { shuffle, vote, match_any, match_all, redux, activemask, elect };

/// What `setp` and `set` need: d | q = compare(a, b) combined with predicate c.
struct CompareExtra : Extra {
  s32 combined = no_register, second = no_register;
  bool combined_inverted = false, flush = false;
  u8 combination = 0;        ///< 0 none, 1 and, 2 or, 3 xor
  Type result = Type::pred;  ///< type of the destination of `set`
};

/// Elements of a vector move, or of a packed operand.
struct ElementsExtra : Extra {
  std::vector<u32> registers;
  unsigned element_bytes = 4, whole_bytes = 4;
};

struct AtomicExtra : Access {
  AtomicOp operation = AtomicOp::add;
  s32 result = no_register;
  u32 operand = 0, second = 0;
};

struct MatrixExtra : Extra {
  int m = 0, n = 0, k = 0;
  Type a_type = Type::none, b_type = Type::none, c_type = Type::none, d_type = Type::none;
  std::vector<u32> a, b, c, d;
  bool saturate = false, bitwise_and = false;
};

/// The functions return null where the instruction set has no such operation.
struct Handlers {
  const char* name;
  Handler (*unary)(Unary, Type);
  Handler (*binary)(Binary, Type, Rounding);
  Handler (*ternary)(Ternary, Type, Rounding);
  Handler (*setp)(Compare, Type);
  Handler (*set)(Compare, Type);
  Handler (*select)(unsigned bytes);
  Handler (*convert)(Type to, Type from);   ///< common conversions, to nearest (to zero for integers)
  Handler (*convert_pair)(Type to);         ///< two floats to a packed half
  Handler (*pack)(unsigned element_bytes);  ///< two elements into one register, and back
  Handler (*unpack)(unsigned element_bytes);
  Handler (*load)(Space, unsigned element_bytes, unsigned register_bytes, bool is_signed, bool ordered);
  Handler (*store)(Space, unsigned element_bytes, unsigned register_bytes, bool ordered);
  Handler (*load_parameter)(unsigned element_bytes, unsigned register_bytes, bool is_signed);
  Handler matrix_multiply;
  race::NoteGranules note_granules;
};

/// The best table for this processor; or a named one ("base", "v3", "v4"), null when it cannot run here.
const Handlers& handlers();
const Handlers* handlers_named(const char* name);

}  // namespace ridge::ptx
