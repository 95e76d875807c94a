// Handlers that need no vector code: atomics, asynchronous copies, whole-warp operations, conversions in general.
#pragma once

#include "kernels/ptx/arith/convert.hpp"
#include "kernels/ptx/lanes/handlers.hpp"

namespace ridge::ptx {

/// The addresses of an access for all lanes (inactive lanes included).
void addresses_of(Warp& w, const Access& x, u64* address);
/// resolve() and observe() in one.
void touch(Warp& w, const Op& op, const Access& x, u32 lanes, const u64* address, u8** host, unsigned bytes,
           AccessKind kind);
/// 32 lanes of a register of 2, 4 or 8 bytes as integers, and back.
u64 read_lane(Warp& w, u32 offset, unsigned bytes, int lane);
void write_lane(Warp& w, u32 offset, unsigned bytes, int lane, u64 value);

struct ConversionExtra : Extra {
  Conversion conversion;
  unsigned to_bytes = 4, from_bytes = 4;
};
struct AsyncExtra : Extra {
  Access to, from;
  u32 bytes = 16;
  s32 source_bytes = no_register, ignore = no_register;
  bool ignore_inverted = false;
};
struct MatrixAccessExtra : Extra {
  Access memory;
  bool transposed = false, is_store = false, column_major = false;
  int count = 1;
  std::vector<u32> registers;
  // wmma only
  char fragment = 'a';
  int m = 0, n = 0, k = 0;
  Type type = Type::f16;
  s32 stride = no_register;
  int default_stride = 0;
};

void run_nothing(Warp&, const Op&, u32 lanes);
void run_clock(Warp&, const Op&, u32 lanes);
void run_predicate(Warp&, const Op&, u32 lanes);  ///< k: 0 mov 1 not 2 and 3 or 4 xor; n: 1 a inverted, 2 b inverted
void run_testp(Warp&, const Op&, u32 lanes);      ///< k: kind, n: double
void run_slct(Warp&, const Op&, u32 lanes);       ///< k: float condition, n: bytes
void run_isspacep(Warp&, const Op&, u32 lanes);   ///< k: Space
void run_carry(Warp&, const Op&, u32 lanes);      ///< k: 1 writes, 2 reads the carry; n: see lower_carry
void run_pack(Warp&, const Op&, u32 lanes);
void run_unpack(Warp&, const Op&, u32 lanes);
void run_convert(Warp&, const Op&, u32 lanes);
void run_convert_packed(Warp&, const Op&, u32 lanes);  ///< k: number of source operands
void run_convert_pack(Warp&, const Op&, u32 lanes);    ///< cvt.pack; k: Type, n: has a third operand
void run_directed32(Warp&, const Op&, u32 lanes);      ///< k: Unary rcp or sqrt, n: Rounding
void run_directed64(Warp&, const Op&, u32 lanes);
Handler atomic_handler(Type t);
void run_copy_async(Warp&, const Op&, u32 lanes);
void run_commit_group(Warp&, const Op&, u32 lanes);
void run_wait_group(Warp&, const Op&, u32 lanes);  ///< imm: groups that may stay open, −1: wait for all
void finish_copies(Warp& w, int lane, u32 before_group);
void run_shuffle(Warp&, const Op&, u32 lanes);  ///< k: 0 up 1 down 2 bfly 3 idx; imm: predicate offset or −1
void run_vote(Warp&, const Op&, u32 lanes);     ///< k: 0 all 1 any 2 uni 3 ballot; n: inverted
void run_match(Warp&, const Op&, u32 lanes);    ///< k: all, n: bytes; imm: predicate offset or −1
void run_redux(Warp&, const Op&, u32 lanes);    ///< k: AtomicOp, n: Type
void run_activemask(Warp&, const Op&, u32 lanes);
void run_elect(Warp&, const Op&, u32 lanes);
void run_matrix_move(Warp&, const Op&, u32 lanes);    ///< ldmatrix, stmatrix
void run_transpose(Warp&, const Op&, u32 lanes);      ///< movmatrix
void run_fragment_move(Warp&, const Op&, u32 lanes);  ///< wmma load and store

}  // namespace ridge::ptx
