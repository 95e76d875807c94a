// Adding up counts of workers and launches.
#include "kernels/ptx/machine/counts.hpp"

#include <numeric>

namespace ridge::ptx {
namespace {

void add(InstructionCount& to, const InstructionCount& from) {
  to.warps += from.warps;
  to.lanes += from.lanes;
}

void add(Traffic& to, const Traffic& from) {
  to.requests += from.requests;
  to.bytes += from.bytes;
  to.unique_bytes += from.unique_bytes;
  to.sectors += from.sectors;
  to.lines += from.lines;
  to.wavefronts += from.wavefronts;
  to.conflicts += from.conflicts;
}

void add(SpaceTraffic& to, const SpaceTraffic& from) {
  add(to.load, from.load);
  add(to.store, from.store);
}

}  // namespace

std::string_view name_of(InstructionClass c) {
  constexpr std::array<std::string_view, instruction_classes> names = {
      "floating", "integer", "logic",  "conversion", "special", "tensor", "compare", "move",
      "load",     "store",   "atomic", "branch",     "barrier", "warp",   "other"};
  return names[static_cast<std::size_t>(c)];
}

std::string_view name_of(FlopType t) {
  constexpr std::array<std::string_view, flop_types> names = {"f16", "bf16", "f32", "f64", "tf32", "f8", "integer"};
  return names[static_cast<std::size_t>(t)];
}

std::uint64_t Counts::total_flops() const {
  const std::uint64_t scalar = std::accumulate(flops.begin(), flops.end(), std::uint64_t{0});
  return std::accumulate(tensor_flops.begin(), tensor_flops.end(), scalar);
}

Counts& Counts::operator+=(const Counts& o) {
  add(instructions, o.instructions);
  for (std::size_t i = 0; i < instruction_classes; ++i) add(by_class[i], o.by_class[i]);
  for (std::size_t i = 0; i < flop_types; ++i) {
    flops[i] += o.flops[i];
    tensor_flops[i] += o.tensor_flops[i];
  }
  branches += o.branches;
  divergent_branches += o.divergent_branches;
  barriers += o.barriers;
  integer_operations += o.integer_operations;
  special_operations += o.special_operations;
  conversions += o.conversions;
  atomics += o.atomics;
  barrier_releases += o.barrier_releases;
  add(global, o.global);
  add(shared, o.shared);
  add(local, o.local);
  add(constant, o.constant);
  add(atomic_global, o.atomic_global);
  add(atomic_shared, o.atomic_shared);
  return *this;
}

}  // namespace ridge::ptx
