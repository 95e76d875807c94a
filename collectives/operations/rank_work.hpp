// What one rank has to do with an operation: its arrays, filling them, running once, and comparing every element.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "collectives/operations/operations.hpp"

namespace ridge::collectives {

// A case, as plain bytes that one process can send to others.
struct Job {
  Collective collective = Collective::allreduce;
  std::int32_t algorithm = 0;  // place in the operation's list; by_library
  std::int32_t ranks = 1;
  reduce::Rule rule;
  bool in_place = false;
  bool zero = false;  // what is timed; what is checked never is
  std::int64_t count = 0;
  std::uint64_t seed = 0;
};
inline constexpr std::int32_t by_library = -1;

// nullptr for the library's.
const Algorithm* algorithm_of(const Job& job);

// Bytes of each buffer that one rank needs.
std::vector<std::int64_t> buffer_bytes(const Job& job);

// Elements of the result of one join by itself, RankWork::joining()'s: half of what a rank brings is joined with the
// other half. 0 where a rank joins nothing by itself: alone, by a library, or in an operation that only moves.
std::int64_t join_count(const Job& job);

// When a rank came to a collective and when it left it, seconds of its host's steady clock; and how long it waited for
// others in it or, where waiting cannot be told from moving data, how long it was in it.
struct Passage {
  double came = 0;
  double left = 0;
  double waited = 0;
};

// Elements are whole numbers, different for each rank and place, so small that sums of all ranks' are exact in the
// type.
class RankWork {
 public:
  // `borrow` is asked for each of buffer_bytes, in that order. They are filled by fill(), in the thread that is to use
  // them.
  RankWork(const Job& job, int rank, const std::function<std::byte*(std::int64_t bytes)>& borrow);

  // The input; poison wherever only results may be, and behind the ends.
  void fill(bool zero);
  void once(Communicator& ranks) const;
  // Elements of the result that are not as they must be, of the input that changed, of what lies behind the end that
  // was written.
  [[nodiscard]] std::int64_t wrong() const;
  [[nodiscard]] std::int64_t checked() const;  // elements compared
  // Within the buffers that were borrowed; `in` is null for a rank that brings nothing.
  [[nodiscard]] const Arrays& arrays() const { return arrays_; }

  // Seconds of one join by itself, by the rule of the job, while all other ranks do the same; nothing where join_count
  // is 0. A median of a few; the arrays hold anything after it.
  [[nodiscard]] std::optional<double> joining(Communicator& ranks) const;
  // n times, one right after the other, begun together.
  [[nodiscard]] std::vector<Passage> pass(Communicator& ranks, std::int64_t n) const;
  // Of a barrier: passes it once for each rank, in each of which another rank is late.
  [[nodiscard]] std::vector<Passage> pass_late(Communicator& ranks) const;

 private:
  template <class T>
  [[nodiscard]] T element(int rank, std::int64_t i) const;
  [[nodiscard]] int number(int rank, std::int64_t i) const;
  [[nodiscard]] int expected(std::int64_t i) const;
  [[nodiscard]] int joined(std::int64_t i) const;

  Job job_;
  const Operation& operation_;
  int rank_;
  int below_;  // elements are whole numbers from 0 to below it
  Arrays arrays_;
  std::byte* scratch_ = nullptr;
  std::int64_t in_count_, out_count_;
};

// Passages of all ranks, each n: how many left a barrier before the last had come.
std::int64_t left_early(const std::vector<std::vector<Passage>>& by_rank);

}  // namespace ridge::collectives
