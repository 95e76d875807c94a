// One decoded operation, and a kernel made of them. Operands are byte offsets into the register file of a warp, where a
// register is 32 values side by side and a predicate is one 32-bit mask.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/ptx/arith/bits.hpp"
#include "kernels/ptx/machine/counts.hpp"
#include "kernels/ptx/text/syntax.hpp"

namespace ridge::ptx {

struct Warp;
struct Op;
using Handler = void (*)(Warp&, const Op&, u32 lanes);

/// How an operation moves the program counter, and so what the scheduler does with it.
enum class Flow : u8 { straight, branch, branch_table, exit, barrier, warp_collective, warp_barrier, yield, trap };

/// Anything an operation needs beyond its fields.
struct Extra {
  Extra() = default;
  Extra(const Extra&) = default;
  Extra& operator=(const Extra&) = default;
  virtual ~Extra() = default;
};

inline constexpr u32 all_lanes = 0xffffffffu;
inline constexpr s32 no_register = -1;

struct Op {
  Handler run = nullptr;
  u32 dst = 0, a = 0, b = 0, c = 0, d = 0;
  s32 guard = no_register;    ///< predicate; lanes where it is false skip the operation
  u32 target = 0;             ///< operation index of a branch, or index of a branch table
  s32 members = no_register;  ///< member mask of a warp-synchronous operation
  u32 site = 0;               ///< index into Kernel::sites
  Flow flow = Flow::straight;
  bool guard_inverted = false;
  u8 k = 0, n = 0;  ///< small variants; their meaning belongs to the handler
  s64 imm = 0;
  const Extra* extra = nullptr;
};

/// A memory operand and what is moved.
struct Access : Extra {
  Space space = Space::generic;
  u8 element_bytes = 4, count = 1;
  bool is_signed = false, wide_base = true, ordered = false;  ///< ordered: volatile, relaxed, acquire or release
  u32 registers[8] = {};
  s32 base = no_register;
  s64 offset = 0;
  u32 slot = 0;  ///< which cached window of the worker it uses
};

/// Where an operation came from and what it counts as.
struct Site {
  Location where;
  std::string text;
  InstructionClass kind = InstructionClass::other;
  FlopType flop_type = FlopType::f32;
  u32 flops = 0;         ///< per lane
  u32 tensor_flops = 0;  ///< per warp
  u32 integer_operations = 0;
  bool counted = true;  ///< false for the second and later operations of one instruction
};

/// A register that holds the same value in all lanes from the start.
struct ConstantRegister {
  u32 offset = 0, bytes = 4;
  u64 value = 0;
  enum class Kind : u8 { value, dynamic_shared, symbol } kind = Kind::value;
  std::string symbol;  ///< `value` is added to its address
};

enum class Special : u8 {
  tid,
  ntid,
  ctaid,
  nctaid,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_lt,
  lanemask_le,
  lanemask_gt,
  lanemask_ge,
  dynamic_shared_bytes,
  total_shared_bytes,
  zero,
  one,
  workspace_low,
  workspace_high
};
struct SpecialRegister {
  Special which = Special::tid;
  u8 axis = 0;
  u32 offset = 0, bytes = 4;
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Op> code;
  std::vector<Site> sites;
  std::vector<std::unique_ptr<Extra>> extras;
  std::vector<ConstantRegister> constants;
  std::vector<SpecialRegister> specials;
  std::vector<std::vector<u32>> tables;
  u32 register_bytes = 64;  ///< of one warp
  u32 register_count = 0;   ///< registers named in the PTX, 32-bit units per thread
  u32 parameter_bytes = 0;
  u32 shared_bytes = 0;  ///< static
  u32 local_bytes = 0;   ///< per thread
  u32 access_slots = 0;
  u32 shared_granule = 4;  ///< smallest access to shared memory in bytes, at most 4
  u32 max_threads = 0;
  u32 required[3] = {0, 0, 0};
  std::vector<std::string> files;  ///< by Location::file, empty where unknown
};

/// Generic addresses of the per-block and per-thread spaces lie in windows above all device and host addresses.
inline constexpr u64 shared_window = u64{1} << 60, local_window = u64{2} << 60, param_window = u64{3} << 60;

}  // namespace ridge::ptx
