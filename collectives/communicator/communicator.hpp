// A rank's way to the others. Algorithms are written against this, whatever carries the messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/reduce/combine.hpp"

namespace ridge::collectives {

inline constexpr int nobody = -1;

// A range of elements; what they are, the rule says.
struct Piece {
  std::byte* data = nullptr;
  std::int64_t count = 0;
};

// What a collective works on: n elements each. `in` and `out` may be the same array; otherwise `in` is not changed.
struct Arrays {
  const std::byte* in = nullptr;
  std::byte* out = nullptr;
  std::int64_t count = 0;
  reduce::Rule rule;
};

// The operations by themselves; what they are is in collectives/operations.
enum class Collective { allreduce, allgather, reducescatter, broadcast, reduce, alltoall, sendrecv, barrier };

class Communicator {
 public:
  virtual ~Communicator() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  // Sends `sent` to `to` and, at once, receives what `from` sends me into `received` (of as many elements as are sent).
  // Either may be nobody. Returns when what was received is there and `sent` may be changed.
  virtual void exchange(const reduce::Rule& rule, int to, Piece sent, int from, Piece received) = 0;
  // The same, but the result is `mine` joined with what comes: result[i] = mine[i] ∘ coming[i]. `result` may be `mine`,
  // not what is sent.
  virtual void exchange_join(const reduce::Rule& rule, int to, Piece sent, int from, const std::byte* mine,
                             Piece result) = 0;
  // Returns when all ranks have called it.
  virtual void barrier() = 0;

  // Where all ranks share one address space: publishes my arrays and returns those of all ranks, by rank, when all have
  // published theirs; they stand until leave(). Empty elsewhere.
  virtual std::span<const Arrays> meet(const Arrays& mine) = 0;
  // Returns when no rank needs the arrays any more.
  virtual void leave() = 0;
  // The whole of an all-reduce, where its elements are so few that each rank can leave them where all see them and join
  // those of all by itself; false, and nothing done, elsewhere.
  virtual bool all_at_once(const Arrays& mine) = 0;
  // The operation as the library does it that carries the messages, with `count` as collectives/operations has it;
  // false, and nothing done, where there is none.
  virtual bool by_library(Collective, const Arrays& /*mine*/) { return false; }
  // From now on adds to `*waited` the seconds in which this rank does nothing but wait for others; nullptr ends it.
  // False, and nothing done, where waiting cannot be told from moving data.
  virtual bool count_waiting(double* /*waited*/) { return false; }

 protected:
  Communicator() = default;
  Communicator(const Communicator&) = default;
  Communicator& operator=(const Communicator&) = default;
};

}  // namespace ridge::collectives
