// What the gate costs: judging two reports of 10 000 metrics with 20 samples each, and reading a store of 1000 reports.
//
// Run it on a quiet machine: self_gate. It times the work within one process; the command is timed from outside, on the
// same reports:
//   self_gate --write=DIR
//   hyperfine -N -w 3 'build/release/ridge compare DIR/base.json DIR/new.json' 'build/release/ridge compare DIR/store
//   DIR/new-run.json'
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <random>

#include "reports/compare/comparison.hpp"
#include "reports/inputs/load.hpp"
#include "reports/json/write.hpp"
#include "reports/verdicts/verdicts.hpp"
#include "tests/support/sample_report.hpp"

using namespace ridge;

namespace {

// Records of one metric around 10 GB/s each; the machine and the settings are the same in every report.
record::Report made(int records, int samples, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<> noise(1, 0.002);
  record::Report report = test::sample_report();
  report.started = fmt::format("2025-01-{:02}T{:02}:{:02}:00Z", 1 + seed / 1440, seed / 60 % 24, seed % 60);
  report.tool.build_type = "Release";
  report.interrupted = false;
  report.findings.clear();
  report.records.clear();
  for (int i = 0; i < records; ++i) {
    auto record = test::bandwidth_record("triad", 4096 + 64 * i, 1e10 * noise(random), 0);
    record.metrics.resize(1);
    record.samples.resize(static_cast<std::size_t>(samples));
    for (double& each : record.samples) each = 1e-3 * noise(random);
    report.records.push_back(std::move(record));
  }
  return report;
}

void write_all(const std::string& folder) {
  std::filesystem::create_directories(folder + "/store");
  json::write_file(made(10000, 20, 1), folder + "/base.json");
  json::write_file(made(10000, 20, 2), folder + "/new.json");
  for (int i = 0; i < 1000; ++i) json::write_file(made(10, 20, 10 + i), fmt::format("{}/store/{:04}.json", folder, i));
  json::write_file(made(10, 20, 5), folder + "/new-run.json");
}

// The folder of one run of this program, gone with it.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("ridge-self-gate-{}", std::random_device()())) {
    write_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

void judge(benchmark::State& state, const std::string& base, const std::string& fresh) {
  static const Folder folder;
  for ([[maybe_unused]] auto _ : state) {
    const auto [before, after] = inputs::load_sides(std::array{folder / base}, std::array{folder / fresh});
    benchmark::DoNotOptimize(verdicts::as("table", compare::compare(before, after, {}), {}));
  }
}
BENCHMARK_CAPTURE(judge, ten_thousand_metrics, "base.json", "new.json")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(judge, store_of_thousand, "store", "new-run.json")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
  if (constexpr std::string_view write = "--write="; argc == 2 && std::string_view(argv[1]).starts_with(write)) {
    write_all(argv[1] + write.size());
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
