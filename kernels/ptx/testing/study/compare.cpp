// The test kernels through the study and through the reference machine: outputs must agree byte for byte. With `speed`
// as second argument also both speeds, taking turns. Built only where RIDGE_PTX_STUDY names the study.
#include <fstream>
#include <iterator>

#include "kernels/ptx/testing/study/both.hpp"

namespace {

using ridge::ptx::study::Array;
using ridge::ptx::study::Both;
using ridge::ptx::study::Rates;

std::vector<float> inputs(std::size_t n, unsigned seed, float scale = 1) {
  std::vector<float> out(n);
  for (float& x : out) {
    seed = seed * 1664525u + 1013904223u;
    x = scale * (static_cast<float>(seed >> 8) / 8388608.0f - 1.0f);
  }
  return out;
}

template <class T>
std::vector<T> patterns(std::size_t n, unsigned step) {
  std::vector<T> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<T>(i * step % 251);
  return out;
}

bool streams(Both& both) {
  const std::uint64_t n = 1000;
  const Array b = both.upload(inputs(n, 1)), c = both.upload(inputs(n, 2)), a = both.allocate(4 * n);
  bool same = both.agree("triad_f32", {3}, {96}, a, a, b, c, 3.0f, n);
  const auto wide = inputs(2 * n, 3);
  const std::vector<double> x(wide.begin(), wide.begin() + n), y(wide.begin() + n, wide.end());
  const Array q = both.upload(x), r = both.upload(y), p = both.allocate(8 * n);
  same &= both.agree("triad_f64", {2}, {64}, p, p, q, r, 3.0, n);
  const int n4 = 250;
  same &= both.agree("add_vector4", {2}, {128}, a, b, c, a, n4);
  const Array t = both.upload(inputs(70 * 70, 4)), u = both.allocate(4 * 70 * 70);
  return both.agree("transpose", {3, 3}, {32, 8}, u, t, u, 70) && same;
}

bool reductions(Both& both) {
  const int n = 5000;
  const Array a = both.upload(inputs(n, 5)), sums = both.allocate(16), warps = both.allocate(4 * 160);
  bool same = both.agree("block_sum", {4}, {256}, sums, a, sums, n);
  same &= both.agree("warp_sum", {20}, {256}, warps, a, warps, n);
  const Array i = both.upload(patterns<int>(128, 37)), o = both.allocate(4 * 6 * 128);
  same &= both.agree("warp_operations", {1}, {128}, o, i, o);
  const Array d = both.upload(patterns<unsigned char>(3000, 77)), h = both.allocate(1024);
  same &= both.agree("histogram", {4}, {96}, h, d, h, 3000);
  const int columns = 300;
  const Array x = both.upload(inputs(5 * columns, 6, 8)), g = both.upload(inputs(columns, 7)),
              s = both.upload(inputs(columns, 8)), y = both.allocate(4 * 5 * columns);
  same &= both.agree("softmax", {5}, {128}, y, x, y, columns);
  return both.agree("layernorm", {5}, {128}, y, x, y, g, s, columns) && same;
}

bool matrices(Both& both) {
  const Array a = both.upload(inputs(45 * 50, 9)), b = both.upload(inputs(50 * 70, 10)),
              c = both.upload(inputs(45 * 70, 11));
  bool same = both.agree("sgemm", {3, 2}, {32, 32}, c, 45, 70, 50, 1.5f, a, b, 0.5f, c);
  std::vector<unsigned short> brain(256), half(256);
  for (unsigned i = 0; i < 256; ++i) {  // finite values of either sign near one
    brain[i] = static_cast<unsigned short>(0x3f00u + i * 37 % 256 + (i & 1) * 0x8000u);
    half[i] = static_cast<unsigned short>(0x3800u + i * 149 % 2048 + (i & 1) * 0x8000u);
  }
  const Array p = both.upload(brain), q = both.upload(half), d = both.allocate(1024);
  same &= both.agree("tensor_tile", {1}, {32}, d, p, p, d);
  return both.agree("wmma_tile", {1}, {32}, d, q, q, d) && same;
}

bool arithmetic(Both& both) {
  struct Bundle {
    float a;
    int n;
    double d;
    short s[3];
  };
  const Bundle bundle{0.5f, 6, 10.25, {7, -8, 9}};
  const Array o = both.allocate(4 * 6 * 96), f = both.allocate(4 * 96);
  bool same = both.agree("assorted", {1}, {96}, o, bundle, o, f);
  same &= both.agree("assorted", {1}, {96}, f, bundle, o, f);
  const Array x = both.upload(inputs(500, 12, 9)), y = both.allocate(4 * 12 * 500);
  same &= both.agree("functions", {4}, {128}, y, x, y, 500);
  const Array halves = both.allocate(2 * 12 * 65536);
  return both.agree("all_halves", {256}, {256}, halves, halves) && same;
}

void report(const char* what, const Rates& r) {
  std::printf("%-12s study %5.0f M/s  ours %5.0f M/s (%.2f x)  two threads %.2f x\n", what,
              r.thread_instructions / r.study_seconds / 1e6, r.thread_instructions / r.our_seconds / 1e6,
              r.study_seconds / r.our_seconds, r.one_thread_seconds / r.two_threads_seconds);
}

void speeds(Both& both) {
  const int n = 256, n4 = 1 << 18, rounds = 15;
  const Array a = both.upload(inputs(n * n, 1)), b = both.upload(inputs(n * n, 2)), c = both.allocate(4 * n * n);
  report("tiled sgemm", both.rates("sgemm", {8, 8}, {32, 32}, rounds, n, n, n, 1.5f, a, b, 0.0f, c));
  const Array x = both.upload(inputs(4 * n4, 4)), y = both.upload(inputs(4 * n4, 5)), z = both.allocate(16 * n4);
  report("vector add", both.rates("add_vector4", {n4 / 256}, {256}, rounds, x, y, z, n4));
  const Array s = both.upload(inputs(64 * 1000, 6)), t = both.allocate(4 * 64 * 1000);
  report("softmax", both.rates("softmax", {64}, {256}, rounds, s, t, 1000));
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: ptx_compare_study kernels.ptx [speed]\n");
    return 2;
  }
  std::ifstream in(arguments[1], std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  Both both(text);
  bool same = streams(both);
  same &= reductions(both);
  same &= matrices(both);
  same &= arithmetic(both);
  if (count > 2) speeds(both);
  std::printf("%s\n", same ? "all outputs agree" : "outputs DIFFER");
  return same ? 0 : 1;
}
