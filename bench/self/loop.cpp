// What Ridge's loop costs: its time per repetition against a bare loop of the same kernel on the same arrays.
//
// Run it on a quiet machine: self_loop. Repetitions of all are interleaved at random; the last lines give the ratio of
// the medians, which should stay under 1.01.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "bench/bandwidth/prepare.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/device/cpu/system.hpp"

using namespace ridge;

namespace {

constexpr std::int64_t sizes[] = {4 << 10, 1 << 20, 1 << 30};  // bytes per array
constexpr int threads = 1;

// Ridge's case and a bare loop that share their arrays: an arena gives the same spans again after a reset.
struct Pair {
  explicit Pair(std::int64_t size) : repetitions(std::max<std::int64_t>(1, (std::int64_t{64} << 20) / size)) {
    const std::int64_t bytes = size + bench::bandwidth::guard_bytes;
    arena = device->make_arena(3 * device::borrow_cost(bytes));
    operands.a = arena->borrow(bytes).as<double>();
    operands.b = arena->borrow(bytes).as<double>();
    operands.c = arena->borrow(bytes).as<double>();
    operands.q = 1.5;
    count = size / std::int64_t{sizeof(double)};
    arena->reset();
    bench::CpuContext context{*device, *arena, 1, bench::Fill::random};
    record::Point point;
    point.set("size", size);
    point.set("dtype", std::string("f64"));
    point.set("threads", std::int64_t{threads});
    point.set("stores", std::string(stream::to_string(stores())));
    measured = bench::bandwidth::prepare_cpu(stream::Op::triad, context, point);
    kernel = stream::cpu_kernel<double>(stream::Op::triad, stores());
  }

  // As in use: past the caches only where the arrays do not fit in them.
  [[nodiscard]] stream::Stores stores() const {
    return repetitions == 1 ? stream::Stores::nontemporal : stream::Stores::ordinary;
  }

  double ridge() {
    return measured->stream().time([this] { measured->run(repetitions); }).seconds;
  }

  double bare() {
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < repetitions; ++i) kernel(operands, 0, count);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  std::unique_ptr<device::cpu::Device> device = device::cpu::make_device();
  std::int64_t repetitions;  // per interval; the same for both
  std::unique_ptr<device::Arena> arena;
  std::unique_ptr<bench::Case> measured;
  stream::Operands<double> operands;
  stream::Kernel<double> kernel = nullptr;
  std::int64_t count = 0;
};

// Times are of an interval, not of a repetition: the library repeats until they add up to MinTime.
void measure(benchmark::State& state, Pair& pair, double (Pair::*interval)()) {
  for (auto _ : state)  // NOLINT(clang-analyzer-deadcode.DeadStores): the loop variable of the library
    state.SetIterationTime((pair.*interval)());
}

// The console's output, and the medians behind it.
class Medians : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs)
      if (run.aggregate_name == "median") medians[run.run_name.function_name] = run.GetAdjustedRealTime();
  }
  std::map<std::string, double> medians;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  std::string interleave = "--benchmark_enable_random_interleaving=true";  // a machine's mood then meets both of a pair
  arguments.insert(arguments.begin() + 1, interleave.data());
  argc = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  argv = arguments.data();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const auto system = device::cpu::System::real();
  const auto cpus = system.affinity();
  if (!cpus.empty()) system.bind({cpus.front()});  // the bare loop stays where Ridge's runs
  std::vector<std::unique_ptr<Pair>> pairs;
  for (const std::int64_t size : sizes) {
    Pair& pair = *pairs.emplace_back(std::make_unique<Pair>(size));
    const auto add = [&](const char* name, double (Pair::*interval)()) {
      benchmark::RegisterBenchmark(fmt::format("{}/{}", name, size).c_str(),
                                   [&pair, interval](benchmark::State& state) { measure(state, pair, interval); })
          ->UseManualTime()
          ->Repetitions(41)
          ->ReportAggregatesOnly()
          ->MinTime(0.05);
    };
    add("bare", &Pair::bare);
    add("ridge", &Pair::ridge);
  }
  Medians reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  for (const std::int64_t size : sizes)
    fmt::print("{:>10} bytes: {:.4f} of the bare loop\n", size,
               reporter.medians[fmt::format("ridge/{}", size)] / reporter.medians[fmt::format("bare/{}", size)]);
  return 0;
}
