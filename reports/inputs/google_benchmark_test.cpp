// Google Benchmark's JSON: repetitions, aggregates, errors, and what is refused.
#include "reports/inputs/google_benchmark.hpp"

#include <catch2/catch.hpp>

#include "reports/json/scanner.hpp"

using namespace ridge;
using inputs::read_google_benchmark;

namespace {

std::string document(const std::string& benchmarks) {
  return R"({"context": {"date": "2025-01-02T03:04:05+00:00", "host_name": "node", "executable": "./x/bench",
    "num_cpus": 8, "mhz_per_cpu": 3000, "cpu_scaling_enabled": false,
    "caches": [{"type": "Data", "level": 1, "size": 32768, "num_sharing": 1}], "load_avg": [0.1, 0.2, 0.3],
    "library_build_type": "release"}, "benchmarks": [)" +
         benchmarks + "]}";
}

std::string entry(const std::string& name, int repetition, double time, const std::string& more = "") {
  return R"({"name": ")" + name + R"(", "run_name": ")" + name +
         R"(", "run_type": "iteration", "repetitions": 3, "repetition_index": )" + std::to_string(repetition) +
         R"(, "threads": 1, "iterations": 100, "real_time": )" + std::to_string(time) + R"(, "cpu_time": )" +
         std::to_string(time / 2) + R"(, "time_unit": "us")" + more + "}";
}

}  // namespace

TEST_CASE("repetitions become their median, with time unit, rates and the machine") {
  const auto run = read_google_benchmark(document(entry("BM/8", 0, 3) + "," + entry("BM/8", 1, 1) + "," +
                                                  entry("BM/8", 2, 2, R"(, "bytes_per_second": 5e9, "my_counter": 7)")),
                                         "f.json");
  CHECK(run.build_type == "Release");
  CHECK(run.machine.identity.cores_used == 8);
  CHECK(run.machine.identity.caches.at(0).bytes == 32768);
  CHECK(run.machine.incidental.hostname == "node");
  REQUIRE(run.cases.size() == 1);
  REQUIRE(run.cases[0].metrics.size() == 3);
  CHECK(run.cases[0].metrics[0].metric == "real_time");
  CHECK(run.cases[0].metrics[0].value == 2);
  CHECK(run.cases[0].metrics[0].unit == "us");
  CHECK(run.cases[0].metrics[0].better == record::Better::lower);
  CHECK(run.cases[0].metrics[2].unit == "B/s");
  CHECK(run.cases[0].metrics[2].better == record::Better::higher);
}

TEST_CASE("what the program says of its own build goes over what the library says of its") {
  const std::string debug = R"("library_build_type": "debug")";
  const auto built = [](const std::string& context) {
    return read_google_benchmark(R"({"context": {)" + context + R"(}, "benchmarks": []})", "f.json").build_type;
  };
  CHECK(built(debug) == "Debug");
  CHECK(built(debug + R"(, "build_type": "Release")") == "Release");
  CHECK(built(R"("build_type": "Release", )" + debug) == "Release");
  CHECK(built(R"("build_type": "RelWithDebInfo", "library_build_type": "release")") == "RelWithDebInfo");
}

TEST_CASE("aggregates alone give their median") {
  const std::string aggregate =
      R"({"name": "BM_mean", "run_name": "BM", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 9, "time_unit": "ns"},
         {"name": "BM_median", "run_name": "BM", "run_type": "aggregate", "aggregate_name": "median", "real_time": 5, "time_unit": "ns"})";
  const auto run = read_google_benchmark(document(aggregate), "f.json");
  REQUIRE(run.cases.size() == 1);
  CHECK(run.cases[0].id == "BM");
  CHECK(run.cases[0].metrics.at(0).value == 5);
}

TEST_CASE("a benchmark that failed has its message and no metric") {
  const auto run = read_google_benchmark(
      document(R"({"name": "BM", "run_name": "BM", "error_occurred": true, "error_message": "no device"})"), "f.json");
  CHECK(run.cases.at(0).status == record::Status::failed);
  CHECK(run.cases.at(0).reason == "no device");
  CHECK(run.cases.at(0).metrics.empty());
}

TEST_CASE("the same repetition twice is left to be refused as a duplicate") {
  const auto run = read_google_benchmark(document(entry("BM", 0, 1) + "," + entry("BM", 0, 2)), "f.json");
  CHECK(run.cases.size() == 2);
}

TEST_CASE("what is not such a report is refused with its place") {
  const std::vector<std::pair<std::string, std::string>> bad{
      {document(R"({"real_time": 1})"), "benchmarks[0]"},
      {document(R"({"name": "x"})"), "no real_time"},
      {document(R"({"name": "x", "real_time": "1"})"), "benchmarks[0].real_time"},
      {document(R"({"name": "x", "real_time": 1, "time_unit": "h"})"), "ns, us, ms, s"},
      {document(R"({"name": "x", "name": "y", "real_time": 1})"), "twice"},
      {document(R"({"name": "x", "real_time": NaN})"), "benchmarks[0].real_time"},
      {R"({"context": {}})", "benchmarks"},
      {R"({"context": {}, "context": {}, "benchmarks": []})", "the key \"context\" occurs twice"},
      {R"({"benchmarks": [], "benchmarks": []})", "the key \"benchmarks\" occurs twice"},
      {R"({"context": {"date": "1", "date": "2"}, "benchmarks": []})", "context: the key \"date\" occurs twice"},
      {R"({"context": {"caches": [{"size": 1, "size": 2}]}, "benchmarks": []})", "the key \"size\" occurs twice"},
      {R"({"context": {"caches": [{"size": "1"}]}, "benchmarks": []})", "context.caches[0].size: expected an integer"},
      {document("") + "x", "f.json:"}};
  for (const auto& [text, expected] : bad) {
    INFO(text);
    CHECK_THROWS_WITH(read_google_benchmark(text, "f.json"), Catch::Contains(expected));
  }
}

TEST_CASE("a benchmark of which only other aggregates were kept says so") {
  const auto run = ridge::inputs::read_google_benchmark(
      R"({"benchmarks": [{"name": "BM_x_mean", "run_name": "BM_x", "run_type": "aggregate", "aggregate_name": "mean",
      "real_time": 1, "cpu_time": 1, "time_unit": "ns"}]})",
      "mean.json");
  REQUIRE(run.cases.size() == 1);
  CHECK(run.cases[0].metrics.empty());
  CHECK(run.cases[0].status == ridge::record::Status::failed);
  CHECK_FALSE(run.cases[0].reason.empty());
}
