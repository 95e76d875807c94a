// What a launch counts. No times: the reference machine has none.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ridge::ptx {

enum class InstructionClass : std::uint8_t {
  floating,
  integer,
  logic,
  conversion,
  special,
  tensor,
  compare,
  move,
  load,
  store,
  atomic,
  branch,
  barrier,
  warp,
  other
};
inline constexpr std::size_t instruction_classes = 15;
std::string_view name_of(InstructionClass c);

/// The type that floating-point operations are counted under; packed types count each half.
enum class FlopType : std::uint8_t { f16, bf16, f32, f64, tf32, f8, integer };
inline constexpr std::size_t flop_types = 7;
std::string_view name_of(FlopType t);

struct InstructionCount {
  std::uint64_t warps = 0;  ///< executed by a warp, whatever its mask
  std::uint64_t lanes = 0;  ///< lanes that were active and whose guard was true, summed
  double active_lanes() const { return warps ? static_cast<double>(lanes) / static_cast<double>(warps) : 0; }
};

/// One direction of one memory space. A request is one instruction executed by one warp with at least one active lane.
struct Traffic {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;         ///< requested: lanes × bytes per lane
  std::uint64_t unique_bytes = 0;  ///< distinct bytes of the launch (of each block for shared memory); not for local
  std::uint64_t sectors = 0;       ///< distinct aligned 32-byte pieces per request, summed (global)
  std::uint64_t lines = 0;         ///< distinct aligned 128-byte pieces per request, summed (global)
  std::uint64_t wavefronts = 0;    ///< passes over the 32 banks of 4 bytes (shared)
  std::uint64_t conflicts = 0;     ///< wavefronts beyond one per pass (shared); of atomics: lanes that wait
};

struct SpaceTraffic {
  Traffic load, store;
};

struct Counts {
  // Always counted.
  InstructionCount instructions;
  std::array<InstructionCount, instruction_classes> by_class{};
  std::uint64_t branches = 0;            ///< branch instructions executed by warps
  std::uint64_t divergent_branches = 0;  ///< those where active lanes went both ways
  std::uint64_t barriers = 0;            ///< block barriers executed by warps
  /// add, sub, mul, div 1; fma 2; per element. Rounding to integers, min, max, abs, neg, compares are no FLOPs.
  std::array<std::uint64_t, flop_types> flops{};
  /// Of matrix instructions: 2·M·N·K each, under the type of A.
  std::array<std::uint64_t, flop_types> tensor_flops{};
  std::uint64_t integer_operations = 0;  ///< lanes of integer arithmetic; mad 2. Logic and shifts are not counted.
  std::uint64_t special_operations = 0;  ///< lanes of rcp, sqrt, rsqrt, sin, cos, ex2, lg2, tanh
  std::uint64_t conversions = 0;         ///< lanes of cvt
  std::uint64_t atomics = 0;             ///< lanes of atom and red
  std::uint64_t barrier_releases = 0;    ///< times a block barrier let its threads go

  // Counted when LaunchOptions::counts is set; zero otherwise.
  SpaceTraffic global, shared, local, constant;
  Traffic atomic_global, atomic_shared;

  InstructionCount& of(InstructionClass c) { return by_class[static_cast<std::size_t>(c)]; }
  const InstructionCount& of(InstructionClass c) const { return by_class[static_cast<std::size_t>(c)]; }
  std::uint64_t& flops_of(FlopType t) { return flops[static_cast<std::size_t>(t)]; }
  std::uint64_t flops_of(FlopType t) const { return flops[static_cast<std::size_t>(t)]; }
  std::uint64_t total_flops() const;
  Counts& operator+=(const Counts& other);
};

}  // namespace ridge::ptx
