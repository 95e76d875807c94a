// Google Benchmark as the loop: one registered benchmark per sample, one repetition, manual time, fixed iterations.
// Its own repetitions and random interleaving stay off: in 1.7.1 a failing repetition among good ones aborts the
// process, the shuffle cannot be seeded, and nothing is reported before the last repetition.
#include "bench/harness/loop.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>

namespace ridge::bench {
namespace {

// Hands each run's seconds to its task as soon as the library reports it, and prints nothing.
class Collector : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(std::span<const SampleTask> tasks) {
    for (const SampleTask& task : tasks) by_name_.emplace(task.name, &task);
  }
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const auto task = by_name_.find(run.run_name.function_name);
      if (task == by_name_.end() || left_out(run)) continue;
      task->second->done(run.real_accumulated_time / static_cast<double>(run.iterations));
    }
  }

 private:
  static bool left_out(const Run& run) { return run.counters.contains("left_out"); }
  std::map<std::string, const SampleTask*> by_name_;
};

// The library takes defaults for its flags from the environment; a user's BENCHMARK_* variables must not change a run.
void fix_flags() {
  static const bool fixed = [] {
    std::string arguments[] = {"ridge",
                               "--benchmark_enable_random_interleaving=false",
                               "--benchmark_repetitions=1",
                               "--benchmark_report_aggregates_only=false",
                               "--benchmark_display_aggregates_only=false",
                               "--benchmark_perf_counters=",
                               "--benchmark_out="};
    char* argv[std::size(arguments) + 1] = {};
    for (std::size_t i = 0; i < std::size(arguments); ++i) argv[i] = arguments[i].data();
    int argc = static_cast<int>(std::size(arguments));
    benchmark::Initialize(&argc, argv);
    return true;
  }();
  static_cast<void>(fixed);
}

void run_task(benchmark::State& state, const SampleTask& task, bool stopped) {
  for ([[maybe_unused]] auto _ : state) state.SetIterationTime(stopped ? 0.0 : task.interval());
  if (stopped) state.counters["left_out"] = 1;
}

}  // namespace

void run_in_order(const std::vector<SampleTask>& tasks, const std::function<bool()>& stop) {
  // A batch at a time: the library looks at all that is registered, so many rounds would cost their square.
  constexpr std::size_t batch = 64;
  fix_flags();
  for (std::size_t begin = 0; begin < tasks.size() && !stop(); begin += batch) {
    benchmark::ClearRegisteredBenchmarks();
    const std::span<const SampleTask> now = std::span(tasks).subspan(begin, std::min(batch, tasks.size() - begin));
    for (const SampleTask& task : now) {
      const auto body = [&task, &stop](benchmark::State& state) { run_task(state, task, stop()); };
      benchmark::RegisterBenchmark(task.name.c_str(), body)
          ->Iterations(task.intervals)
          ->Repetitions(1)
          ->UseManualTime();
    }
    Collector collector(now);
    benchmark::RunSpecifiedBenchmarks(&collector, nullptr, ".");
  }
  benchmark::ClearRegisteredBenchmarks();
}

}  // namespace ridge::bench
