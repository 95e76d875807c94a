// The table of operations.
#include "collectives/operations/operations.hpp"

#include <array>

namespace ridge::collectives {
namespace {

// Over links, what a rank must send or receive at least for each byte of `size`; docs/method/collectives.md derives
// each.
double twice_others(int n) {
  return 2.0 * (n - 1) / n;
}
double others(int n) {
  return 1.0 * (n - 1) / n;
}
double once(int) {
  return 1;
}

using enum Extent;
constexpr std::array<Operation, 8> table{{
    {Collective::allreduce, "allreduce", whole, whole, false, true, true, all_reduce_algorithms, twice_others,
     "2 (n - 1)/n"},
    {Collective::allgather, "allgather", block, whole, true, false, true, all_gather_algorithms, others, "(n - 1)/n"},
    {Collective::reducescatter, "reducescatter", whole, block, true, true, true, reduce_scatter_algorithms, others,
     "(n - 1)/n"},
    {Collective::broadcast, "broadcast", none, whole, false, false, false, broadcast_algorithms, once, "1"},
    {Collective::reduce, "reduce", whole, whole, false, true, true, reduce_algorithms, once, "1"},
    {Collective::alltoall, "alltoall", whole, whole, true, false, false, all_to_all_algorithms, others, "(n - 1)/n"},
    {Collective::sendrecv, "sendrecv", whole, whole, false, false, false, send_receive_algorithms, once, "1"},
    {Collective::barrier, "barrier", none, none, false, false, false, barrier_algorithms, nullptr, ""},
}};

}  // namespace

std::span<const Operation> all_operations() {
  return table;
}

const Operation& operation_of(Collective collective) {
  return table[static_cast<std::size_t>(collective)];
}

std::optional<double> bus_factor(const Operation& operation, int ranks) {
  if (ranks < 2 || operation.bus == nullptr) return std::nullopt;
  return operation.bus(ranks);
}

}  // namespace ridge::collectives
