// The list of algorithms of each operation, and what they share.
#include "collectives/algorithms/algorithms.hpp"

#include <bit>
#include <cstring>

#include "kernels/device/cpu/device.hpp"

namespace ridge::collectives {

Algorithms all_reduce_algorithms() {
  static constexpr const Algorithm* all[] = {&direct, &ring, &recursive_doubling, &halving_doubling, &tree, &naive};
  return all;
}
Algorithms all_gather_algorithms() {
  static constexpr const Algorithm* all[] = {&direct_all_gather, &ring_all_gather};
  return all;
}
Algorithms reduce_scatter_algorithms() {
  static constexpr const Algorithm* all[] = {&direct_reduce_scatter, &ring_reduce_scatter};
  return all;
}
Algorithms broadcast_algorithms() {
  static constexpr const Algorithm* all[] = {&direct_broadcast, &tree_broadcast, &naive_broadcast};
  return all;
}
Algorithms reduce_algorithms() {
  static constexpr const Algorithm* all[] = {&direct_reduce, &tree_reduce, &naive_reduce};
  return all;
}
Algorithms all_to_all_algorithms() {
  static constexpr const Algorithm* all[] = {&direct_all_to_all, &pairwise};
  return all;
}
Algorithms send_receive_algorithms() {
  static constexpr const Algorithm* all[] = {&exchange};
  return all;
}
Algorithms barrier_algorithms() {
  static constexpr const Algorithm* all[] = {&central, &dissemination};
  return all;
}

bool are_alike(const Algorithm& algorithm, int ranks) {
  return algorithm.roles == Roles::alike ||
         (algorithm.roles == Roles::alike_for_powers_of_two && power_below(ranks) == ranks);
}

const Algorithm* find_algorithm(Algorithms among, std::string_view name) {
  for (const Algorithm* algorithm : among)
    if (algorithm->name == name) return algorithm;
  return nullptr;
}

Block block_of(const Arrays& arrays, int b, int n) {
  const auto share = device::cpu::share(arrays.count, b, n, 64 / reduce::bytes_of(arrays.rule.type));
  return {share.begin, share.end};
}

void copy(const Arrays& arrays, const std::byte* from, std::byte* to, std::int64_t count) {
  if (from != to && count > 0)
    std::memcpy(to, from, static_cast<std::size_t>(count * reduce::bytes_of(arrays.rule.type)));
}

int power_below(int n) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
}

int log2_of(int power) {
  return std::countr_zero(static_cast<unsigned>(power));
}

int levels_of(int n) {
  return log2_of(power_below(n)) + (power_below(n) < n ? 1 : 0);
}

}  // namespace ridge::collectives
