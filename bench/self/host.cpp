// What Ridge's own host code costs: planning the largest suite, and writing and reading a report of 1000 records.
//
// Run it on a quiet machine: self_host. Start-up is timed from outside, beside /bin/true:
//   hyperfine -N 'build/release/ridge --version' 'build/release/ridge list' /bin/true
#include <benchmark/benchmark.h>

#include "bench/harness/plan.hpp"
#include "bench/harness/suite.hpp"
#include "kernels/device/cpu/host.hpp"
#include "reports/json/read.hpp"
#include "reports/json/write.hpp"
#include "tests/support/sample_report.hpp"

using namespace ridge;

namespace {

void plan_node_suite(benchmark::State& state) {
  const bench::Registry registry = bench::make_registry();
  const bench::Suite suite = bench::find_suite("node", bench::suite_sources());
  const bench::Inventory inventory = bench::make_inventory(device::cpu::read_host());
  const bench::Selection selection{suite.requests, {{}}, true};
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(bench::plan(registry, selection, inventory, {}));
}
BENCHMARK(plan_node_suite)->Unit(benchmark::kMicrosecond);

record::Report thousand_records() {
  record::Report report = test::sample_report();
  const std::vector<record::Record> some = report.records;
  report.records.clear();
  while (report.records.size() < 1000) report.records.push_back(some[report.records.size() % some.size()]);
  return report;
}

void write_thousand_records(benchmark::State& state) {
  const record::Report report = thousand_records();
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(json::write(report));
}
BENCHMARK(write_thousand_records)->Unit(benchmark::kMillisecond);

void read_thousand_records(benchmark::State& state) {
  const std::string text = json::write(thousand_records());
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(json::read(text, "report"));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(read_thousand_records)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
