// The CPU device: shares, limits, the choice of CPUs, the size of a flush.
#include <catch2/catch.hpp>

#include <atomic>
#include <vector>

#include "kernels/device/cpu/flush.hpp"
#include "kernels/device/cpu/system.hpp"

using namespace ridge::device;
using namespace ridge::device::cpu;

namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;

Host host_of(std::vector<int> affinity, std::int64_t usable) {
  Host host;
  host.usable_threads = static_cast<int>(affinity.size());
  host.affinity = std::move(affinity);
  host.memory_usable = usable;
  host.caches = {{1, "data", 32 << 10, 2, 64}, {3, "unified", 16 * mib, 1, 64}};
  return host;
}

}  // namespace

TEST_CASE("shares cover every element once, in whole lines but for the tail") {
  for (const std::int64_t count : {0, 1, 7, 8, 9, 63, 64, 65, 1'000'003})
    for (const int size : {1, 2, 3, 8, 65})
      for (const std::int64_t line : {1, 8, 16}) {
        std::int64_t next = 0;
        for (int rank = 0; rank < size; ++rank) {
          const Share part = share(count, rank, size, line);
          REQUIRE(part.begin == next);
          REQUIRE(part.end >= part.begin);
          REQUIRE((part.begin % line == 0 || part.begin == count));
          REQUIRE(part.end - part.begin <= ((count + line - 1) / line / size + 1) * line);
          next = part.end;
        }
        REQUIRE(next == count);
      }
}

TEST_CASE("a flush is four times all slices of the largest level, the documented default, or what memory allows") {
  Host host = host_of({0, 1}, 1024 * mib);
  CHECK(flush_bytes(host) == 64 * mib);
  host.caches.push_back({2, "unified", 10 * mib, 2, 64});  // private caches that hold more than the last level
  CHECK(flush_bytes(host) == 80 * mib);
  host.caches[1].instances = 4;
  CHECK(flush_bytes(host) == 256 * mib);
  host.caches.clear();
  CHECK(flush_bytes(host) == 256 * mib);
  host.memory_usable = 0;  // unknown
  CHECK(flush_bytes(host) == 1024 * mib);
  host.memory_usable = 1;
  CHECK(flush_bytes(host) == mib);
}

TEST_CASE("arenas are bounded by the memory that may be used less what flushing needs") {
  System system = System::real();
  system.host = [] { return host_of({0, 1}, 1024 * mib); };
  const auto device = make_device(system);
  CHECK(device->available_bytes() == 960 * mib);
  CHECK(device->usable_threads() == 2);
  CHECK(device->name().text() == "cpu");
  CHECK(device->make_arena(960 * mib)->capacity() == 960 * mib);
  try {
    device->make_arena(961 * mib);
    FAIL("an arena larger than memory");
  } catch (const OutOfMemory& error) {
    CHECK(error.needed == 961 * mib);
    CHECK(error.available == 960 * mib);
  }
}

TEST_CASE("a team takes one CPU of every core before it takes a sibling") {
  System system = System::real();
  system.host = [] { return host_of({0, 1, 2, 3}, 1024 * mib); };  // cores {0,1} and {2,3}
  system.read_file = [](const std::string& path) -> std::string {
    return path.find("cpu0/") != std::string::npos || path.find("cpu1/") != std::string::npos ? "0-1\n" : "2-3\n";
  };
  system.affinity = [] { return std::vector<int>{}; };
  std::vector<std::atomic<int>> seen(4);
  system.bind = [&](const std::vector<int>& cpus) {
    ++seen[static_cast<std::size_t>(cpus.front())];
    return true;
  };
  const auto device = make_device(system);
  Team& team = device->team(2);
  team.time([&] { team.parallel([](int) {}); });
  CHECK(seen[0] == 1);
  CHECK(seen[2] == 1);
  CHECK(seen[1] + seen[3] == 0);
  CHECK(&device->team(2) == &team);
}
