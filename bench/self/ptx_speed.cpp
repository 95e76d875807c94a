// Speed of the reference machine: tiled SGEMM and vector add in thread instructions per second, with bounds checks
// only, with the other checks, with counts, and on two host threads.
#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "kernels/ptx/ptx.hpp"

namespace {

using namespace ridge::ptx;

std::string test_kernels() {
  std::ifstream in(RIDGE_PTX_TEST_KERNELS);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

enum Mode { bounds, races, unwritten, counted, two_threads };

LaunchOptions options_of(int mode) {
  LaunchOptions o;
  o.checks.uninitialised = mode == unwritten;
  o.checks.races = mode == races;
  o.counts = mode == counted;
  o.threads = mode == two_threads ? 2 : 1;
  return o;
}

struct Machine {
  Memory memory;
  Instance instance{Module::parse(test_kernels()), memory};
  std::uint64_t upload(std::size_t n) {
    const std::vector<float> values(n, 1.25f);
    const std::uint64_t at = memory.allocate(4 * n);
    memory.write(at, values.data(), 4 * n);
    return at;
  }
};

void report(benchmark::State& state, std::uint64_t lanes) {
  state.counters["thread_instructions"] = benchmark::Counter(static_cast<double>(lanes), benchmark::Counter::kIsRate);
}

void sgemm(benchmark::State& state) {
  Machine m;
  const int n = 256;
  const auto a = m.upload(n * n), b = m.upload(n * n), c = m.upload(n * n);
  std::uint64_t lanes = 0;
  for (auto _ : state) {
    lanes += launch_with(m.instance, "sgemm", {8, 8}, {32, 32}, 0, options_of(static_cast<int>(state.range(0))), n, n,
                         n, 1.0f, a, b, 0.0f, c)
                 .counts.instructions.lanes;
  }
  report(state, lanes);
}

void vector_add(benchmark::State& state) {
  Machine m;
  const int n4 = 1 << 18;
  const auto a = m.upload(4 * n4), b = m.upload(4 * n4), c = m.upload(4 * n4);
  std::uint64_t lanes = 0;
  for (auto _ : state) {
    lanes += launch_with(m.instance, "add_vector4", {n4 / 256}, {256}, 0, options_of(static_cast<int>(state.range(0))),
                         a, b, c, n4)
                 .counts.instructions.lanes;
  }
  report(state, lanes);
}

BENCHMARK(sgemm)->ArgName("mode")->DenseRange(bounds, two_threads)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(vector_add)->ArgName("mode")->DenseRange(bounds, two_threads)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
