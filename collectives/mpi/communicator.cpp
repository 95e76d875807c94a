// Each call of the interface as one of MPI's.
#include "collectives/mpi/communicator.hpp"

#include <fmt/format.h>

#include "collectives/operations/operations.hpp"
#include "kernels/device/device.hpp"

namespace ridge::collectives::mpi {
namespace {

std::int32_t number(reduce::Type type) {
  return static_cast<std::int32_t>(type);
}
static_assert(static_cast<int>(reduce::Type::f32) == 0 && static_cast<int>(reduce::Type::f64) == 1 &&
              static_cast<int>(reduce::Type::i32) == 2);
static_assert(static_cast<int>(reduce::Op::sum) == 0 && static_cast<int>(reduce::Op::max) == 1);

}  // namespace

void require(const char* call, const char* said) {
  if (said != nullptr) throw device::Error(fmt::format("MPI_{}: {}", call, said));
}

void Processes::exchange(const reduce::Rule& rule, int to, Piece sent, int from, Piece received) {
  require("Sendrecv", api_.exchange(to, sent.data, sent.count, from, received.data, received.count, number(rule.type)));
}

void Processes::exchange_join(const reduce::Rule& rule, int to, Piece sent, int from, const std::byte* mine,
                              Piece result) {
  const auto bytes = static_cast<std::size_t>(result.count * reduce::bytes_of(rule.type));
  if (coming_.size() < bytes) coming_.resize(bytes);
  exchange(rule, to, sent, from, {coming_.data(), result.count});
  const void* const sources[] = {mine, coming_.data()};
  void* target = result.data;
  reduce::combine(rule, sources, {&target, 1}, 0, result.count);
}

void Processes::barrier() {
  require("Barrier", api_.barrier());
}

bool Processes::by_library(Collective collective, const Arrays& mine) {
  const std::int32_t type = number(mine.rule.type);
  const auto op = static_cast<std::int32_t>(mine.rule.op);
  switch (collective) {
    case Collective::allreduce:
      require("Allreduce", api_.all_reduce(mine.in, mine.out, mine.count, type, op));
      return true;
    case Collective::allgather:
      require("Allgather", api_.all_gather(mine.in, mine.out, mine.count / size_, type));
      return true;
    case Collective::reducescatter:
      require("Reduce_scatter_block", api_.reduce_scatter(mine.in, mine.out, mine.count / size_, type, op));
      return true;
    case Collective::broadcast:
      require("Bcast", api_.broadcast(mine.out, mine.count, type));
      return true;
    case Collective::reduce:
      require("Reduce", api_.reduce(mine.in, mine.out, mine.count, type, op));
      return true;
    case Collective::alltoall:
      require("Alltoall", api_.all_to_all(mine.in, mine.out, mine.count / size_, type));
      return true;
    case Collective::sendrecv:
      break;  // MPI's own is what exchange() calls
    case Collective::barrier:
      barrier();
      return true;
  }
  return false;
}

const char* library_lacks(Collective collective, reduce::Type type, bool in_place) {
  const Operation& operation = operation_of(collective);
  if (operation.joins && (type == reduce::Type::f16 || type == reduce::Type::bf16))
    return "MPI adds up no 16-bit floating-point numbers; ring and the others here do";
  if (collective == Collective::reducescatter && in_place)
    return "MPI's own leaves the block at the front of the array, not in its place; ring leaves it there";
  if (collective == Collective::sendrecv) return "MPI's own is what algorithm exchange calls";
  return nullptr;
}

}  // namespace ridge::collectives::mpi
