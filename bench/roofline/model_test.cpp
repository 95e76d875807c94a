// Predictions follow the constants they are made of: change one, and the roof moves.
#include "bench/roofline/model.hpp"

#include <catch2/catch.hpp>

#include "bench/roofline/analysis.hpp"

using namespace ridge;
using namespace ridge::bench;
using record::Record;

namespace {

Record made(const std::string& benchmark, const std::string& dtype, const std::string& level, std::int64_t read,
            std::int64_t written, std::int64_t operations, double seconds) {
  Record r;
  r.benchmark = benchmark;
  r.device = "cpu";
  r.point.set("dtype", dtype);
  r.point.set("threads", std::int64_t{2});
  r.status = record::Status::ok;
  r.method.cache = "warm";
  if (!level.empty()) r.method.level = level;
  r.work.bytes_read = read;
  r.work.bytes_written = written;
  if (operations > 0) r.work.operations = operations;
  r.statistics.median = seconds;
  if (operations > 0)
    r.metrics.push_back({"flops",
                         static_cast<double>(operations) / seconds,
                         record::Unit::flop_per_second,
                         record::Better::higher,
                         {},
                         {}});
  if (read + written > 0)
    r.metrics.push_back({"bandwidth",
                         static_cast<double>(read + written) / seconds,
                         record::Unit::bytes_per_second,
                         record::Better::higher,
                         {},
                         {}});
  return r;
}

// A machine of `peak` GFLOP/s whose memory copies at `copy` and reads at `read` GB/s.
std::vector<Record> machine(double peak, double copy, double read) {
  return {made("roofline.peak", "f64", "", 0, 0, 1'000'000'000, 1 / peak),
          made("roofline.copy", "f64", "memory", 500'000'000, 500'000'000, 0, 1 / copy),
          made("bandwidth.read", "f64", "memory", 1'000'000'000, 0, 0, 1 / read)};
}

}  // namespace

TEST_CASE("the roof is the smaller of its two terms, and moves with each constant") {
  CHECK(roofline::attainable(80e9, 20e9, 0.5) == 10e9);
  CHECK(roofline::attainable(80e9, 40e9, 0.5) == 20e9);
  CHECK(roofline::attainable(80e9, 20e9, 16) == 80e9);
  CHECK(roofline::attainable(160e9, 20e9, 16) == 160e9);
  CHECK(roofline::ridge_point(80e9, 20e9) == 4);
}

TEST_CASE("intensity counts reads and writes") {
  record::Work work;
  CHECK_FALSE(roofline::intensity_of(work));
  work.operations = 24;
  CHECK_FALSE(roofline::intensity_of(work));
  work.bytes_read = 64;
  work.bytes_written = 32;
  CHECK(roofline::intensity_of(work) == 0.25);
}

TEST_CASE("a kernel meets the ceiling of its own traffic and level") {
  for (const double factor : {1.0, 3.0}) {
    auto records = machine(80, 20 * factor, 10);
    records.push_back(made("roofline.stencil", "f64", "memory", 80, 80, 80, 1));  // 0.5 FLOP/B, half of it written
    records.push_back(made("roofline.gemv", "f64", "memory", 1600, 8, 402, 1));   // 0.25 FLOP/B, reads
    const auto ceilings = roofline::Ceilings::of(records, records.back());
    CHECK(roofline::roof_of(records[3], ceilings)->flops == Approx(10e9 * factor));
    CHECK(roofline::roof_of(records[4], ceilings)->flops == Approx(2.5e9));
    CHECK(roofline::roof_of(records[4], ceilings)->memory_bound);
  }
  auto records = machine(80, 20, 10);
  records.push_back(made("roofline.gemm", "f64", "memory", 2, 1, 3000, 1));
  const auto roof = roofline::roof_of(records.back(), roofline::Ceilings::of(records, records.back()));
  CHECK(roof->flops == Approx(80e9));
  CHECK_FALSE(roof->memory_bound);
}

TEST_CASE("change a ceiling and every roof that it bounds moves by as much, and no other") {
  // Roofs, by which kernel each is bounded, and the ridge point.
  const auto roofs = [](double peak, double copy, double read) {
    auto records = machine(peak, copy, read);
    records.push_back(made("roofline.stencil", "f64", "memory", 80, 80, 80, 1));  // half of its traffic is written
    records.push_back(made("roofline.ladder", "f64", "memory", 80, 80, 10, 1));   // 1/16 FLOP/B
    records.push_back(made("roofline.spmv", "f64", "memory", 1600, 8, 240, 1));   // reads
    records.push_back(made("roofline.gemm", "f64", "memory", 2, 1, 3000, 1));     // far beyond the ridge
    CHECK(roofline::conclude(records).empty());
    std::vector<double> all{records[0].metric("ridge_point")->value.value()};
    for (std::size_t i = 3; i < records.size(); ++i) {
      const record::Metric& flops = *records[i].metric("flops");
      all.push_back(flops.peak->value);
      CHECK(*flops.percent_of_peak == Approx(100 * *flops.value / flops.peak->value));
    }
    return all;
  };
  const auto before = roofs(80, 20, 10);
  const auto moved = [&](const std::vector<double>& after, const std::vector<double>& by) {
    REQUIRE(after.size() == by.size());
    for (std::size_t i = 0; i < by.size(); ++i) {
      CAPTURE(i);
      CHECK(after[i] == Approx(by[i] * before[i]));
    }
  };
  moved(roofs(80, 20, 10), {1, 1, 1, 1, 1});
  moved(roofs(160, 20, 10), {2, 1, 1, 1, 2});       // the peak
  moved(roofs(80, 60, 10), {1.0 / 3, 3, 3, 1, 1});  // memory that is also written
  moved(roofs(80, 20, 30), {1, 1, 1, 3, 1});        // memory that is only read
  moved(roofs(8, 20, 10), {0.1, 0.8, 1, 1, 0.1});   // so low a peak bounds the stencil, too: 8 of 10 GFLOP/s
}

TEST_CASE("no ceiling is taken from another type, level, thread count, device or a bad record") {
  auto records = machine(80, 20, 10);
  Record kernel = made("roofline.stencil", "f64", "memory", 80, 80, 80, 1);
  const auto has_roof = [&](const Record& r) {
    return roofline::roof_of(r, roofline::Ceilings::of(records, r)).has_value();
  };
  REQUIRE(has_roof(kernel));
  Record other = kernel;
  other.point.set("dtype", std::string("f32"));
  CHECK_FALSE(has_roof(other));
  other = kernel;
  other.method.level = "L2";
  CHECK_FALSE(has_roof(other));
  other.method.level.reset();
  CHECK_FALSE(has_roof(other));
  other = kernel;
  other.point.set("threads", std::int64_t{1});
  CHECK_FALSE(has_roof(other));
  other = kernel;
  other.device = "cuda:0";
  CHECK_FALSE(has_roof(other));
  records[1].status = record::Status::suspect;
  CHECK_FALSE(has_roof(kernel));
}

TEST_CASE("records get intensity, share and ridge point, and what lacks a ceiling is said") {
  auto records = machine(80, 20, 10);
  records.push_back(made("roofline.stencil", "f64", "memory", 80'000'000, 80'000'000, 80'000'000, 0.01));  // 8 GFLOP/s
  records.push_back(made("roofline.ladder", "f32", "memory", 80, 80, 80, 1));
  const auto findings = roofline::conclude(records);
  CHECK(records[0].metric("ridge_point")->value == Approx(4));
  CHECK(records[3].metric("intensity")->value == Approx(0.5));
  CHECK(roofline::share_of(records[3]) == Approx(0.8));
  CHECK(records[3].metric("flops")->percent_of_peak == Approx(80));
  CHECK_FALSE(roofline::share_of(records[4]));
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "roofline-incomplete");
  CHECK(findings[0].records.size() == 1);
  const auto lines = roofline::key_figures(records);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "roofline cpu f64: 80 GFLOP/s, memory 20 GB/s copy, 10 GB/s read, ridge 4 FLOP/B");
  CHECK(lines[1] == "  of its roof: stencil 80 %");
}

TEST_CASE("a product that reads faster than read does raises the roof of all that only read") {
  auto records = machine(80, 20, 10);
  records.push_back(made("roofline.gemv", "f64", "memory", 12'000'000'000, 0, 3'000'000'000, 1));
  records.push_back(made("roofline.spmv", "f64", "memory", 600'000'000, 0, 150'000'000, 0.1));
  CHECK(roofline::conclude(records).empty());
  CHECK(roofline::share_of(records[3]) == Approx(1));
  CHECK(records[3].metric("flops")->peak->source ==
        "roof of this run: 0.25 FLOP/B at 12 GB/s of roofline.gemv in memory");
  CHECK(roofline::share_of(records[4]) == Approx(0.5));
}

TEST_CASE("peaks of dot products stand in one line, with the instruction where there is a choice") {
  auto records = machine(80, 20, 10);
  records.push_back(made("roofline.dot_peak", "bf16", "", 0, 0, 300'000'000, 0.001));
  records.back().point.set("instruction", std::string("mma"));
  records.push_back(made("roofline.dot_ops", "int8", "", 0, 0, 600'000'000, 0.001));
  records.back().metrics.front().name = "ops";
  CHECK(roofline::conclude(records).empty());
  const auto lines = roofline::key_figures(records);
  REQUIRE(lines.size() == 2);
  CHECK(lines[1] == "  dot products cpu: bf16 300 GFLOP/s mma, int8 600 GOP/s");
  // A library that is faster than the instruction is named beside it, a slower one is not.
  records.push_back(made("gemm.float", "bf16", "", 0, 0, 450'000'000, 0.001));
  records.push_back(made("gemm.float", "f32", "", 0, 0, 900'000'000, 0.001));
  records.push_back(made("gemm.int8", "", "", 0, 0, 500'000'000, 0.001));
  records.back().metrics.front().name = "ops";
  CHECK(roofline::key_figures(records)[1] ==
        "  dot products cpu: bf16 450 GFLOP/s by the library (300 GFLOP/s mma), int8 600 GOP/s");
}

TEST_CASE("the ceiling of a type is the best of the architecture's instruction, mma and the library, and says which") {
  auto records = machine(80, 20, 10);
  const auto add = [&](const char* benchmark, const char* dtype, const char* instruction, double tflops) {
    records.push_back(made(benchmark, dtype, "", 0, 0, static_cast<std::int64_t>(tflops * 1e9), 0.001));
    if (*instruction != 0) records.back().point.set("instruction", std::string(instruction));
  };
  const auto line = [&] { return roofline::key_figures(records).at(1); };
  add("roofline.dot_peak", "bf16", "mma", 480);
  CHECK(line() == "  dot products cpu: bf16 480 TFLOP/s mma");
  add("roofline.dot_peak", "bf16", "wgmma", 790);
  CHECK(line() == "  dot products cpu: bf16 790 TFLOP/s wgmma");
  add("gemm.float", "bf16", "", 700);
  CHECK(line() == "  dot products cpu: bf16 790 TFLOP/s wgmma");
  add("gemm.float", "bf16", "", 800);
  CHECK(line() == "  dot products cpu: bf16 800 TFLOP/s by the library (790 TFLOP/s wgmma)");
  records[records.size() - 3].status = record::Status::failed;  // the instruction gave a wrong answer: never its number
  CHECK(line() == "  dot products cpu: bf16 800 TFLOP/s by the library (480 TFLOP/s mma)");
  add("roofline.dot_peak", "e4m3", "wgmma", 1500);
  records.back().status = record::Status::skipped;
  CHECK(line() == "  dot products cpu: bf16 800 TFLOP/s by the library (480 TFLOP/s mma)");
  add("gemm.fp8", "e4m3", "", 1400);
  CHECK(line() ==
        "  dot products cpu: bf16 800 TFLOP/s by the library (480 TFLOP/s mma), e4m3 1.4 PFLOP/s by the library");
}

TEST_CASE("a figure above its roof is pointed out") {
  auto records = machine(80, 20, 10);
  records.push_back(made("roofline.stencil", "f64", "memory", 80'000'000, 80'000'000, 80'000'000, 0.007));
  const auto findings = roofline::conclude(records);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "above-its-roof");
}

TEST_CASE("the picture has the roof, its kernels and their shares, and fits") {
  auto records = machine(80, 20, 10);
  records.push_back(made("roofline.stencil", "f64", "memory", 80'000'000, 80'000'000, 80'000'000, 0.01));
  records.push_back(made("roofline.ladder", "f64", "memory", 80'000'000, 80'000'000, 160'000'000, 0.01));
  roofline::conclude(records);
  for (const int columns : {24, 60, 100}) {
    const std::string picture = roofline::draw(records, columns);
    for (std::size_t begin = 0; begin < picture.size();) {
      const std::size_t end = picture.find('\n', begin);
      REQUIRE(end != std::string::npos);
      CHECK(end - begin <= static_cast<std::size_t>(columns));
      begin = end + 1;
    }
  }
  const std::string picture = roofline::draw(records, 100);
  CHECK(picture.find("a stencil (memory): 0.5 FLOP/B, 8 GFLOP/s, 80 % of its roof") != std::string::npos);
  CHECK(picture.find("* memory: 20 GB/s (copy), ridge at 4 FLOP/B") != std::string::npos);
  CHECK(picture.find("o ladder: 1 intensities, 80 to 80 % of the roof") != std::string::npos);
  CHECK(roofline::draw({}, 80).empty());
}
