// Work spread over the host's threads: everything once, in whole lines, on several threads, and what is thrown there.
#include "kernels/device/cpu/spread.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace ridge;
using device::cpu::Share;
using device::cpu::spread;

TEST_CASE("work that is spread is done once, each rank its share, in whole lines") {
  for (const std::int64_t count : {0, 1, 63, 64, 65, 1000})
    for (const int threads : {1, 2, 7, 40}) {
      CAPTURE(count, threads);
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
      std::atomic<int> bad = 0;
      spread(count, 64, threads, [&](int rank, Share mine) {
        const auto [begin, end] = device::cpu::share(count, rank, threads, 64);
        if (mine.begin != begin || mine.end != end || begin >= end || begin % 64 != 0) ++bad;
        for (std::int64_t i = mine.begin; i < mine.end; ++i) ++done[static_cast<std::size_t>(i)];
      });
      CHECK(bad == 0);
      int otherwise = 0;
      for (const auto& each : done) otherwise += each == 1 ? 0 : 1;
      CHECK(otherwise == 0);
    }
}

TEST_CASE("ranks are threads of their own, the caller's the first") {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  std::thread::id first;
  spread(4, 1, 4, [&](int rank, Share) {
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
    if (rank == 0) first = std::this_thread::get_id();
  });
  CHECK(seen.size() == 4);
  CHECK(first == std::this_thread::get_id());
}

TEST_CASE("what the lowest rank throws is thrown, and only when all have ended") {
  std::atomic<int> ended = 0;
  const auto work = [&](int rank, Share) {
    ++ended;
    if (rank == 1) throw std::runtime_error("one");
    if (rank == 2) throw std::runtime_error("two");
  };
  CHECK_THROWS_WITH(spread(4, 1, 4, work), "one");
  CHECK(ended == 4);
}

TEST_CASE("as many threads as the work is worth") {
  CHECK(device::cpu::threads_worth(0, 100) == 1);
  CHECK(device::cpu::threads_worth(199, 100) == 1);
  const int most = device::cpu::threads_worth(std::int64_t{1} << 60, 1);
  CHECK(most >= 1);
  CHECK(device::cpu::threads_worth(200, 100) == std::min(most, 2));
  CHECK(device::cpu::threads_worth(5, 0) <= 5);
}
