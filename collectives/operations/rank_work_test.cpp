// Every algorithm of every operation, for every awkward number of ranks and elements, as measured; and what a wrong one
// would not get past.
#include "collectives/operations/rank_work.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <thread>

#include "collectives/communicator/threads.hpp"

using namespace ridge;
using namespace ridge::collectives;

namespace {

// The ranks of a job as threads, with memory of their own.
class Ranks {
 public:
  explicit Ranks(const Job& job) : world_(job.ranks, 0) {
    for (int r = 0; r < job.ranks; ++r)
      ranks_.emplace_back(job, r, [this](std::int64_t bytes) {
        memory_.push_back(std::make_unique<std::vector<std::byte>>(static_cast<std::size_t>(bytes) + 64));
        return memory_.back()->data();
      });
  }
  template <class Body>
  void on_all(const Body& body) {
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < ranks_.size(); ++r)
      threads.emplace_back([&, r] { body(ranks_[r], world_.rank(static_cast<int>(r))); });
    for (std::thread& thread : threads) thread.join();
  }
  std::int64_t wrong() {
    std::int64_t all = 0;
    for (const RankWork& rank : ranks_) all += rank.wrong();
    return all;
  }
  RankWork& operator[](std::size_t r) { return ranks_[r]; }
  std::vector<std::byte>& buffer(std::size_t index) { return *memory_[index]; }

 private:
  ThreadWorld world_;
  std::vector<std::unique_ptr<std::vector<std::byte>>> memory_;
  std::vector<RankWork> ranks_;
};

std::int64_t wrong_after(const Job& job, int calls) {
  Ranks ranks(job);
  std::atomic<std::int64_t> wrong{0};
  ranks.on_all([&](RankWork& mine, Communicator& others) {
    for (int call = 0; call < calls; ++call) {
      mine.fill(false);
      others.barrier();
      mine.once(others);
      wrong += mine.wrong();
      others.barrier();
    }
  });
  return wrong;
}

std::vector<Job> jobs_of(const Operation& operation, int ranks, std::int64_t per_rank) {
  std::vector<Job> jobs;
  for (std::size_t algorithm = 0; algorithm < operation.algorithms().size(); ++algorithm)
    for (const bool in_place : {false, true}) {
      if (in_place && !operation.has_place) continue;
      Job job;
      job.collective = operation.collective;
      job.algorithm = static_cast<std::int32_t>(algorithm);
      job.ranks = ranks;
      job.in_place = in_place;
      job.count = operation.splits ? per_rank * ranks : per_rank;
      job.seed = 7;
      jobs.push_back(job);
    }
  return jobs;
}

#define TELL(job)                                                                                                 \
  CAPTURE(operation_of((job).collective).name, algorithm_of(job)->name, (job).ranks, (job).count, (job).in_place, \
          static_cast<int>((job).rule.type), static_cast<int>((job).rule.op))

}  // namespace

TEST_CASE("every algorithm of every operation gives every rank what it is to have") {
  for (const Operation& operation : all_operations())
    for (const int ranks : {1, 2, 3, 5, 7, 16})
      for (const std::int64_t per_rank : {0, 1, 2, 3, 301})
        for (const Job& job : jobs_of(operation, ranks, per_rank)) {
          TELL(job);
          CHECK(wrong_after(job, 2) == 0);
        }
}

TEST_CASE("every type, exact in it for as many ranks as there can be") {
  for (const Operation& operation : all_operations())
    for (const reduce::Type type : {reduce::Type::f32, reduce::Type::f64, reduce::Type::i32, reduce::Type::f16,
                                    reduce::Type::bf16, reduce::Type::e4m3, reduce::Type::e5m2})
      for (const int ranks : {3, most_ranks})
        for (Job job : jobs_of(operation, ranks, 37)) {
          const bool narrow = type == reduce::Type::bf16 || reduce::is_eight_bit(type);
          if (ranks == most_ranks && (job.in_place || !narrow)) continue;
          job.rule.type = type;
          job.rule.past_caches = job.in_place;
          TELL(job);
          CHECK(wrong_after(job, 1) == 0);
        }
}

TEST_CASE("the largest and the smallest element as well as the sum") {
  for (const Operation& operation : all_operations()) {
    if (!operation.joins) continue;
    for (const reduce::Op op : {reduce::Op::max, reduce::Op::min})
      for (Job job : jobs_of(operation, 5, 100)) {
        job.rule.op = op;
        TELL(job);
        CHECK(wrong_after(job, 1) == 0);
      }
  }
}

TEST_CASE("an operation that was not done is seen, and so is every byte of one that was done wrong") {
  for (const Operation& operation : all_operations()) {
    if (operation.out == Extent::none) continue;
    for (const Job& job : jobs_of(operation, 3, 40)) {
      TELL(job);
      Ranks ranks(job);
      ranks.on_all([](RankWork& mine, Communicator&) { mine.fill(false); });
      CHECK(ranks.wrong() > 0);  // poison is no result, nor is one's own input
      ranks.on_all([](RankWork& mine, Communicator& others) { mine.once(others); });
      REQUIRE(ranks.wrong() == 0);
      const std::size_t buffers = buffer_bytes(job).size() - (algorithm_of(job)->needs_scratch ? 1 : 0);
      const std::size_t bytes = static_cast<std::size_t>(buffer_bytes(job)[buffers - 1]);
      for (const std::size_t at : {std::size_t{0}, bytes - 65, bytes - 64, bytes - 1}) {
        std::byte& one = ranks.buffer(buffers - 1).at(at);  // of rank 0's output, and of what lies behind it
        one ^= std::byte{0x81};
        // In place the blocks that are not rank 0's may hold anything.
        const bool free = job.in_place && operation.out == Extent::block && at == bytes - 65;
        CHECK((ranks.wrong() > 0) != free);
        one ^= std::byte{0x81};
      }
      if (buffers == 2) {
        ranks.buffer(0).at(3) ^= std::byte{0x40};  // an input that changed
        CHECK(ranks.wrong() > 0);
      }
    }
  }
}

TEST_CASE("a barrier holds everyone until the last has come, and one that does not is seen") {
  for (const int ranks : {1, 2, 5})
    for (const Job& job : jobs_of(operation_of(Collective::barrier), ranks, 0)) {
      TELL(job);
      Ranks all(job);
      std::vector<std::vector<Passage>> passages(static_cast<std::size_t>(ranks));
      all.on_all([&](RankWork& mine, Communicator& others) {
        passages[static_cast<std::size_t>(others.rank())] = mine.pass_late(others);
      });
      CHECK(left_early(passages) == 0);
      for (const auto& each : passages) CHECK(each.size() == static_cast<std::size_t>(ranks));
    }
  CHECK(left_early({{{1.0, 1.1}}, {{2.0, 2.1}}}) == 1);
  CHECK(left_early({{{1.0, 2.0}}, {{2.0, 2.1}}}) == 0);
}

TEST_CASE("every rank of an operation that joins tells what a join by itself takes, within its own arrays") {
  for (const Operation& operation : all_operations())
    for (const int ranks : {1, 2, 5})
      for (const std::int64_t per_rank : {1, 40})
        for (Job job : jobs_of(operation, ranks, per_rank)) {
          job.rule.type = per_rank == 40 ? reduce::Type::f16 : reduce::Type::f32;
          TELL(job);
          const bool joins = operation.joins && ranks > 1 && job.count >= 2;
          CHECK((join_count(job) > 0) == joins);
          Ranks all(job);
          std::atomic<int> told{0};
          all.on_all([&](RankWork& mine, Communicator& others) {
            mine.fill(false);
            const auto seconds = mine.joining(others);
            if (seconds && *seconds > 0) ++told;
            mine.fill(false);  // what is left behind does not stay
            others.barrier();
            mine.once(others);
          });
          CHECK(told == (joins ? ranks : 0));
          CHECK(all.wrong() == 0);
        }
  Job job;
  job.ranks = 2;
  job.count = 100;
  CHECK(join_count(job) == 50);
  job.algorithm = by_library;
  CHECK(join_count(job) == 0);
}

TEST_CASE("what cannot be: the library's, where there is none") {
  Job job;
  job.algorithm = by_library;
  job.count = 4;
  Ranks ranks(job);
  ThreadWorld world(1, 0);
  CHECK_THROWS_AS(ranks[0].once(world.rank(0)), std::logic_error);
}

TEST_CASE("bus bandwidth is what a link must carry, and one rank has none") {
  CHECK_FALSE(bus_factor(operation_of(Collective::allreduce), 1));
  CHECK(bus_factor(operation_of(Collective::allreduce), 4) == 1.5);
  CHECK(bus_factor(operation_of(Collective::allgather), 4) == 0.75);
  CHECK(bus_factor(operation_of(Collective::reducescatter), 4) == 0.75);
  CHECK(bus_factor(operation_of(Collective::alltoall), 2) == 0.5);
  CHECK(bus_factor(operation_of(Collective::broadcast), 8) == 1);
  CHECK(bus_factor(operation_of(Collective::reduce), 8) == 1);
  CHECK(bus_factor(operation_of(Collective::sendrecv), 8) == 1);
  CHECK_FALSE(bus_factor(operation_of(Collective::barrier), 8));
  for (const Operation& operation : all_operations()) {
    CHECK(&operation_of(operation.collective) == &operation);
    CHECK_FALSE(operation.algorithms().empty());
  }
}
