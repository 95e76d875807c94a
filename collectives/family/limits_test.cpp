// A busbw above the link or above memory is said with its reason, where the run measured the limit; from known times.
#include "collectives/family/limits.hpp"

#include <catch2/catch.hpp>

#include "collectives/family/analysis.hpp"

using namespace ridge;
namespace family = ridge::bench::collective;
using Catch::Contains;
using collectives::Collective;
using collectives::operation_of;

namespace {

record::Record timed(Collective collective, const std::string& engine, std::int64_t size, double seconds,
                     const char* level = "memory") {
  record::Record r;
  r.benchmark = operation_of(collective).name;
  r.device = "cpu";
  r.point.set("size", size);
  r.point.set("dtype", std::string("f32"));
  r.point.set("ranks", std::int64_t{4});
  if (engine != "nccl") r.point.set("engine", engine);
  r.point.set("algorithm", std::string(engine == "threads" ? "direct" : "library"));
  r.status = record::Status::ok;
  r.statistics.median = seconds;
  r.method.level = level;
  // Of all ranks: each input read, each output written.
  r.metrics.push_back({"bandwidth",
                       8.0 * static_cast<double>(size) / seconds,
                       record::Unit::bytes_per_second,
                       record::Better::higher,
                       {},
                       {}});
  return r;
}

record::Record memory(double bandwidth, const char* device = "cpu") {
  record::Record r;
  r.benchmark = "bandwidth.triad";
  r.device = device;
  r.status = record::Status::ok;
  r.statistics.median = 1;
  r.method.level = "memory";
  r.metrics.push_back({"bandwidth", bandwidth, record::Unit::bytes_per_second, record::Better::higher, {}, {}});
  return r;
}

// What is said of the all-reduce among them.
std::vector<std::string> said(std::vector<record::Record> records) {
  family::conclude(operation_of(Collective::allreduce), records);
  std::vector<std::string> texts;
  for (const record::Finding& finding : family::beyond_limits(operation_of(Collective::allreduce), records)) {
    CHECK(finding.code == "allreduce-busbw-above-limit");
    texts.push_back(finding.message);
  }
  return texts;
}

}  // namespace

TEST_CASE("a switch that adds up makes busbw exceed the link, and it is said which link was measured") {
  // 1 MB each in 10 µs: 100 GB/s over a link. An all-reduce of as many in 10 µs: 1.5 times that as busbw.
  for (const std::string engine : {"mpi", "nccl"}) {
    const auto texts =
        said({timed(Collective::sendrecv, engine, 1'000'000, 1e-5), timed(Collective::sendrecv, engine, 1000, 1e-6),
              timed(Collective::allreduce, engine, 1'000'000, 1e-5), timed(Collective::allreduce, engine, 1000, 1e-6)});
    REQUIRE(texts.size() == 1);
    CHECK_THAT(texts[0], Contains("allreduce (cpu, 4 ranks by " + engine + "): busbw, up to 150 GB/s at 1 MB") &&
                             Contains("above the 100 GB/s that sendrecv moved") && Contains("in-switch reduction"));
  }
}

TEST_CASE("a busbw that the link can carry, and one whose link nobody measured, are not commented on") {
  CHECK(said({timed(Collective::sendrecv, "mpi", 1'000'000, 1e-5),
              timed(Collective::allreduce, "mpi", 1'000'000, 1.45e-5)})
            .empty());
  CHECK(said({timed(Collective::allreduce, "mpi", 1'000'000, 1e-9)}).empty());
  // Another engine's link, and one that was not measured in order.
  CHECK(said({timed(Collective::sendrecv, "threads", 1'000'000, 1e-5),
              timed(Collective::allreduce, "mpi", 1'000'000, 1e-5)})
            .empty());
  auto failed = timed(Collective::sendrecv, "mpi", 1'000'000, 1e-5);
  failed.status = record::Status::failed;
  CHECK(said({failed, timed(Collective::allreduce, "mpi", 1'000'000, 1e-5)}).empty());
}

TEST_CASE("caches make the busbw of threads exceed what memory allows, and their sizes and levels are said") {
  // Memory moves 80 GB/s. An all-reduce of four moves 8 bytes for each of its size, with a factor of 1.5: 15 GB/s.
  const auto texts =
      said({memory(80e9), memory(500e9, "cuda:0"), timed(Collective::allreduce, "threads", 4096, 4096 / 100e9, "L1"),
            timed(Collective::allreduce, "threads", 262144, 262144 / 20e9, "L2"),
            timed(Collective::allreduce, "threads", 1 << 26, (1 << 26) / 9e9)});
  REQUIRE(texts.size() == 1);
  CHECK_THAT(texts[0],
             Contains("up to 150 GB/s at 4 KiB to 256 KiB, is above 15 GB/s, what memory allows by the 80 GB/s "
                      "that bandwidth.triad moved there in this run: caches hold the arrays (L1, L2)"));
}

TEST_CASE("within what memory allows nothing is said, and beyond it at memory's own size the limit is doubted") {
  CHECK(said({memory(80e9), timed(Collective::allreduce, "threads", 1 << 26, (1 << 26) / 10.4e9)}).empty());
  CHECK(said({timed(Collective::allreduce, "threads", 4096, 1e-9, "L1")}).empty());
  // Its own bandwidth in memory is a limit as well, so it is never above that alone.
  CHECK(said({memory(8e9), timed(Collective::allreduce, "threads", 1 << 26, (1 << 26) / 10e9)}).empty());
  auto hidden = timed(Collective::allreduce, "threads", 1 << 20, (1 << 20) / 40e9);
  hidden.method.level.reset();
  const auto texts = said({memory(80e9), hidden});
  REQUIRE(texts.size() == 1);
  CHECK_THAT(texts[0], Contains("part of the arrays stays in caches, or memory can more"));
}
