// The chase as a case: right at awkward sizes, with either kind of pages; wrong loops and broken cycles are refused.
#include <catch2/catch.hpp>
#include <iostream>

#include "bench/harness/made_points.hpp"
#include "bench/hierarchy/chase_case.hpp"
#include "bench/hierarchy/definition.hpp"

using namespace ridge;
using namespace ridge::bench;
using chase::Line;
using fake::find;

namespace {

record::Point point_of(std::int64_t size, const std::string& pages, std::optional<std::int64_t> chains = {}) {
  record::Point point;
  point.set("size", size);
  if (chains) point.set("chains", *chains);
  point.set("pages", pages);
  return point;
}

std::int64_t needed_by(const Definition& d, const record::Point& point) {
  std::int64_t needed = 0;
  for (const std::int64_t bytes : d.buffers(point)) needed += device::borrow_cost(bytes);
  return needed;
}

}  // namespace

TEST_CASE("work: latency divides by the links of one chain, and every chain's loads are counted") {
  const auto all = hierarchy::definitions();
  const Definition& latency = find(all, "hierarchy.latency");
  const Definition& parallelism = find(all, "hierarchy.parallelism");
  CHECK(latency.work(point_of(4096, "huge")).items == hierarchy::cpu_loads);
  CHECK(latency.work(point_of(4096, "huge")).bytes_read == hierarchy::cpu_loads * 8);
  for (const std::int64_t chains : {1, 3, 16, 32}) {
    const auto work = parallelism.work(point_of(1 << 20, "huge", chains));
    CHECK(work.items == hierarchy::cpu_loads / chains);
    CHECK(work.bytes_read == hierarchy::cpu_loads / chains * chains * 64);
  }
  CHECK(latency.buffers(point_of(1000, "huge")) == std::vector<std::int64_t>{960});
}

TEST_CASE("a set with fewer lines than chains is refused with the reason") {
  const auto all = hierarchy::definitions();
  CHECK(find(all, "hierarchy.latency").unsupported(point_of(63, "huge")).value() ==
        "a size of 63 bytes holds 0 lines of 64 bytes, 1 chain needs 1");
  CHECK(find(all, "hierarchy.parallelism").unsupported(point_of(1024, "huge", 32)).value() ==
        "a size of 1024 bytes holds 16 lines of 64 bytes, 32 chains need 32");
  CHECK_FALSE(find(all, "hierarchy.parallelism").unsupported(point_of(2048, "huge", 32)).has_value());
}

TEST_CASE("every chase verifies, runs and warms at awkward sizes, within the buffers it declared") {
  const auto device = device::cpu::make_device();
  const auto definitions = hierarchy::definitions();
  for (const char* name : {"hierarchy.latency", "hierarchy.pages", "hierarchy.parallelism"}) {
    const Definition& d = find(definitions, name);
    const bool several = d.name == "hierarchy.parallelism";
    for (const std::string pages : {"huge", "small"})
      for (const std::int64_t chains : several ? std::vector<std::int64_t>{1, 2, 7, 32} : std::vector<std::int64_t>{1})
        for (const std::int64_t lines : {1, 2, 33, 1000, 100'003}) {
          const auto point = point_of(lines * 64, pages, several ? std::optional(chains) : std::nullopt);
          if (d.unsupported(point)) continue;
          CAPTURE(d.name, point.to_text());
          const auto arena = device->make_arena(needed_by(d, point));
          CpuContext context{*device, *arena, 1, Fill::random};
          const auto prepared = d.prepare_cpu(context, point);
          const auto verified = prepared->verify();
          CHECK(verified.reason.empty());
          CHECK(verified.status == record::Check::passed);
          CHECK(verified.checked == lines);
          prepared->warm();
          CHECK(prepared->stream().time([&] { prepared->run(2); }).seconds > 0);
          CHECK(prepared->verify().status == record::Check::passed);
          if (pages == "huge") CHECK_FALSE(prepared->page_size().has_value());  // the arena's
          if (const auto page = prepared->page_size()) CHECK(*page <= 65536);
        }
  }
}

TEST_CASE("loops that are wrong in one way each, and links that are no cycle, are refused") {
  const auto device = device::cpu::make_device();
  constexpr std::int64_t lines = 1000;
  const auto arena = device->make_arena(64 * device::borrow_cost(lines * 64));
  CpuContext context{*device, *arena, 1, Fill::random};
  int made = 0;
  int killed = 0;
  const auto tell = [&](const char* mistake, const record::Verification& result) {
    ++made;
    killed += result.status == record::Check::failed ? 1 : 0;
    std::cout << (result.status == record::Check::failed ? "killed    " : "SURVIVED  ") << mistake << " ("
              << result.reason << ")\n";
    CHECK(result.status == record::Check::failed);
    CHECK_FALSE(result.reason.empty());
  };
  const auto wrong = [&](const char* mistake, chase::Chase kernel) {
    tell(mistake, hierarchy::ChaseCase(kernel, 4, 100, lines, false, context).verify());
  };
  const auto all = chase::chase_kernel(4);
  CHECK(hierarchy::ChaseCase(all, 4, 100, lines, false, context).verify().status == record::Check::passed);
  wrong("follows nothing", [](const Line**, std::int64_t) {});
  wrong("a link too few", [](const Line** at, std::int64_t hops) { chase::chase_kernel(4)(at, hops - 1); });
  wrong("a link too many", [](const Line** at, std::int64_t hops) { chase::chase_kernel(4)(at, hops + 1); });
  wrong("one chain less", [](const Line** at, std::int64_t hops) { chase::chase_kernel(3)(at, hops); });
  wrong("half of the links", [](const Line** at, std::int64_t hops) { chase::chase_kernel(4)(at, hops / 2); });
  wrong("the next line in memory", [](const Line** at, std::int64_t) {
    for (int c = 0; c < 4; ++c) ++at[c];
  });
  wrong("one chain twice", [](const Line** at, std::int64_t hops) {
    chase::chase_kernel(4)(at, hops);
    at[1] = at[0];
  });
  wrong("chains exchanged", [](const Line** at, std::int64_t hops) {
    chase::chase_kernel(4)(at, hops);
    std::swap(at[2], at[3]);
  });
  hierarchy::ChaseCase damaged(all, 4, 100, lines, false, context);
  damaged.lines()[7].next = &damaged.lines()[7];
  tell("a cycle cut short", damaged.verify());
  std::cout << killed << " of " << made << " mutants killed\n";
}

TEST_CASE("bandwidth is the read benchmark itself, in f64") {
  const auto all = hierarchy::definitions();
  const Definition& d = find(all, "hierarchy.bandwidth");
  record::Point point;
  point.set("size", std::int64_t{8003});
  point.set("threads", std::int64_t{1});
  CHECK(d.work(point).bytes_read == 8000);
  CHECK(d.work(point).bytes_written == 0);
  const auto device = device::cpu::make_device();
  const auto arena = device->make_arena(needed_by(d, point));
  CpuContext context{*device, *arena, 1, Fill::random};
  const auto verified = d.prepare_cpu(context, point)->verify();
  CHECK(verified.status == record::Check::passed);
  CHECK(verified.checked == 1000);
}

TEST_CASE("the family shares one analysis and states its facts") {
  const auto all = hierarchy::definitions();
  REQUIRE(all.size() >= 3);
  for (const Definition& d : all) {
    CHECK(d.family() == "hierarchy");
    CHECK(d.analysis == all.front().analysis);
  }
}
