// What is said of a run's ranks: who is named late, of records and of threads of which one really is, and in what
// order.
#include "collectives/family/trail.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "collectives/family/analysis.hpp"
#include "collectives/family/made_passages.hpp"
#include "collectives/family/points.hpp"
#include "kernels/device/cpu/device.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace family = ridge::bench::collective;
using Catch::Contains;
using collectives::Collective;
using family::arrivals_of;
using family::with_late;

namespace {

// Comes late to each meeting of the ranks.
class Delayed final : public collectives::Communicator {
 public:
  Delayed(collectives::Communicator& real, bool late) : real_(real), late_(late) {}
  [[nodiscard]] int rank() const override { return real_.rank(); }
  [[nodiscard]] int size() const override { return real_.size(); }
  void exchange(const reduce::Rule& rule, int to, collectives::Piece sent, int from,
                collectives::Piece received) override {
    delay();
    real_.exchange(rule, to, sent, from, received);
  }
  void exchange_join(const reduce::Rule& rule, int to, collectives::Piece sent, int from, const std::byte* mine,
                     collectives::Piece result) override {
    delay();
    real_.exchange_join(rule, to, sent, from, mine, result);
  }
  void barrier() override { real_.barrier(); }
  std::span<const collectives::Arrays> meet(const collectives::Arrays& mine) override {
    delay();
    return real_.meet(mine);
  }
  void leave() override { real_.leave(); }
  bool all_at_once(const collectives::Arrays& mine) override {
    delay();
    return real_.all_at_once(mine);
  }
  bool count_waiting(double* waited) override { return real_.count_waiting(waited); }

 private:
  void delay() const {
    if (late_) std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  collectives::Communicator& real_;
  bool late_;
};

record::Point point_of(const std::string& algorithm, std::int64_t size, std::int64_t ranks) {
  record::Point point;
  point.set("size", size);
  point.set("dtype", std::string("f32"));
  point.set("op", std::string("sum"));
  point.set("place", std::string("out"));
  point.set("ranks", ranks);
  point.set("engine", std::string("threads"));
  point.set("algorithm", algorithm);
  return point;
}

}  // namespace

TEST_CASE("a rank late in one record of several is not named, in two it is, and so is one late in all there is") {
  const auto& operation = collectives::operation_of(Collective::allreduce);
  const auto named = [&](const std::vector<bool>& late_in, std::size_t not_judged = 0, double median = 40e-3) {
    family::Trail trail;
    std::vector<record::Record> records;
    for (std::size_t i = 0; i < late_in.size() + not_judged; ++i) {
      record::Record measured;
      measured.benchmark = "allreduce";
      measured.device = "cpu";
      measured.point = point_of("ring", 64 << i, 2);
      measured.status = record::Status::ok;
      measured.statistics.median = median;
      records.push_back(measured);
      const bool judged = i < late_in.size();
      auto arrivals = arrivals_of(with_late(1), {true, judged});
      arrivals->ranks[1].late = judged && late_in[i];
      trail.keep(operation, measured.point, "cpu",
                 {{{0, "node", 7, std::nullopt}, {1, "node", 7, std::nullopt}}, *arrivals, 3e9});
    }
    const auto findings = trail.conclude(operation, records);
    for (const record::Record& record : records) CHECK(record.metric("join_rate")->value == 3e9);
    CHECK(findings.size() <= 1);
    return findings.empty() ? std::string() : findings[0].message;
  };
  CHECK(named({false, false, false}).empty());
  CHECK(named({true, false, false}).empty());
  CHECK_THAT(named({true, false, true}), Contains("rank 1 on node") && Contains("late in 2 of 3 records"));
  CHECK(named({true, true, false, false, false, false, false, false, false}).empty());
  CHECK_THAT(named({true, true, false, false, false, false, false, false}), Contains("late in 2 of 8 records"));
  CHECK_THAT(named({true}), Contains("late in 1 of 1 records"));
  CHECK_THAT(named({true}, 3), Contains("late in 1 of 1 records"));
  CHECK(named({true, true}, 0, 51e-3).empty());  // 5 ms, of which passages took more than was measured
}

TEST_CASE("which ranks do the same") {
  const auto alike = [](Collective collective, const std::string& algorithm, std::int64_t ranks) {
    const auto& operation = collectives::operation_of(collective);
    return family::ranks_alike(operation, family::job_of(operation, point_of(algorithm, 1024, ranks)));
  };
  CHECK(alike(Collective::allreduce, "ring", 3));
  CHECK(alike(Collective::allreduce, "direct", 3));
  CHECK(alike(Collective::allreduce, "library", 3));
  CHECK(alike(Collective::allreduce, "recursive_doubling", 4));
  CHECK_FALSE(alike(Collective::allreduce, "recursive_doubling", 3));
  CHECK_FALSE(alike(Collective::allreduce, "halving_doubling", 6));
  CHECK_FALSE(alike(Collective::allreduce, "tree", 4));
  CHECK_FALSE(alike(Collective::allreduce, "naive", 4));
  CHECK_FALSE(alike(Collective::broadcast, "direct", 4));
  CHECK_FALSE(alike(Collective::broadcast, "library", 4));
  CHECK_FALSE(alike(Collective::reduce, "tree", 4));
  CHECK(alike(Collective::barrier, "dissemination", 4));
}

TEST_CASE("one of two threads that really is late is the one that is named, with host and process") {
  const auto device = device::cpu::make_device();
  if (device->usable_threads() < 2) return;  // a rank that waits for a CPU is never named
  const auto& operation = collectives::operation_of(Collective::allreduce);
  for (const std::string algorithm : {"direct", "ring"})
    for (const int late : {0, 1}) {
      const auto trail = std::make_shared<family::Trail>();
      const auto point = point_of(algorithm, 4096, 2);
      std::int64_t needed = 64;
      for (const std::int64_t bytes : family::buffers(operation, point)) needed += device::borrow_cost(bytes);
      const auto arena = device->make_arena(needed);
      CpuContext context{*device, *arena, 1, Fill::random};
      const auto prepared = family::prepare_threads(operation, context, point, trail, [&](auto& real) {
        return std::make_unique<Delayed>(real, real.rank() == late);
      });
      REQUIRE(prepared->verify().status == record::Check::passed);
      record::Record measured;
      measured.benchmark = "allreduce";
      measured.device = "cpu";
      measured.point = point;
      measured.status = record::Status::ok;
      measured.statistics.median = 60e-3;
      std::vector<record::Record> records{measured};
      const auto all = family::analysis(operation, trail);
      const auto findings = all->conclude(records);
      std::vector<record::Rank> ranks;
      all->tell_ranks(records, ranks);
      for (const record::Rank& rank : ranks)
        UNSCOPED_INFO("rank " << rank.rank << " waited " << rank.times.at(0).waited << " awaited "
                              << rank.times.at(0).awaited);
      REQUIRE(findings.size() == 1);
      CHECK(findings[0].code == "allreduce-late-rank");
      CHECK_THAT(findings[0].message, Contains(fmt::format("rank {} on {} (process", late, family::host_name())) &&
                                          Contains(algorithm + " of 4 KiB"));
      CHECK(findings[0].records == std::vector<std::string>{record::identity(measured)});
      CHECK(records[0].metric("latest_rank")->value == late);
      CHECK(*records[0].metric("time_p95")->value > 20e-3);
      REQUIRE(ranks.size() == 2);
      CHECK(ranks[static_cast<std::size_t>(late)].times.at(0).late);
      CHECK_FALSE(ranks[static_cast<std::size_t>(1 - late)].times.at(0).late);
      CHECK(ranks[0].times.at(0).record == record::identity(measured));
      CHECK(ranks[0].times.at(0).arrival);
    }
}

TEST_CASE("entries of ranks stand in their order, each once") {
  std::vector<record::Rank> ranks;
  for (const int rank : {2, 0, 1, 2}) family::entry_of(ranks, {rank, "host", 7, std::nullopt});
  REQUIRE(ranks.size() == 3);
  for (int r = 0; r < 3; ++r) CHECK(ranks[static_cast<std::size_t>(r)].rank == r);
}
