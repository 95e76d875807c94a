// Work and buffers of a point, every algorithm's case, what a wrong sum leads to, and conclusions from known times.
#include <catch2/catch.hpp>

#include "collectives/family/analysis.hpp"
#include "collectives/family/family.hpp"
#include "collectives/family/points.hpp"
#include "collectives/family/predict.hpp"
#include "collectives/operations/verdict.hpp"
#include "kernels/device/cpu/device.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace family = ridge::bench::collective;
using Catch::Contains;
using collectives::Collective;
using collectives::operation_of;

namespace {

const collectives::Operation& allreduce = operation_of(Collective::allreduce);

record::Point point_of(const std::string& algorithm, std::int64_t size, std::int64_t ranks,
                       const std::string& dtype = "f32", const std::string& op = "sum",
                       const std::string& place = "out") {
  record::Point point;
  point.set("size", size);
  point.set("dtype", dtype);
  point.set("op", op);
  point.set("place", place);
  point.set("ranks", ranks);
  point.set("engine", "threads");
  point.set("algorithm", algorithm);
  return point;
}

record::Record timed(const std::string& algorithm, std::int64_t size, double seconds, std::int64_t ranks = 2,
                     const char* level = "L2") {
  record::Record r;
  r.benchmark = "allreduce";
  r.device = "cpu";
  r.point = point_of(algorithm, size, ranks);
  r.status = record::Status::ok;
  r.statistics.median = seconds;
  r.method.level = level;
  return r;
}

}  // namespace

TEST_CASE("work is the least that any algorithm does, and buffers are what this one needs") {
  const auto work = family::work(allreduce, point_of("ring", 1002, 3));
  CHECK(work.bytes_read == 3 * 1000);
  CHECK(work.bytes_written == 3 * 1000);
  CHECK(work.operations == 2 * 250);
  CHECK(family::buffers(allreduce, point_of("ring", 1000, 3)).size() == 6);
  CHECK(family::buffers(allreduce, point_of("ring", 1000, 3, "f32", "sum", "in")).size() == 3);
  CHECK(family::buffers(allreduce, point_of("recursive_doubling", 1000, 3)).size() == 9);

  const auto work_of = [](Collective collective) {
    return family::work(operation_of(collective), point_of("ring", 1200, 3));
  };
  CHECK(work_of(Collective::allgather).bytes_read == 1200);
  CHECK(work_of(Collective::allgather).bytes_written == 3600);
  CHECK_FALSE(work_of(Collective::allgather).operations);
  CHECK(work_of(Collective::reducescatter).bytes_read == 3600);
  CHECK(work_of(Collective::reducescatter).bytes_written == 1200);
  CHECK(work_of(Collective::reducescatter).operations == 2 * 300);
  CHECK(work_of(Collective::broadcast).bytes_read == 1200);
  CHECK(work_of(Collective::broadcast).bytes_written == 2400);
  CHECK(work_of(Collective::reduce).bytes_written == 1200);
  CHECK(work_of(Collective::alltoall).bytes_written == 3600);
  CHECK_FALSE(work_of(Collective::barrier).bytes_read);
  CHECK(family::bytes_of(operation_of(Collective::allgather), point_of("ring", 1000, 3)) == 996);
}

TEST_CASE("what cannot be measured is refused with the reason") {
  const auto why = [](Collective collective, const record::Point& point) {
    return family::unsupported_by_threads(operation_of(collective), point).value_or("");
  };
  CHECK(why(Collective::allreduce, point_of("ring", 7, 2, "f64")) ==
        "a size of 7 bytes is below one element of 8 bytes");
  CHECK(why(Collective::allreduce, point_of("ring", 8, 2, "f64")).empty());
  CHECK(why(Collective::alltoall, point_of("pairwise", 8, 3)) ==
        "a size of 8 bytes is below one element of 4 bytes for each of 3 ranks");
  CHECK_THAT(why(Collective::allreduce, point_of("library", 8, 2)), Contains("no library between threads"));
  auto processes = point_of("ring", 8, 2);
  processes.set("engine", "mpi");
  CHECK_THAT(why(Collective::allreduce, processes), Contains("mpirun"));
}

TEST_CASE("every algorithm is verified as it is measured, in place and not, and stays right after being run") {
  const auto device = device::cpu::make_device();
  for (const collectives::Operation& operation : collectives::all_operations())
    for (const collectives::Algorithm* algorithm : operation.algorithms())
      for (const std::string dtype : {"f32", "f64", "int32", "f16", "bf16"})
        for (const std::string place : {"in", "out"})
          for (const std::int64_t ranks : {1, 2, 3})
            for (const std::int64_t size : {24, 30'000}) {
              if (place == "in" && !operation.has_place) continue;
              if (operation.out == collectives::Extent::none && dtype != "f32") continue;
              const auto point = point_of(std::string(algorithm->name), size, ranks, dtype, "sum", place);
              CAPTURE(operation.name, point.to_text());
              std::int64_t needed = 64;
              for (const std::int64_t bytes : family::buffers(operation, point)) needed += device::borrow_cost(bytes);
              const auto arena = device->make_arena(needed);
              CpuContext context{*device, *arena, 1, size == 24 ? Fill::zero : Fill::random};
              const auto prepared = family::prepare_threads(operation, context, point);
              const auto verified = prepared->verify();
              CHECK(verified.reason.empty());
              CHECK(verified.status == record::Check::passed);
              CHECK(verified.checked > 0);
              prepared->run(3);
              CHECK(prepared->verify().status == record::Check::passed);
            }
}

TEST_CASE("a wrong element and a barrier left early are failures that name what is wrong") {
  CHECK(family::verdict({0, 0}, 10).status == record::Check::passed);
  const auto wrong = family::verdict({1, 3}, 10);
  CHECK(wrong.status == record::Check::failed);
  CHECK(wrong.reason == "4 elements wrong or touched, most of them (3) of rank 1");
  const auto early = family::verdict({{{1.0, 1.1}}, {{2.0, 2.1}}});
  CHECK(early.status == record::Check::failed);
  CHECK_THAT(early.reason, Contains("left 1 times"));
}

TEST_CASE("bandwidths of a record, and one rank that has no busbw") {
  std::vector<record::Record> records{timed("ring", 1 << 20, 1e-3, 4), timed("ring", 1 << 20, 1e-3, 1)};
  const auto findings = family::conclude(allreduce, records);
  CHECK(records[0].metric("algbw")->value == Approx((1 << 20) / 1e-3));
  CHECK(records[0].metric("busbw")->value == Approx(1.5 * (1 << 20) / 1e-3));
  CHECK_FALSE(records[1].metric("busbw")->value);
  CHECK(records[1].metric("algbw")->value);
  REQUIRE(findings.size() == 1);
  CHECK_THAT(findings[0].message, Contains("no busbw"));
}

TEST_CASE("a size that ranks cannot share evenly counts as what was moved, and is said") {
  std::vector<record::Record> records{timed("ring", 1000, 1e-6, 3)};
  records[0].benchmark = "allgather";
  const auto findings = family::conclude(operation_of(Collective::allgather), records);
  CHECK(records[0].metric("algbw")->value == Approx(996e6));
  CHECK(records[0].metric("busbw")->value == Approx(996e6 * 2 / 3));
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "allgather-size-rounded");
}

TEST_CASE("a barrier has a time and nothing else") {
  record::Record passage = timed("central", 0, 2e-7);
  passage.benchmark = "barrier";
  passage.point = record::Point();
  passage.point.set("ranks", std::int64_t{2});
  passage.point.set("engine", "threads");
  passage.point.set("algorithm", "central");
  std::vector<record::Record> records{passage};
  CHECK(family::conclude(operation_of(Collective::barrier), records).empty());
  CHECK(records[0].metrics.empty());
  CHECK(family::key_figures(operation_of(Collective::barrier), records) ==
        std::vector<std::string>{"barrier cpu, 2 ranks: 200 ns (central)"});
}

TEST_CASE("models follow the times they are made from, in caches and beyond, and say where algorithms cross") {
  for (const double slower : {1.0, 3.0}) {
    std::vector<record::Record> records;
    for (const std::int64_t size : {8, 1024, 65536, 1048576}) {
      const auto s = static_cast<double>(size);
      records.push_back(timed("recursive_doubling", size, slower * (1e-6 + s * 4e-10)));
      records.push_back(timed("ring", size, slower * (3e-6 + s * 2e-10)));
    }
    for (const std::int64_t size : {16 << 20, 32 << 20, 64 << 20})
      records.push_back(timed("ring", size, slower * static_cast<double>(size) * 1e-9, 2, "memory"));
    const auto findings = family::conclude(allreduce, records);
    CHECK(records[0].metric("predicted_time")->value == Approx(slower * (1e-6 + 8 * 4e-10)));
    CHECK(records[3].metric("predicted_time")->value == Approx(slower * (3e-6 + 1024 * 2e-10)));
    CHECK(records.back().metric("predicted_time")->value == Approx(slower * (64 << 20) * 1e-9));
    REQUIRE(findings.size() == 3);
    CHECK_THAT(findings[1].message, Contains("ring") && Contains("beyond") && Contains("off by 0 %"));
    CHECK_THAT(findings[1].message, Contains(slower == 1.0 ? "3 us (1.5 us a step)" : "9 us (4.5 us a step)"));
    // 2 µs of steps against 0.2 ns a byte.
    CHECK_THAT(findings[2].message, Contains("ring overtakes recursive_doubling at 64 KiB, predicted 10 kB"));
    const auto lines = family::key_figures(allreduce, records);
    REQUIRE(lines.size() == 1);
    CHECK_THAT(lines[0], Contains("allreduce cpu, 2 ranks: 8 B in") && Contains("64 MiB at") && Contains("(ring)"));
  }
}

TEST_CASE("nothing is concluded from records without a time") {
  std::vector<record::Record> records{timed("ring", 8, 1e-6)};
  records[0].status = record::Status::failed;
  CHECK(family::conclude(allreduce, records).empty());
  CHECK(records[0].metrics.empty());
  CHECK(family::key_figures(allreduce, records).empty());
}

TEST_CASE("a prediction is the model with the costs of other ranks, and says that nothing was measured") {
  std::vector<record::Record> records;
  for (const std::int64_t size : {8, 1024, 65536, 1048576})
    for (const char* algorithm : {"ring", "direct", "library"})
      records.push_back(timed(algorithm, size, 2e-6 + static_cast<double>(size) * 1e-9));
  const std::vector<std::int64_t> ranks{4, 8};
  const auto before = records.size();
  const auto findings = family::predict(records, ranks);
  CHECK(records.size() == before);
  REQUIRE(findings.size() == 2);  // of ring alone
  // Two ranks: 2 steps, 1 byte for each byte. Four: 6 steps, 1.5 bytes.
  CHECK(findings[0].code == "allreduce-prediction");
  CHECK_THAT(findings[0].message, Contains("predicted, not measured: allreduce ring with 4 ranks") &&
                                      Contains("6 us (1 us a step)") && Contains("1 MiB in 1.579 ms"));
  CHECK_THAT(findings[1].message, Contains("with 8 ranks") && Contains("14 us (1 us a step)"));
}

namespace {

// Times of a machine on which a byte takes 0.4 ns to pass and 0.1 ns to join, by recursive doubling between two ranks:
// one of each for each byte.
std::vector<record::Record> doubled(std::optional<double> join_rate, const char* cache = "warm") {
  std::vector<record::Record> records;
  for (const std::int64_t size : {8, 1024, 65536, 1048576}) {
    records.push_back(timed("recursive_doubling", size, 1e-6 + static_cast<double>(size) * 5e-10));
    records.back().method.cache = cache;
    if (join_rate)
      records.back().metrics.push_back(
          {"join_rate", join_rate, record::Unit::bytes_per_second, record::Better::neither, {}, {}});
  }
  return records;
}

std::string model_of(std::vector<record::Record> records) {
  const auto findings = family::conclude(allreduce, records);
  REQUIRE(findings.size() == 1);
  return findings[0].message;
}

std::string predicted_for(std::int64_t ranks, const std::vector<record::Record>& records) {
  const auto findings = family::predict(records, std::vector<std::int64_t>{ranks});
  REQUIRE(findings.size() == 1);
  return findings[0].message;
}

}  // namespace

TEST_CASE("a join that was measured splits the time per byte into moving and joining") {
  CHECK_THAT(
      model_of(doubled(10e9)),
      Contains("in caches 1 us + size moved / 2.5 GB/s + size joined / 10 GB/s, in all size / 2 GB/s, half of it "
               "at 2000 B, off by 0 %"));
  auto ring = doubled(10e9);
  for (record::Record& record : ring) record.point.set("algorithm", std::string("ring"));
  CHECK_THAT(model_of(ring), Contains("+ size moved / 2.222 GB/s + 0.5 size joined / 10 GB/s, in all size / 2 GB/s"));
}

TEST_CASE("a join as slow as the whole leaves moving no rate, and none is made up") {
  for (const double rate : {2e9, 1e9}) {
    const std::string text = model_of(doubled(rate));
    CHECK_THAT(text, Contains("1 us + size / 2 GB/s, half of it at 2000 B (joining size by itself, at ") &&
                         Contains(", takes as long: moving cannot be told from it)") && !Contains("moved /"));
    CHECK_THAT(text, !Contains("-") && !Contains("inf") && !Contains("nan"));
  }
}

TEST_CASE("without the figure, as in older reports, or with cold caches the model has two terms") {
  CHECK_THAT(model_of(doubled({})), Contains("1 us + size / 2 GB/s, half of it at 2000 B, off") && !Contains("join"));
  CHECK_THAT(model_of(doubled(10e9, "cold")), Contains("1 us + size / 2 GB/s, half of it") && !Contains("join"));
}

TEST_CASE("how fast ranks join moves what is predicted, where joining and moving do not grow alike") {
  // Six ranks: four steps, four bytes moved and three joined for each.
  CHECK_THAT(predicted_for(6, doubled({})), Contains("1 MiB in 2.101 ms"));
  CHECK_THAT(predicted_for(6, doubled(10e9)),
             Contains("4 us (1 us a step) + 4 size moved / 2.5 GB/s + 3 size joined / 10 GB/s, in all") &&
                 Contains("1 MiB in 1.996 ms"));
  CHECK_THAT(predicted_for(6, doubled(5e9)), Contains("1 MiB in 1.891 ms"));
  // All of it joining: three times as much of that.
  CHECK_THAT(predicted_for(6, doubled(1e9)), Contains("1 MiB in 1.577 ms"));
  // Where they do grow alike it makes no difference.
  CHECK_THAT(predicted_for(8, doubled({})), Contains("1 MiB in 1.576 ms"));
  CHECK_THAT(predicted_for(8, doubled(10e9)), Contains("1 MiB in 1.576 ms"));
}

TEST_CASE("the slowest rank's join counts, and one that tells nothing leaves none") {
  const auto job = family::job_of(allreduce, point_of("ring", 4096, 2));
  using Told = std::vector<std::optional<double>>;
  CHECK(family::join_rate_of(job, Told{1e-6, 2e-6}) == Approx(2048 / 2e-6));
  CHECK_FALSE(family::join_rate_of(job, Told{1e-6, std::nullopt}));
  CHECK_FALSE(family::join_rate_of(job, Told{}));
}

TEST_CASE("nothing is predicted from one rank, from two sizes, or from a shared memory") {
  std::vector<record::Record> records;
  for (const std::int64_t size : {8, 1024, 65536}) records.push_back(timed("ring", size, 1e-6, 1));
  const std::vector<std::int64_t> ranks{4};
  REQUIRE(family::predict(records, ranks).size() == 1);
  CHECK(family::predict(records, ranks)[0].severity == record::Severity::warning);
  records = {timed("ring", 8, 1e-6), timed("ring", 1024, 2e-6)};
  CHECK_THAT(family::predict(records, ranks)[0].message, Contains("nothing to predict from"));
  CHECK(family::predict({}, ranks).empty());
}
