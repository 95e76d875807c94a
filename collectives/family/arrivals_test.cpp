// Who is late, from constructed passages and from threads of which one really is; and nobody where nobody is.
#include "collectives/family/arrivals.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "collectives/family/analysis.hpp"
#include "collectives/family/points.hpp"
#include "kernels/device/cpu/device.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace family = ridge::bench::collective;
using Catch::Contains;
using collectives::Collective;
using collectives::Passage;
using family::arrivals_of;
using family::Passages;

namespace {

// `ranks` ranks that take `time` and come together, n times, each with a clock of its own.
Passages together(int ranks, double time, std::size_t n = 16) {
  Passages all(static_cast<std::size_t>(ranks));
  for (std::size_t r = 0; r < all.size(); ++r)
    for (std::size_t i = 0; i < n; ++i) {
      const double begin = 1000.0 * static_cast<double>(r) + static_cast<double>(i);
      all[r].push_back({begin, begin + time, 0.1 * time});
    }
  return all;
}

// The rank comes so much later, and the others wait for it.
void make_late(Passages& all, std::size_t rank, std::size_t passage, double seconds) {
  for (std::size_t r = 0; r < all.size(); ++r) {
    Passage& each = all[r][passage];
    each.left += seconds;
    if (r == rank)
      each.came += seconds;
    else
      each.waited += seconds;
  }
}

std::vector<int> late_of(const Passages& passages, const family::Known& known = {}) {
  const auto arrivals = arrivals_of(passages, known);
  REQUIRE(arrivals);
  std::vector<int> late;
  for (std::size_t r = 0; r < arrivals->ranks.size(); ++r)
    if (arrivals->ranks[r].late) late.push_back(static_cast<int>(r));
  return late;
}

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

TEST_CASE("ranks that come together are on time, whatever their clocks say") {
  for (const int ranks : {2, 5}) CHECK(late_of(together(ranks, 1e-3)).empty());
  const auto arrivals = arrivals_of(together(3, 1e-3), {});
  CHECK(arrivals->p95 == Approx(1e-3));
  CHECK(arrivals_of(together(3, 1e-3), {false, true})->ranks[1].arrival == std::nullopt);
}

TEST_CASE("a rank that the others always wait for is named, on one host or on several") {
  for (const bool one_clock : {true, false})
    for (const std::size_t late : {0U, 2U}) {
      Passages passages = together(4, 1e-3);
      for (std::size_t i = 0; i < passages[0].size(); ++i) make_late(passages, late, i, 2e-3);
      CHECK(late_of(passages, {one_clock, true}) == std::vector<int>{static_cast<int>(late)});
      const auto arrivals = arrivals_of(passages, {one_clock, true});
      CHECK(arrivals->latest == static_cast<int>(late));
      CHECK(arrivals->ranks[late].awaited == Approx(2e-3));
      CHECK(arrivals->ranks[1].waited == Approx(2.1e-3));
      CHECK(arrivals->p95 == Approx(3e-3));
    }
}

TEST_CASE("arrival and finish are after the first rank, by the clock of the host") {
  Passages passages(2);
  for (int i = 0; i < 9; ++i) {
    passages[0].push_back({10.0 + i, 10.5 + i, 0.2});
    passages[1].push_back({10.25 + i, 10.625 + i, 0});
  }
  const auto arrivals = arrivals_of(passages, {});
  CHECK(arrivals->ranks[0].arrival == 0.0);
  CHECK(arrivals->ranks[1].arrival == 0.25);
  CHECK(arrivals->ranks[1].finish == 0.125);
}

TEST_CASE("both of two late ranks are named, and all but one late are the one that is early") {
  Passages passages = together(5, 1e-3);
  for (std::size_t i = 0; i < passages[0].size(); ++i) {
    for (std::size_t r = 0; r < 5; ++r)
      if (r != 1 && r != 3) passages[r][i].waited += 1e-3;
  }
  CHECK(late_of(passages) == std::vector<int>{1, 3});
}

TEST_CASE("a rank that is late now and then, by a tenth of the time, or by less than clocks tell, is not named") {
  Passages in_turn = together(4, 1e-3);
  for (std::size_t i = 0; i < in_turn[0].size(); ++i) make_late(in_turn, i % 4, i, 2e-3);
  CHECK(late_of(in_turn).empty());
  Passages once = together(2, 1e-3);
  make_late(once, 1, 3, 1.0);
  CHECK(late_of(once).empty());
  for (const auto& [seconds, named] : {std::pair{0.9e-4, false}, std::pair{1.3e-4, true}}) {
    Passages little = together(2, 1e-3);
    for (std::size_t i = 0; i < little[0].size(); ++i) make_late(little, 1, i, seconds);
    CHECK(late_of(little).size() == (named ? 1 : 0));
  }
  for (const auto& [seconds, named] : {std::pair{0.9e-6, false}, std::pair{1.1e-6, true}}) {
    Passages tiny = together(2, 1e-7);
    for (std::size_t i = 0; i < tiny[0].size(); ++i) make_late(tiny, 1, i, seconds);
    CHECK(late_of(tiny).size() == (named ? 1 : 0));
  }
}

TEST_CASE("a rank that is late by less than its own standard deviation is not named") {
  Passages passages = together(2, 1e-3, 40);
  // Late by 0, 1, 2, 3 ms in turn: a median of 1.5 ms, an interquartile range of 1.5 ms, 1.11 ms of deviation.
  for (std::size_t i = 0; i < 40; ++i) make_late(passages, 1, i, 1e-3 * static_cast<double>(i % 4));
  CHECK(late_of(passages) == std::vector<int>{1});
  // 0, 0, 1, 4 ms: 0.5 ms against a range of 1.75 ms.
  passages = together(2, 1e-3, 40);
  for (std::size_t i = 0; i < 40; ++i) make_late(passages, 1, i, 1e-3 * (i % 4 < 2 ? 0 : i % 4 == 2 ? 1 : 4));
  CHECK(late_of(passages).empty());
}

TEST_CASE("where ranks do not do the same, or wait for a CPU, nobody is named, and one rank waits for nobody") {
  Passages passages = together(2, 1e-3);
  for (std::size_t i = 0; i < passages[0].size(); ++i) make_late(passages, 1, i, 5e-3);
  CHECK(late_of(passages, {true, false}).empty());
  CHECK(arrivals_of(passages, {true, false})->latest == 1);
  CHECK_FALSE(arrivals_of(together(1, 1e-3), {}));
  CHECK_FALSE(arrivals_of({}, {}));
  CHECK(family::passages_after(together(2, 1.0)) == 8);
  CHECK(family::passages_after(together(2, 0.99e-3)) == 20);
  CHECK(family::passages_after(together(2, 1e-9)) == 200);
}

namespace {

// Looks whose passages are these, in turn; what was asked for between them.
struct Looks {
  std::vector<Passages> answers;
  std::vector<double> pauses = {};
  std::size_t asked = 0;
  std::optional<family::Arrivals> watched() {
    return family::watch(
        [this](std::int64_t times) {
          if (times == family::first_passages) return together(2, 0.99e-3, 3);
          CHECK(times == 20);
          return answers.at(asked++);
        },
        {}, [this](double seconds) { pauses.push_back(seconds); });
  }
};

Passages with_late(std::size_t rank) {
  Passages passages = together(2, 1e-3);
  for (auto& each : passages)
    for (std::size_t i = 0; i < each.size(); ++i) {  // one right after the other
      each[i].left += 1.1e-3 * static_cast<double>(i) - static_cast<double>(i);
      each[i].came += 1.1e-3 * static_cast<double>(i) - static_cast<double>(i);
    }
  for (std::size_t i = 0; rank < 2 && i < passages[0].size(); ++i) make_late(passages, rank, i, 5e-3);
  return passages;
}
constexpr std::size_t nobody = 2;

}  // namespace

TEST_CASE("a rank that seems late is looked at again, and is late if it was each time") {
  Looks always{{with_late(1), with_late(1), with_late(1)}};
  const auto late = always.watched();
  CHECK(always.asked == 3);
  CHECK(always.pauses.size() == 2);
  CHECK(late->ranks[1].late);
  CHECK_FALSE(late->ranks[0].late);

  Looks once{{with_late(1), with_late(nobody)}};
  CHECK_FALSE(once.watched()->ranks[1].late);
  CHECK(once.asked == 2);

  Looks twice{{with_late(1), with_late(1), with_late(nobody)}};
  CHECK_FALSE(twice.watched()->ranks[1].late);
  CHECK(twice.asked == 3);

  Looks in_turn{{with_late(1), with_late(0)}};
  const auto changed = in_turn.watched();
  CHECK_FALSE((changed->ranks[0].late || changed->ranks[1].late));

  Looks calm{{with_late(nobody)}};
  CHECK_FALSE(calm.watched()->ranks[1].late);
  CHECK(calm.pauses.empty());
}

TEST_CASE("passages that took a quarter of a second are long enough a look") {
  Passages slow = together(2, 1e-3);  // one a second
  for (std::size_t i = 0; i < slow[0].size(); ++i) make_late(slow, 1, i, 5e-3);
  Looks looks{{slow}};
  CHECK(looks.watched()->ranks[1].late);
  CHECK(looks.asked == 1);
  CHECK(looks.pauses.empty());
}

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
