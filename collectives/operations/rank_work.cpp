// Filling and comparing, by type; the rules of each operation are in expected().
#include "collectives/operations/rank_work.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "collectives/operations/elements.hpp"
#include "kernels/random/counter.hpp"

namespace ridge::collectives {
namespace {

constexpr std::int64_t guard_bytes = 64;
constexpr int poison = 0xFF;

// Elements are below it: sums of all ranks' must be exact.
int below_of(reduce::Type type, int ranks) {
  return std::clamp(exact_of(type) / ranks, 1, 63) + 1;
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

const Algorithm* algorithm_of(const Job& job) {
  if (job.algorithm == by_library) return nullptr;
  return operation_of(job.collective).algorithms()[static_cast<std::size_t>(job.algorithm)];
}

std::vector<std::int64_t> buffer_bytes(const Job& job) {
  const Operation& operation = operation_of(job.collective);
  const auto bytes = [&](Extent extent) {
    return elements(extent, job.count, job.ranks) * reduce::bytes_of(job.rule.type) + guard_bytes;
  };
  std::vector<std::int64_t> all;
  if (job.in_place) {
    all.push_back(bytes(Extent::whole));
  } else {
    for (const Extent extent : {operation.in, operation.out})
      if (extent != Extent::none) all.push_back(bytes(extent));
  }
  const Algorithm* const algorithm = algorithm_of(job);
  if (algorithm != nullptr && algorithm->needs_scratch) all.push_back(bytes(Extent::whole));
  return all;
}

std::int64_t join_count(const Job& job) {
  const Operation& operation = operation_of(job.collective);
  if (!operation.joins || job.algorithm == by_library || job.ranks < 2) return 0;
  return std::min(elements(operation.in, job.count, job.ranks) / 2, elements(operation.out, job.count, job.ranks));
}

RankWork::RankWork(const Job& job, int rank, const std::function<std::byte*(std::int64_t bytes)>& borrow)
    : job_(job),
      operation_(operation_of(job.collective)),
      rank_(rank),
      below_(below_of(job.rule.type, job.ranks)),
      in_count_(elements(operation_.in, job.count, job.ranks)),
      out_count_(elements(operation_.out, job.count, job.ranks)) {
  std::vector<std::byte*> buffers;
  for (const std::int64_t bytes : buffer_bytes(job)) buffers.push_back(borrow(bytes));
  arrays_ = {nullptr, nullptr, job.count, job.rule};
  const Algorithm* const algorithm = algorithm_of(job);
  if (algorithm != nullptr && algorithm->needs_scratch) {
    scratch_ = buffers.back();
    buffers.pop_back();
  }
  if (buffers.empty()) return;
  arrays_.out = buffers.back();
  arrays_.in = buffers.front();  // the same where there is one buffer
  const std::int64_t own = job.count / job.ranks * rank * reduce::bytes_of(job.rule.type);
  if (job.in_place && operation_.in == Extent::block) arrays_.in += own;
  if (job.in_place && operation_.out == Extent::block) arrays_.out += own;
}

int RankWork::number(int rank, std::int64_t i) const {
  // More ranks than the type counts exactly: of an element's ranks, others for each element, so many have one.
  if (const int exact = exact_of(job_.rule.type); job_.ranks > exact && (rank + i) % job_.ranks >= exact) return 0;
  const std::uint64_t bits =
      random::bits(random::seed_of(job_.seed, static_cast<std::uint64_t>(rank)), static_cast<std::uint64_t>(i));
  return static_cast<int>((bits >> 32) * static_cast<std::uint64_t>(below_) >> 32);
}

template <class T>
T RankWork::element(int rank, std::int64_t i) const {
  return Whole<T>::of(number(rank, i));
}

int RankWork::joined(std::int64_t i) const {
  int all = number(0, i);
  for (int r = 1; r < job_.ranks; ++r) {
    const int next = number(r, i);
    all = job_.rule.op == reduce::Op::sum   ? all + next
          : job_.rule.op == reduce::Op::max ? std::max(all, next)
                                            : std::min(all, next);
  }
  return all;
}

// Element i of this rank's output.
int RankWork::expected(std::int64_t i) const {
  const std::int64_t block = job_.count / job_.ranks;
  switch (job_.collective) {
    case Collective::allreduce:
    case Collective::reduce:
      return joined(i);
    case Collective::reducescatter:
      return joined(block * rank_ + i);
    case Collective::allgather:
      return number(static_cast<int>(i / block), i % block);
    case Collective::alltoall:
      return number(static_cast<int>(i / block), block * rank_ + i % block);
    case Collective::broadcast:
      return number(0, i);
    case Collective::sendrecv:
      return number((rank_ + job_.ranks - 1) % job_.ranks, i);
    case Collective::barrier:
      break;
  }
  throw std::logic_error("a barrier has no elements");
}

void RankWork::fill(bool zero) {
  if (arrays_.out == nullptr) return;
  const std::int64_t unit = reduce::bytes_of(job_.rule.type);
  const auto poisoned = [](std::byte* from, std::int64_t bytes) {
    std::memset(from, poison, static_cast<std::size_t>(bytes));
  };
  if (scratch_ != nullptr) poisoned(scratch_, job_.count * unit);
  if (job_.in_place) {
    std::byte* const whole = operation_.out == Extent::whole ? arrays_.out : input(arrays_);
    poisoned(whole, job_.count * unit + guard_bytes);
  } else {
    poisoned(arrays_.out, out_count_ * unit + guard_bytes);
  }
  const bool gives = operation_.in != Extent::none || rank_ == 0;  // a broadcast has rank 0's array only
  const std::int64_t count = operation_.in != Extent::none ? in_count_ : out_count_;
  if (gives)
    with_element(job_.rule.type, [&](auto kind) {
      using T = decltype(kind);
      auto* const in = reinterpret_cast<T*>(input(arrays_));
      for (std::int64_t i = 0; i < count; ++i) in[i] = zero ? T{} : element<T>(rank_, i);
    });
}

void RankWork::once(Communicator& ranks) const {
  if (job_.algorithm != by_library) return algorithm_of(job_)->run(ranks, arrays_, scratch_);
  if (!ranks.by_library(job_.collective, arrays_))
    throw std::logic_error("there is no library that does the whole operation");
}

std::int64_t RankWork::wrong() const {
  std::int64_t wrong = 0;
  if (arrays_.out == nullptr) return wrong;
  const bool gets = job_.collective != Collective::reduce || rank_ == 0;
  const bool keeps = operation_.in != Extent::none && !job_.in_place;
  with_element(job_.rule.type, [&](auto kind) {
    using T = decltype(kind);
    const auto* const in = reinterpret_cast<const T*>(arrays_.in);
    const auto* const out = reinterpret_cast<const T*>(arrays_.out);
    if (gets)
      for (std::int64_t i = 0; i < out_count_; ++i) wrong += out[i] == Whole<T>::of(expected(i)) ? 0 : 1;
    if (keeps)
      for (std::int64_t i = 0; i < in_count_; ++i) wrong += in[i] == element<T>(rank_, i) ? 0 : 1;
  });
  // Nothing may be written behind the end, nor anywhere where a rank is to get nothing.
  const std::int64_t unit = reduce::bytes_of(job_.rule.type);
  const std::int64_t begin = gets || job_.in_place ? out_count_ * unit : 0;
  const bool ends_there = !job_.in_place || operation_.out == Extent::whole;
  const std::byte* const guarded = ends_there ? arrays_.out : arrays_.in;
  const std::int64_t end = (ends_there ? out_count_ : in_count_) * unit;
  for (std::int64_t i = ends_there ? begin : end; i < end + guard_bytes; ++i)
    wrong += guarded[i] == std::byte{poison} ? 0 : 1;
  return wrong;
}

std::int64_t RankWork::checked() const {
  return job_.collective == Collective::reduce && rank_ != 0 ? 0 : out_count_;
}

// Two sources and a target, as when a message that came is joined, but nobody else's memory.
std::optional<double> RankWork::joining(Communicator& ranks) const {
  constexpr double interval = 1e-4;
  constexpr double most = 4096;
  const std::int64_t count = join_count(job_);
  if (count == 0) return std::nullopt;
  const void* const halves[] = {arrays_.in, arrays_.in + count * reduce::bytes_of(job_.rule.type)};
  void* target = arrays_.out;
  const auto seconds = [&](std::int64_t times) {
    ranks.barrier();
    const double begin = now();
    for (std::int64_t i = 0; i < times; ++i) reduce::combine(job_.rule, halves, {&target, 1}, 0, count);
    return (now() - begin) / static_cast<double>(times);
  };
  const auto times = static_cast<std::int64_t>(std::clamp(interval / std::max(seconds(1), 1e-9), 1.0, most));
  std::array<double, 5> all{};
  for (double& each : all) each = seconds(times);
  std::nth_element(all.begin(), all.begin() + 2, all.end());
  return all[2] > 0 ? std::optional(all[2]) : std::nullopt;
}

std::vector<Passage> RankWork::pass(Communicator& ranks, std::int64_t n) const {
  struct Counting {
    explicit Counting(Communicator& of) : communicator(of), told(of.count_waiting(&seconds)) {}
    ~Counting() { communicator.count_waiting(nullptr); }
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;
    Communicator& communicator;
    double seconds = 0;
    bool told;
  };
  std::vector<Passage> all(static_cast<std::size_t>(n));
  ranks.barrier();
  Counting waiting(ranks);
  for (Passage& passage : all) {
    waiting.seconds = 0;
    passage.came = now();
    once(ranks);
    passage.left = now();
    passage.waited = waiting.told ? waiting.seconds : passage.left - passage.came;
  }
  return all;
}

std::vector<Passage> RankWork::pass_late(Communicator& ranks) const {
  using namespace std::chrono_literals;
  std::vector<Passage> all;
  for (int late = 0; late < job_.ranks; ++late) {
    if (late == rank_) std::this_thread::sleep_for(300us);
    Passage passage;
    passage.came = now();
    once(ranks);
    passage.left = now();
    all.push_back(passage);
  }
  return all;
}

std::int64_t left_early(const std::vector<std::vector<Passage>>& by_rank) {
  std::int64_t early = 0;
  for (std::size_t round = 0; !by_rank.empty() && round < by_rank[0].size(); ++round) {
    double last = by_rank[0][round].came;
    for (const auto& passages : by_rank) last = std::max(last, passages[round].came);
    for (const auto& passages : by_rank) early += passages[round].left < last ? 1 : 0;
  }
  return early;
}

}  // namespace ridge::collectives
