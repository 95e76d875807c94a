// One screen for a run: the key numbers of the three pictures (the latency staircase, the roofline, what patterns of
// access cost) are on it, whatever else the suite measured and however much there is to say.
#include <algorithm>
#include <catch2/catch.hpp>

#include "bench/harness/analysis.hpp"
#include "bench/harness/derive.hpp"
#include "bench/harness/plan.hpp"
#include "bench/harness/suite.hpp"
#include "reports/sinks/sinks.hpp"

using namespace ridge;
using Catch::Contains;

namespace {

// A load of a set of that size, on a machine whose levels are these.
double load_seconds(std::int64_t bytes) {
  if (bytes <= 32 << 10) return 1e-9;
  if (bytes <= 512 << 10) return 4e-9;
  return bytes <= 8 << 20 ? 16e-9 : 100e-9;
}

// As if it had been measured: by the bytes and the operations that it states, or by its loads that wait.
void measure(const bench::Definition& definition, record::Record& record) {
  record.status = record::Status::ok;
  const auto number = [](const std::optional<std::int64_t>& value) { return static_cast<double>(value.value_or(0)); };
  const record::Work& work = record.work;
  record.statistics.median =
      1e-6 + (number(work.bytes_read) + number(work.bytes_written)) / 2e10 + number(work.operations) / 1e11;
  if (record.benchmark == "hierarchy.latency")
    record.statistics.median = number(work.items) * load_seconds(record.method.working_set.value_or(0));
  record.statistics.count = 7;
  record.metrics = bench::derive(definition.metrics, work, record.statistics);
}

record::Report measured(const bench::Registry& registry, device::Kind kind) {
  bench::Inventory inventory;
  inventory.usable_threads = 2;
  inventory.levels = {{"L1", 32 << 10, 2}, {"L2", 512 << 10, 2}, {"L3", 8 << 20, 1}};
  inventory.devices = {{{kind, 0}, std::nullopt, std::int64_t{64} << 30, inventory.levels, "9.0"}};
  const bench::Suite suite = bench::find_suite("quick", bench::suite_sources());
  const auto plan = bench::plan(registry, {suite.requests, {{kind, 0}}, true}, inventory, {});
  record::Report report;
  for (const bench::PlannedCase& planned : plan.cases) {
    report.records.push_back(planned.draft);
    if (planned.draft.status == record::Status::not_run) measure(*planned.definition, report.records.back());
  }
  report.findings = bench::conclude(registry, report.records);
  for (int i = 0; i < 10; ++i) {
    report.findings.push_back({"noise", record::Severity::warning, "something to know", {}});
    report.records.push_back(report.records.front());
    report.records.back().status = record::Status::failed;
    report.records.back().reason = "something went wrong";
  }
  return report;
}

}  // namespace

TEST_CASE("a run of the quick suite shows the key numbers of the three pictures on one screen") {
  const auto registry = bench::make_registry();
  std::vector<device::Kind> kinds{device::Kind::cpu};
  if (RIDGE_WITH_CUDA != 0) kinds.push_back(device::Kind::cuda);
  for (const device::Kind kind : kinds) {
    const record::Report report = measured(registry, kind);
    const std::string text =
        sinks::summary(report, {100, false}, bench::key_figures(registry, report.records), "report.json");
    INFO(text);
    CHECK(std::count(text.begin(), text.end(), '\n') <= 24);
    const std::string device = kind == device::Kind::cpu ? "cpu" : "cuda:0";
    CHECK_THAT(text, Contains("\naccess " + device + " load 4 B: ") && Contains("; stride 2 "));
    CHECK_THAT(text, Contains(" 1 ns up to 32 KiB, ") && Contains("memory 100 ns"));
    CHECK_THAT(text, Contains("\nroofline " + device + " f64: ") && Contains(" FLOP/B"));
    CHECK_THAT(text, Contains("more figures, in the report") && Contains("something went wrong"));
  }
}
