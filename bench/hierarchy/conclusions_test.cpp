// Predictions are computed from measured constants (change the constant and they move), never from what is not there.
#include "bench/hierarchy/conclusions.hpp"

#include <catch2/catch.hpp>

#include "bench/harness/lookup.hpp"
#include "bench/hierarchy/prepare.hpp"

using namespace ridge;
using namespace ridge::bench::hierarchy;
using ridge::bench::value_of;

namespace {

constexpr std::int64_t MiB = 1 << 20;

using Axes = std::vector<std::pair<std::string, record::Value>>;

record::Record measured(const std::string& benchmark, const Axes& axes, const std::string& metric, double value,
                        const std::string& device = "cpu") {
  record::Record r;
  r.benchmark = benchmark;
  for (const auto& [name, axis] : axes) r.point.set(name, axis);
  r.device = device;
  r.status = record::Status::ok;
  r.method.working_set = r.point.integer("size");
  record::Metric m;
  m.name = metric;
  m.value = value;
  r.metrics.push_back(m);
  return r;
}

record::Record latency(std::int64_t size, double seconds, const std::string& pages = "huge") {
  auto r = measured("hierarchy.latency", {{"size", size}, {"pages", pages}}, "latency", seconds);
  r.method.page_size = pages == "huge" ? 2 * MiB : 4096;
  return r;
}

record::Record chains(std::int64_t k, double bandwidth, double seconds, std::int64_t size = 128 * MiB) {
  auto r = measured("hierarchy.parallelism", {{"size", size}, {"chains", k}, {"pages", std::string("huge")}},
                    "bandwidth", bandwidth);
  r.metrics.push_back(r.metrics.front());
  r.metrics.back().name = "latency";
  r.metrics.back().value = seconds;
  return r;
}

record::Record reading(std::int64_t size, std::int64_t threads, double bandwidth) {
  auto r = measured("hierarchy.bandwidth", {{"size", size}, {"threads", threads}}, "bandwidth", bandwidth);
  r.method.level = "memory";
  return r;
}

std::vector<record::Finding> conclude(std::vector<record::Record>& all) {
  return make_analysis()->conclude(all);
}

bool found(const std::vector<record::Finding>& all, const std::string& code) {
  for (const auto& finding : all)
    if (finding.code == code) return true;
  return false;
}

// 1 KiB … 512 KiB at 2 ns, then 64 MiB at 100 ns.
std::vector<record::Record> two_levels() {
  std::vector<record::Record> all;
  for (std::int64_t size = 1024; size <= 512 << 10; size *= 2) all.push_back(latency(size, 2e-9));
  for (std::int64_t size = MiB; size <= 64 * MiB; size *= 2) all.push_back(latency(size, 100e-9));
  return all;
}

}  // namespace

TEST_CASE("Little's law: lines in flight over the latency, up to the ceiling") {
  CHECK(predicted_bandwidth(64, 100e-9, std::nullopt) == Approx(0.64e9));
  CHECK(predicted_bandwidth(16 * 64, 100e-9, 20e9) == Approx(10.24e9));
  CHECK(predicted_bandwidth(64 * 64, 100e-9, 20e9) == Approx(20e9));
}

TEST_CASE("the prediction for k chains follows the measured latency of one and the measured ceiling") {
  const auto predicted = [](double one_chain, double ceiling) {
    std::vector<record::Record> all{chains(1, 64 / one_chain, one_chain), chains(8, 5e9, 102e-9),
                                    reading(128 * MiB, 1, ceiling), reading(128 * MiB, 2, 99e9)};
    conclude(all);
    CHECK(*value_of(all[1], "share_of_prediction") == Approx(5e9 / *value_of(all[1], "predicted_bandwidth")));
    CHECK(*value_of(all[0], "share_of_prediction") == Approx(1));
    return *value_of(all[1], "predicted_bandwidth");
  };
  CHECK(predicted(100e-9, 12e9) == Approx(5.12e9));
  CHECK(predicted(50e-9, 12e9) == Approx(10.24e9));  // the latency moves it
  CHECK(predicted(50e-9, 7e9) == Approx(7e9));       // and so does the ceiling
}

TEST_CASE("on a GPU the bytes of one round are in flight, over the latency of the chase there") {
  const auto predicted = [](double seconds, double ceiling) {
    auto in_flight =
        measured("hierarchy.in_flight", {{"size", 256 * MiB}, {"warps", std::int64_t{8}}}, "bandwidth", 1e12, "cuda:0");
    in_flight.work.bytes_read = 1'000'000 * in_flight_rounds;
    std::vector<record::Record> all{
        in_flight, measured("hierarchy.latency", {{"size", 256 * MiB}}, "latency", seconds, "cuda:0"),
        measured("hierarchy.bandwidth", {{"size", 256 * MiB}}, "bandwidth", ceiling, "cuda:0"),
        latency(256 * MiB, 1e-9)};  // of the CPU: not to be taken
    conclude(all);
    return *value_of(all[0], "predicted_bandwidth");
  };
  CHECK(predicted(500e-9, 4e12) == Approx(2e12));
  CHECK(predicted(1000e-9, 4e12) == Approx(1e12));
  CHECK(predicted(500e-9, 1.5e12) == Approx(1.5e12));
}

TEST_CASE("the latency of one chain is taken from the staircase where no single chain was run, at that size only") {
  std::vector<record::Record> all{chains(8, 5e9, 100e-9), latency(128 * MiB, 80e-9), latency(64 * MiB, 10e-9)};
  conclude(all);
  CHECK(*value_of(all[0], "predicted_bandwidth") == Approx(8 * 64 / 80e-9));
  std::vector<record::Record> other_size{chains(8, 5e9, 100e-9), latency(64 * MiB, 10e-9)};
  conclude(other_size);
  CHECK(other_size[0].metric("predicted_bandwidth") == nullptr);
}

TEST_CASE("what failed or was skipped predicts nothing and is predicted nothing") {
  std::vector<record::Record> all{chains(1, 0.64e9, 100e-9), chains(8, 5e9, 100e-9)};
  all[0].status = record::Status::failed;
  all.push_back(latency(128 * MiB, 80e-9));
  all[2].status = record::Status::skipped;
  conclude(all);
  CHECK(all[1].metric("predicted_bandwidth") == nullptr);
  std::vector<record::Record> none;
  CHECK(conclude(none).empty());
  CHECK(make_analysis()->key_figures(none).empty());
  CHECK(make_analysis()->draw(none, 80).empty());
}

TEST_CASE("bytes in flight are bandwidth times latency of the same size") {
  const auto in_flight = [](double bandwidth, double seconds, const std::string& figure) {
    std::vector<record::Record> all{reading(64 * MiB, 2, bandwidth), latency(64 * MiB, seconds)};
    conclude(all);
    CHECK(make_analysis()->key_figures(all).at(0) == figure);
    return *value_of(all[0], "bytes_in_flight");
  };
  CHECK(in_flight(20e9, 100e-9, "20 GB/s: 31 lines in flight") == Approx(2000));
  CHECK(in_flight(40e9, 100e-9, "40 GB/s: 62 lines in flight") == Approx(4000));
  CHECK(in_flight(20e9, 160e-9, "20 GB/s: 50 lines in flight") == Approx(3200));
}

TEST_CASE("cycles need a clock, and follow it") {
  for (const double clock : {3e9, 1.5e9}) {
    std::vector<record::Record> all{
        latency(4096, 1e-9), latency(8192, 1e-9),
        measured("hierarchy.shared_latency", {{"size", std::int64_t{4096}}}, "latency", 20e-9, "cuda:0")};
    all[0].conditions.clock_hz = all[2].conditions.clock_hz = clock;
    conclude(all);
    CHECK(*value_of(all[0], "latency_cycles") == Approx(clock * 1e-9));
    CHECK(all[1].metric("latency_cycles") == nullptr);
    CHECK(*value_of(all[2], "latency_cycles") == Approx(clock * 20e-9));
  }
}

TEST_CASE("shared memory is predicted to give 128 bytes a cycle of each multiprocessor, at the clock that was probed") {
  const auto predicted = [](std::int64_t multiprocessors, std::optional<double> clock) {
    std::vector<record::Record> all{
        measured("hierarchy.shared_bandwidth", {{"size", std::int64_t{16384}}}, "bandwidth", 30e12, "cuda:0")};
    all[0].work.items = multiprocessors;
    all[0].conditions.clock_hz = clock;
    conclude(all);
    const auto value = value_of(all[0], "predicted_bandwidth");
    CHECK((all[0].metric("share_of_prediction") != nullptr) == value.has_value());
    if (value) CHECK(*value_of(all[0], "share_of_prediction") == Approx(30e12 / *value));
    return value.value_or(0);
  };
  CHECK(predicted(132, 1.98e9) == Approx(132 * 128 * 1.98e9));
  CHECK(predicted(132, 1e9) == Approx(132 * 128 * 1e9));
  CHECK(predicted(66, 1e9) == Approx(66 * 128 * 1e9));
  CHECK(predicted(132, std::nullopt) == 0);
}

TEST_CASE("small pages are held against huge ones of the same size") {
  std::vector<record::Record> all{latency(64 * MiB, 150e-9, "small"), latency(64 * MiB, 100e-9),
                                  latency(4096, 2e-9, "small")};
  conclude(all);
  CHECK(*value_of(all[0], "against_huge_pages") == Approx(1.5));
  CHECK(all[1].metric("against_huge_pages") == nullptr);
  CHECK(all[2].metric("against_huge_pages") == nullptr);
  CHECK(make_analysis()->key_figures(all).at(0) ==
        "64 MiB on pages of 4 KiB: a load takes 150 ns, 1.50 times that on huge ones");
}

TEST_CASE("huge pages that were asked for and not given are a warning, and none where they were given") {
  std::vector<record::Record> all{latency(64 * MiB, 100e-9)};
  CHECK_FALSE(found(conclude(all), "no-huge-pages"));
  all[0].method.page_size = 4096;
  CHECK(found(conclude(all), "no-huge-pages"));
  std::vector<record::Record> tiny{latency(1 * MiB, 100e-9)};  // which no huge page would fit
  tiny[0].method.page_size = 4096;
  CHECK_FALSE(found(conclude(tiny), "no-huge-pages"));
}

TEST_CASE("the levels of the curve are a finding and a key figure") {
  auto all = two_levels();
  const auto findings = conclude(all);
  REQUIRE(found(findings, "levels-found"));
  CHECK(findings[0].message == "cpu: levels in the latency curve: level 1 2 ns up to 512 KiB, level 2 100 ns");
  CHECK(make_analysis()->key_figures(all).at(0) == "level 1 2 ns up to 512 KiB, level 2 100 ns");
  for (auto& r : all) r.metrics[0].value = *r.metrics[0].value * 2;
  CHECK(make_analysis()->key_figures(all).at(0) == "level 1 4 ns up to 512 KiB, level 2 200 ns");
}

TEST_CASE("figures of several devices say whose they are") {
  auto all = two_levels();
  auto gpu = two_levels();
  for (auto& r : gpu) r.device = "cuda:0";
  all.insert(all.end(), gpu.begin(), gpu.end());
  const auto figures = make_analysis()->key_figures(all);
  REQUIRE(figures.size() == 2);
  CHECK(figures[0].starts_with("cpu: "));
  CHECK(figures[1].starts_with("cuda:0: "));
}

TEST_CASE("the picture fits its width, shows every size, and lists the levels") {
  auto all = two_levels();
  for (const int columns : {20, 40, 80, 200}) {
    const std::string picture = make_analysis()->draw(all, columns);
    CAPTURE(columns);
    std::size_t begin = 0;
    std::size_t marks = 0;
    for (std::size_t end; (end = picture.find('\n', begin)) != std::string::npos; begin = end + 1) {
      CHECK(end - begin <= static_cast<std::size_t>(columns));
      for (std::size_t i = begin; i < end; ++i) marks += picture[i] == '*' ? 1 : 0;
    }
    CHECK(begin == picture.size());
    CHECK((columns < 40 || marks == all.size()));
    CHECK(picture.find("level 1") != std::string::npos);
  }
  CHECK(make_analysis()->draw(all, 12).empty());
}

TEST_CASE("the picture is the curve: two plateaus, the lower at the bottom, small pages marked apart") {
  auto all = two_levels();
  all.push_back(latency(64 * MiB, 1000e-9, "small"));
  const std::string picture = make_analysis()->draw(all, 60);
  const auto first_line = picture.substr(picture.find('\n') + 1);
  CHECK(first_line.substr(0, first_line.find('\n')).ends_with("o"));
  CHECK(picture.find("1 us") != std::string::npos);
  CHECK(picture.find("2 ns |*") != std::string::npos);
}
