// Arenas: alignment, stagger, exhaustion, page sizes, and a kernel that refuses.
#include <catch2/catch.hpp>

#include <cstring>
#include <set>

#include "kernels/device/cpu/arena.hpp"

using namespace ridge::device;
using namespace ridge::device::cpu;

TEST_CASE("spans are aligned, apart from each other, and never at the same offset within a page") {
  const System system = System::real();
  constexpr std::int64_t bytes = 100'000;
  HostArena arena(system, 16 * borrow_cost(bytes), 1 << 30, false);
  std::set<std::uintptr_t> offsets;
  const std::byte* end = nullptr;
  for (int i = 0; i < 16; ++i) {
    const Span span = arena.borrow(bytes);
    CHECK(span.bytes == bytes);
    CHECK(span.data >= end);
    CHECK(reinterpret_cast<std::uintptr_t>(span.data) % 64 == 0);
    offsets.insert(reinterpret_cast<std::uintptr_t>(span.data) % 4096);
    std::memset(span.data, i, static_cast<std::size_t>(bytes));  // a span that is not all ours faults or shows below
    end = span.data + bytes;
  }
  CHECK(offsets.size() == 16);
}

TEST_CASE("an arena lends what borrow_cost promised, then says what is left") {
  const System system = System::real();
  HostArena arena(system, borrow_cost(5000) + borrow_cost(1), 1 << 30, false);
  arena.borrow(5000);
  const std::byte* second = arena.borrow(1).data;
  try {
    arena.borrow(1);
    FAIL("lent more than it has");
  } catch (const OutOfMemory& error) {
    CHECK(error.needed == borrow_cost(1));
    CHECK(error.available == 0);
  }
  arena.reset();
  CHECK(arena.borrow(5000).data < second);
  CHECK_THROWS_AS(arena.borrow(std::int64_t{1} << 62), OutOfMemory);
  CHECK_THROWS_AS(arena.borrow(-1), std::invalid_argument);
}

TEST_CASE("pages go back on reset only where threads may sit on several memory nodes") {
  System system = System::real();
  int discarded = 0;
  system.discard = [&](void*, std::int64_t) { ++discarded; };
  HostArena one_node(system, 1 << 20, 1 << 30, false);
  one_node.borrow(10);
  one_node.reset();
  CHECK(discarded == 0);
  HostArena several(system, 1 << 20, 1 << 30, true);
  several.reset();  // nothing was lent
  CHECK(discarded == 0);
  several.borrow(10);
  several.reset();
  CHECK(discarded == 1);
}

TEST_CASE("a kernel that refuses the mapping, or the right to write to it, is out of memory and leaks nothing") {
  System system = System::real();
  SECTION("no address space") {
    system.reserve = [](std::int64_t) -> void* { return nullptr; };
    CHECK_THROWS_AS(HostArena(system, 4096, 123, false), OutOfMemory);
  }
  SECTION("no pages") {
    int released = 0;
    system.commit = [](void*, std::int64_t) { return false; };
    system.release = [&, real = system.release](void* begin, std::int64_t bytes) {
      ++released;
      real(begin, bytes);
    };
    CHECK_THROWS_WITH(HostArena(system, 4096, 123, false), "out of memory: needs 4096 bytes, 123 bytes available");
    CHECK(released == 1);
  }
}

TEST_CASE("small pages are had by refusing huge ones, even where the kernel gives those unasked") {
  System system = System::real();
  int asked = 0;
  int refused = 0;
  system.ask_huge_pages = [&](void*, std::int64_t) { return ++asked > 0; };
  system.refuse_huge_pages = [&, real = system.refuse_huge_pages](void* begin, std::int64_t bytes) {
    ++refused;
    real(begin, bytes);
  };
  HostArena arena(system, 4 * huge_page, 1 << 30, false, Pages::small);
  CHECK(asked == 0);
  CHECK(refused == 1);
  const Span span = arena.borrow(2 * huge_page);
  std::memset(span.data, 1, static_cast<std::size_t>(span.bytes));
  if (const auto page = arena.page_size()) CHECK(*page < huge_page);
}

TEST_CASE("the page size is what was obtained, not what was asked for") {
  System system = System::real();
  SECTION("on this machine") {
    HostArena arena(system, 4 * huge_page, 1 << 30, false);
    CHECK_FALSE(arena.page_size().has_value());  // nothing touched
    const Span span = arena.borrow(2 * huge_page);
    std::memset(span.data, 1, static_cast<std::size_t>(span.bytes));
    REQUIRE(arena.page_size().has_value());
    CHECK(*arena.page_size() >= 4096);
  }
  SECTION("from the kernel's text") {
    const std::string text =
        "7f0000000000-7f0000400000 rw-p 00000000 00:00 0 \nRss:   4096 kB\nKernelPageSize:  4 kB\n"
        "AnonHugePages:   4096 kB\nVmFlags: rd wr\n"
        "7f0000500000-7f0000900000 rw-p 00000000 00:00 0 \nRss:   4096 kB\nKernelPageSize:  4 kB\n"
        "AnonHugePages:   2048 kB\n"
        "7f0000a00000-7f0000b00000 rw-p 00000000 00:00 0 \nRss:   0 kB\nKernelPageSize:  4 kB\n";
    CHECK(page_size_in(text, 0x7f0000000000, huge_page) == huge_page);
    CHECK(page_size_in(text, 0x7f0000500000, huge_page) == 4096);
    CHECK_FALSE(page_size_in(text, 0x7f0000a00000, huge_page).has_value());
    CHECK_FALSE(page_size_in(text, 0x1234, huge_page).has_value());
    CHECK_FALSE(page_size_in("", 0x1234, huge_page).has_value());
  }
}
