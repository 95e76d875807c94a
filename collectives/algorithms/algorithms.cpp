// The list of algorithms, and what they share.
#include "collectives/algorithms/algorithms.hpp"

#include <bit>
#include <cstring>

#include "kernels/device/cpu/device.hpp"

namespace ridge::collectives {

std::span<const Algorithm* const> all_algorithms() {
  static constexpr const Algorithm* all[] = {&direct, &ring, &recursive_doubling, &halving_doubling, &tree, &naive};
  return all;
}

const Algorithm* find_algorithm(std::string_view name) {
  for (const Algorithm* algorithm : all_algorithms())
    if (algorithm->name == name) return algorithm;
  return nullptr;
}

Block block_of(const Arrays& arrays, int b, int n) {
  const auto share = device::cpu::share(arrays.count, b, n, 64 / reduce::bytes_of(arrays.rule.type));
  return {share.begin, share.end};
}

void copy(const Arrays& arrays, const std::byte* from, std::byte* to) {
  if (from != to && arrays.count > 0)
    std::memcpy(to, from, static_cast<std::size_t>(arrays.count * reduce::bytes_of(arrays.rule.type)));
}

int power_below(int n) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
}

int log2_of(int power) {
  return std::countr_zero(static_cast<unsigned>(power));
}

}  // namespace ridge::collectives
