// The same launches through the study and through the reference machine: outputs must agree bit for bit, and the
// thread instructions per second of both are printed side by side. Built only when RIDGE_PTX_STUDY names the study.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "kernels/ptx/ptx.hpp"
#include "ptxrun.h"

namespace {

namespace ours = ridge::ptx;

struct Outcome {
  std::vector<float> values;
  double rate = 0;  ///< thread instructions per second
};

std::vector<float> inputs(std::size_t n, unsigned seed) {
  std::vector<float> out(n);
  for (float& x : out) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<float>(seed >> 8) / 8388608.0f - 1.0f;
  }
  return out;
}

double seconds_of(const std::chrono::steady_clock::time_point& start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class... A>
Outcome by_study(const std::string& text, const char* kernel, ptxrun::Dim3 grid, ptxrun::Dim3 block, float* out,
                 std::size_t n, A... a) {
  auto module = ptxrun::Module::fromText(text);
  Outcome o;
  for (int i = 0; i < 3; ++i) {
    const ptxrun::Stats s = module->run(kernel, grid, block, 0, {}, a...);
    o.rate = std::max(o.rate, static_cast<double>(s.threadInstr) / s.seconds);
  }
  o.values.assign(out, out + n);
  return o;
}

template <class... A>
Outcome by_us(ours::Instance& instance, const char* kernel, ours::Dim3 grid, ours::Dim3 block, std::uint64_t out,
              std::size_t n, unsigned threads, A... a) {
  ours::LaunchOptions options;
  options.checks.races = options.checks.uninitialised = false;
  options.threads = threads;
  Outcome o;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const auto r = ours::launch_with(instance, kernel, grid, block, 0, options, a...);
    o.rate = std::max(o.rate, static_cast<double>(r.counts.instructions.lanes) / seconds_of(start));
  }
  o.values.resize(n);
  instance.memory().read(o.values.data(), out, 4 * n);
  return o;
}

bool compare(const char* what, const Outcome& study, const Outcome& one, const Outcome& two) {
  const bool same =
      std::memcmp(study.values.data(), one.values.data(), 4 * one.values.size()) == 0 && one.values == two.values;
  std::printf("%-10s study %6.0f M/s  ours %6.0f M/s (%.2f x)  two threads %.2f x  %s\n", what, study.rate / 1e6,
              one.rate / 1e6, one.rate / study.rate, two.rate / one.rate, same ? "same bits" : "DIFFERENT");
  return same;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  std::string text;
  if (std::FILE* f = std::fopen(arguments[1], "rb")) {
    char buffer[4096];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, f)) > 0;) text.append(buffer, n);
    std::fclose(f);
  }
  ours::Memory memory;
  ours::Instance instance(ours::Module::parse(text), memory);
  auto upload = [&](const std::vector<float>& v) {
    const auto at = memory.allocate(4 * v.size());
    memory.write(at, v.data(), 4 * v.size());
    return at;
  };
  bool same = true;
  {
    const int n = 256;
    const auto a = inputs(n * n, 1), b = inputs(n * n, 2), c = inputs(n * n, 3);
    ptxrun::Buf<float> sa(a), sb(b), sc(c);
    const auto pa = upload(a), pb = upload(b), pc = upload(c);
    const Outcome study = by_study(text, "sgemm", {8, 8}, {32, 32}, sc.p, n * n, n, n, n, 1.5f, sa.p, sb.p, 0.0f, sc.p);
    const Outcome one = by_us(instance, "sgemm", {8, 8}, {32, 32}, pc, n * n, 1, n, n, n, 1.5f, pa, pb, 0.0f, pc);
    const Outcome two = by_us(instance, "sgemm", {8, 8}, {32, 32}, pc, n * n, 2, n, n, n, 1.5f, pa, pb, 0.0f, pc);
    same &= compare("sgemm", study, one, two);
  }
  {
    const int n4 = 1 << 18;
    const auto a = inputs(4 * n4, 4), b = inputs(4 * n4, 5);
    ptxrun::Buf<float> sa(a), sb(b), sc(4 * n4);
    const auto pa = upload(a), pb = upload(b), pc = memory.allocate(16 * n4);
    const Outcome study = by_study(text, "add_vector4", {n4 / 256}, {256}, sc.p, 4 * n4, sa.p, sb.p, sc.p, n4);
    const Outcome one = by_us(instance, "add_vector4", {n4 / 256}, {256}, pc, 4 * n4, 1, pa, pb, pc, n4);
    const Outcome two = by_us(instance, "add_vector4", {n4 / 256}, {256}, pc, 4 * n4, 2, pa, pb, pc, n4);
    same &= compare("vector add", study, one, two);
  }
  {
    const int rows = 64, columns = 1000;
    const auto x = inputs(rows * columns, 6);
    ptxrun::Buf<float> sx(x), sy(rows * columns);
    const auto px = upload(x), py = memory.allocate(4 * rows * columns);
    const Outcome study = by_study(text, "softmax", {rows}, {256}, sy.p, rows * columns, sx.p, sy.p, columns);
    const Outcome one = by_us(instance, "softmax", {rows}, {256}, py, rows * columns, 1, px, py, columns);
    const Outcome two = by_us(instance, "softmax", {rows}, {256}, py, rows * columns, 2, px, py, columns);
    same &= compare("softmax", study, one, two);
  }
  return same ? 0 : 1;
}
