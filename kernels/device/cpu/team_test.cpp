// Teams: who runs, what a barrier orders, what happens when a body or the system fails.
#include <catch2/catch.hpp>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernels/device/cpu/team.hpp"

using namespace ridge::device;
using namespace ridge::device::cpu;

namespace {

struct Fixture {
  System system = System::real();
  CacheFlusher flusher{system, 1 << 20};
  std::vector<int> cpus = system.affinity();
  std::unique_ptr<PinnedTeam> team(int threads) {
    return std::make_unique<PinnedTeam>(system, cpus, threads, flusher, [] { return std::int64_t{1} << 30; });
  }
};

}  // namespace

TEST_CASE("every rank runs once per call, rank 0 on the caller's thread") {
  Fixture fixture;
  for (const int threads : {1, 2, 3, 7}) {
    const auto team = fixture.team(threads);
    std::vector<int> calls(static_cast<std::size_t>(threads));
    std::thread::id first;
    const auto body = [&](int rank) {
      ++calls[static_cast<std::size_t>(rank)];
      if (rank == 0) first = std::this_thread::get_id();
    };
    for (int i = 0; i < 20; ++i) team->parallel(body);
    team->time([&] {
      for (int i = 0; i < 30; ++i) team->parallel(body);
    });
    CHECK(calls == std::vector<int>(static_cast<std::size_t>(threads), 50));
    CHECK(first == std::this_thread::get_id());
    CHECK(team->size() == threads);
  }
}

TEST_CASE("no thread passes the barrier before all have arrived, also with more threads than CPUs") {
  Fixture fixture;
  for (const int threads : {2, 5}) {
    const auto team = fixture.team(threads);
    std::vector<int> turn(static_cast<std::size_t>(threads));  // not atomic: the barrier alone orders the accesses
    std::atomic<int> wrong{0};
    team->time([&] {
      team->parallel([&](int rank) {
        for (int round = 1; round <= 200; ++round) {
          turn[static_cast<std::size_t>(rank)] = round;
          team->barrier();
          for (const int other : turn) wrong += other != round;
          team->barrier();
        }
      });
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("an exception on any rank reaches the caller, frees those who wait, and leaves the team usable") {
  Fixture fixture;
  for (const int thrower : {0, 1, 2}) {
    const auto team = fixture.team(3);
    const auto failing = [&](int rank) {
      if (rank == thrower) throw std::runtime_error("rank failed");
      team->barrier();
    };
    CHECK_THROWS_WITH(team->time([&] { team->parallel(failing); }), "rank failed");
    CHECK_THROWS_WITH(team->parallel(failing), "rank failed");
    std::atomic<int> ran{0};
    team->time([&] {
      team->parallel([&](int) {
        team->barrier();
        ++ran;
      });
    });
    CHECK(ran == 3);
  }
}

TEST_CASE("nested intervals and nested regions are refused, not deadlocked") {
  Fixture fixture;
  const auto team = fixture.team(2);
  CHECK_THROWS_AS(team->time([&] { team->time([] {}); }), std::logic_error);
  CHECK_THROWS_AS(team->parallel([&](int rank) {
    if (rank == 0) team->parallel([](int) {});
  }),
                  std::logic_error);
  CHECK_THROWS_AS(fixture.team(0), std::invalid_argument);
}

TEST_CASE("a thread runs on its CPU within the interval, and the caller gets its own mask back") {
  Fixture fixture;
  const auto before = fixture.system.affinity();
  const auto team = fixture.team(2);
  std::vector<std::vector<int>> masks(2);
  const auto look = [&](int rank) { masks[static_cast<std::size_t>(rank)] = fixture.system.affinity(); };
  const Interval interval = team->time([&] { team->parallel(look); });
  CHECK(masks[0] == std::vector{fixture.cpus[0]});
  CHECK(masks[1] == std::vector{fixture.cpus[1 % fixture.cpus.size()]});
  CHECK(fixture.system.affinity() == before);
  CHECK(team->pinned());
  CHECK(interval.seconds > 0);
  CHECK(interval.host_seconds >= interval.seconds);
}

TEST_CASE("a system that refuses to bind threads still gets its work done, and the team says so") {
  Fixture fixture;
  fixture.system.bind = [](const std::vector<int>&) { return false; };
  const auto team = fixture.team(2);
  std::atomic<int> ran{0};
  team->time([&] { team->parallel([&](int) { ++ran; }); });
  CHECK(ran == 2);
  CHECK_FALSE(team->pinned());
}

TEST_CASE("flushing takes its memory once and only then, and fails where there is none") {
  Fixture fixture;
  int reserved = 0;
  fixture.system.reserve = [&, real = fixture.system.reserve](std::int64_t bytes) -> void* {
    return ++reserved > 1 ? nullptr : real(bytes);
  };
  const auto team = fixture.team(2);
  CHECK(reserved == 0);
  team->flush_caches();
  team->flush_caches();
  CHECK(reserved == 1);

  CacheFlusher poor{fixture.system, 1 << 20};
  PinnedTeam without{fixture.system, fixture.cpus, 2, poor, [] { return std::int64_t{17}; }};
  try {
    without.flush_caches();
    FAIL("memory out of nowhere");
  } catch (const OutOfMemory& error) {
    CHECK(error.needed == 1 << 20);
    CHECK(error.available == 17);
  }
}
