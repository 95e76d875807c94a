// What nvcc makes of the CUDA language and its library: structures, calls, switches, variables, functions, locks,
// lines.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "kernels/ptx/testing/nvcc_kernels.hpp"

namespace ridge::ptx {
namespace {

using testing::Machine;
using testing::nvcc_kernels;
using testing::random_floats;

TEST_CASE("structures, local arrays, switches, calls, constants and module variables") {
  Machine& m = nvcc_kernels();
  struct Bundle {
    float a;
    int n;
    double d;
    short s[3];
  };
  const Bundle p{0.5f, 6, 10.25, {7, -8, 9}};
  const auto po = m.memory.allocate(4 * 6 * 96), pf = m.memory.allocate(4 * 96);
  m.run("assorted", {1}, {96}, {}, p, po, pf);
  const auto o = m.download<int>(po, 6 * 96);
  const auto f = m.download<float>(pf, 96);
  const float table[] = {1.5f, 2.5f, -3, 4};
  for (int i = 0; i < 96; ++i) {
    int s = 0;
    for (int k = 0; k < p.n; ++k) s += ((k * 3 + i) & 7) * i;
    const int chosen[] = {i * 3, i ^ 5, i << 2, ~i, -1};
    int steps = 0;
    for (long long c = i + 1; c != 1; ++steps) c = c & 1 ? 3 * c + 1 : c >> 1;
    int r = 7;
    for (int k = 0; k < i % 5; ++k) r += (i & 31) * k + i;
    CHECK(o[6 * i] == s);
    CHECK(o[6 * i + 1] == chosen[i % 5]);
    CHECK(o[6 * i + 2] == steps);
    CHECK(o[6 * i + 3] == r);
    CHECK(o[6 * i + 4] == 2 + p.s[i % 3]);
    CHECK(f[i] == table[i & 3] * 0.5f + 10.25f);
    const unsigned u = static_cast<unsigned>(i);
    const std::uint64_t q = 0x123456789abcdefull * (u + 1);
    unsigned reversed = 0, permuted = 0;
    for (unsigned k = 0; k < 32; ++k) reversed |= (u >> k & 1) << (31 - k);
    const unsigned char bytes[8] = {static_cast<unsigned char>(u),  0,   0,   0,
                                    static_cast<unsigned char>(~u), 255, 255, 255};
    for (unsigned k = 0; k < 4; ++k) permuted |= static_cast<unsigned>(bytes[0x5140 >> (4 * k) & 7]) << (8 * k);
    const unsigned high = static_cast<unsigned>(std::uint64_t{u * 77777u} * 99999999u >> 32);
    const unsigned want = static_cast<unsigned>(q % 1000003) + static_cast<unsigned>(q / (u + 3)) +
                          static_cast<unsigned>(std::popcount(u) + std::countl_zero(u)) + reversed + permuted + high;
    CHECK(static_cast<unsigned>(o[6 * i + 5]) == want);
  }
}

TEST_CASE("mathematical functions as CUDA's library computes them") {
  Machine& m = nvcc_kernels();
  auto x = random_floats(500, -9, 9);
  x[0] = 0;
  x[1] = 1e5f;
  const auto px = m.upload(x), py = m.memory.allocate(4 * 12 * 500);
  m.run("functions", {4}, {128}, {}, px, py, 500);
  const auto y = m.download<float>(py, 12 * 500);
  for (int i = 0; i < 500; ++i) {
    const double v = x[i], a = std::fabs(v);
    const double want[12] = {std::exp(v),  std::log(a + 1), 1 / std::sqrt(a + .1f),
                             std::sqrt(a), v / (v * v + 1), std::tanh(v),
                             std::sin(v),  std::cos(v),     std::pow(a + .5, 1.7f),
                             std::erf(v),  std::log1p(a),   std::fmod(v, double(1.3f))};
    for (int k = 0; k < 12; ++k) {
      if (v > 80 && k == 0) continue;  // overflows
      INFO("function " << k << " of " << v);
      CHECK(std::fabs(y[12 * i + k] - want[k]) <= 3e-6 * std::fabs(want[k]) + 4e-7 + (k == 0 ? 2e-6 * a * want[k] : 0));
    }
  }
}

TEST_CASE("lanes that spin for each other's lock make progress") {
  Machine& m = nvcc_kernels();
  const auto out = m.upload(std::vector<int>(1));
  LaunchOptions options;
  options.turn = 500;
  options.step_limit = 10'000'000;
  m.run("spin_lock", {2}, {64}, options, out);
  CHECK(m.download<int>(out, 1)[0] == 128);
}

TEST_CASE("line information names the CUDA source") {
  Machine& m = nvcc_kernels();
  try {
    m.run("chase", {1}, {1}, {}, std::uint64_t{16}, std::uint64_t{0}, 1);
    FAIL("no fault");
  } catch (const Fault& f) {
    CHECK(f.place.source_file.find("kernels.cu") != std::string::npos);
    CHECK(f.place.source_line > 50);
  }
}

}  // namespace
}  // namespace ridge::ptx
