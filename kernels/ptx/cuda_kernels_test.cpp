// Kernels as nvcc writes them, against plain references, in every order and with all checks on.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "kernels/ptx/arith/half.hpp"
#include "kernels/ptx/testing/nvcc_kernels.hpp"

namespace ridge::ptx {
namespace {

using testing::every_order;
using testing::Machine;
using testing::nvcc_kernels;
using testing::random_floats;

void close_to(const std::vector<float>& got, const std::vector<double>& want, double relative, double absolute) {
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    INFO("element " << i);
    REQUIRE(std::fabs(got[i] - want[i]) <= absolute + relative * std::fabs(want[i]));
  }
}

TEST_CASE("every kernel nvcc compiled can be decoded") {
  CHECK(nvcc_kernels().module->unsupported() == std::vector<std::string>{});
}

TEST_CASE("triad of both widths, at the sizes where loops go wrong") {
  Machine& m = nvcc_kernels();
  for (const LaunchOptions& options : every_order()) {
    for (const std::size_t n : {0, 1, 31, 32, 33, 255, 1000}) {
      const auto b = random_floats(n), c = random_floats(n);
      const auto pa = m.memory.allocate(4 * n), pb = m.upload(b), pc = m.upload(c);
      m.run("triad_f32", {3}, {96}, options, pa, pb, pc, 3.0f, std::uint64_t{n});
      const auto a = m.download<float>(pa, n);
      for (std::size_t i = 0; i < n; ++i) REQUIRE(a[i] == std::fma(3.0f, c[i], b[i]));
      std::vector<double> d(b.begin(), b.end()), e(c.begin(), c.end());
      const auto qa = m.memory.allocate(8 * n), qb = m.upload(d), qc = m.upload(e);
      m.run("triad_f64", {2}, {64}, options, qa, qb, qc, 3.0, std::uint64_t{n});
      const auto f = m.download<double>(qa, n);
      for (std::size_t i = 0; i < n; ++i) REQUIRE(f[i] == std::fma(3.0, e[i], d[i]));
    }
  }
}

TEST_CASE("vector loads and stores") {
  Machine& m = nvcc_kernels();
  const int n4 = 333;
  const auto a = random_floats(4 * n4), b = random_floats(4 * n4);
  const auto pa = m.upload(a), pb = m.upload(b), pc = m.memory.allocate(16 * n4);
  const LaunchResult r = m.run("add_vector4", {3}, {128}, {}, pa, pb, pc, n4);
  const auto c = m.download<float>(pc, 4 * n4);
  for (int i = 0; i < 4 * n4; ++i) REQUIRE(c[i] == a[i] + b[i]);
  CHECK(r.counts.flops_of(FlopType::f32) == 4 * n4);
}

TEST_CASE("reductions through shared memory and shuffles") {
  Machine& m = nvcc_kernels();
  const int n = 5000;
  const auto a = random_floats(n);
  for (const LaunchOptions& options : every_order()) {
    const auto pa = m.upload(a), po = m.memory.allocate(4 * 4), pw = m.memory.allocate(4 * 160);
    m.run("block_sum", {4}, {256}, options, pa, po, n);
    const auto out = m.download<float>(po, 4);
    double sum = 0, want = 0;
    for (float x : out) sum += x;
    for (float x : a) want += x;
    CHECK(sum == Approx(want).margin(1e-3));
    m.run("warp_sum", {20}, {256}, options, pa, pw, n);
    const auto warps = m.download<float>(pw, 160);
    for (int w = 0; w < 156; ++w) {
      float x[32], y[32];
      std::copy_n(a.begin() + w * 32, 32, x);
      for (int o = 16; o; o >>= 1) {
        for (int i = 0; i < 32; ++i) y[i] = x[i] + x[i ^ o];
        std::copy_n(y, 32, x);
      }
      REQUIRE(warps[w] == x[0]);
    }
  }
}

TEST_CASE("scans, ballots, matches and warp reductions") {
  Machine& m = nvcc_kernels();
  std::vector<int> a(128);
  for (int i = 0; i < 128; ++i) a[i] = i * 37 % 101;
  const auto pa = m.upload(a), po = m.memory.allocate(4 * 6 * 128);
  m.run("warp_operations", {1}, {128}, {}, pa, po);
  const auto o = m.download<int>(po, 6 * 128);
  for (int i = 0; i < 128; ++i) {
    const int w = i & ~31, l = i & 31;
    int scan = 0, sum = 0;
    unsigned ballot = 0, match = 0;
    bool any = false;
    for (int k = 0; k < 32; ++k) {
      if (k <= l) scan += a[w + k];
      sum += a[w + k];
      ballot |= a[w + k] & 1 ? 1u << k : 0;
      any |= a[w + k] > 90;
      if (k < 20 && a[w + k] % 4 == a[i] % 4) match |= 1u << k;
    }
    CHECK(o[6 * i] == scan);
    CHECK(o[6 * i + 1] == ((l & 15) + 3 < 16 ? a[i + 3] : a[i]));
    CHECK(static_cast<unsigned>(o[6 * i + 2]) == ballot);
    CHECK(o[6 * i + 3] == any * 2 + 1);
    CHECK(static_cast<unsigned>(o[6 * i + 4]) == (l < 20 ? match : 0));
    CHECK(o[6 * i + 5] == sum);
  }
}

TEST_CASE("a pointer chase follows device addresses") {
  Machine& m = nvcc_kernels();
  const auto p = m.memory.allocate(8 * 8), out = m.memory.allocate(8);
  std::vector<std::uint64_t> next(8);
  for (std::size_t i = 0; i < 8; ++i) next[i] = p + 8 * ((i + 3) % 8);
  m.memory.write(p, next.data(), 64);
  m.run("chase", {1}, {1}, {}, p, out, 5);
  CHECK(m.download<std::uint64_t>(out, 1)[0] == p + 8 * 7);
}

TEST_CASE("a tiled transpose has no conflicts and reads every byte once") {
  Machine& m = nvcc_kernels();
  const int n = 70;
  const auto a = random_floats(n * n);
  for (LaunchOptions options : every_order()) {
    options.counts = true;
    const auto pa = m.upload(a), pb = m.memory.allocate(4 * n * n);
    const LaunchResult r = m.run("transpose", {3, 3}, {32, 8}, options, pa, pb, n);
    const auto b = m.download<float>(pb, n * n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) REQUIRE(b[j * n + i] == a[i * n + j]);
    }
    CHECK(r.counts.shared.load.conflicts == 0);
    CHECK(r.counts.shared.store.conflicts == 0);
    CHECK(r.counts.global.load.bytes == 4u * n * n);
    CHECK(r.counts.global.load.unique_bytes == 4u * n * n);
    CHECK(r.counts.global.store.unique_bytes == 4u * n * n);
  }
}

TEST_CASE("softmax and layernorm") {
  Machine& m = nvcc_kernels();
  const int rows = 5, columns = 300;
  const auto x = random_floats(rows * columns, -8, 8), g = random_floats(columns), b = random_floats(columns);
  for (const LaunchOptions& options : every_order()) {
    const auto px = m.upload(x), py = m.memory.allocate(4 * rows * columns), pg = m.upload(g), pb = m.upload(b);
    std::vector<double> soft(rows * columns), norm(rows * columns);
    for (int r = 0; r < rows; ++r) {
      const float* v = &x[r * columns];
      double top = *std::max_element(v, v + columns), sum = 0, mean = 0, squares = 0;
      for (int c = 0; c < columns; ++c) sum += std::exp(v[c] - top), mean += v[c] / double(columns);
      for (int c = 0; c < columns; ++c) squares += (v[c] - mean) * (v[c] - mean) / columns;
      for (int c = 0; c < columns; ++c) {
        soft[r * columns + c] = std::exp(v[c] - top) / sum;
        norm[r * columns + c] = (v[c] - mean) / std::sqrt(squares + 1e-5) * g[c] + b[c];
      }
    }
    m.run("softmax", {rows}, {128}, options, px, py, columns);
    close_to(m.download<float>(py, rows * columns), soft, 3e-6, 1e-9);
    m.run("layernorm", {rows}, {128}, options, px, py, pg, pb, columns);
    close_to(m.download<float>(py, rows * columns), norm, 1e-5, 1e-5);
  }
}

TEST_CASE("tiled SGEMM at sizes that do not divide, bit for bit") {
  Machine& m = nvcc_kernels();
  const int rows = 45, columns = 70, depth = 50;
  const auto a = random_floats(rows * depth), b = random_floats(depth * columns), c = random_floats(rows * columns);
  for (LaunchOptions options : every_order()) {
    options.counts = true;
    const auto pa = m.upload(a), pb = m.upload(b), pc = m.upload(c);
    const LaunchResult r = m.run("sgemm", {3, 2}, {32, 32}, options, rows, columns, depth, 1.5f, pa, pb, 0.5f, pc);
    const auto got = m.download<float>(pc, rows * columns);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        float s = 0;
        for (int k = 0; k < depth; ++k) s = std::fma(a[i * depth + k], b[k * columns + j], s);
        REQUIRE(got[i * columns + j] == std::fma(1.5f, s, 0.5f * c[i * columns + j]));
      }
    }
    const std::uint64_t threads = 6 * 1024, tiles = 2;
    CHECK(r.counts.flops_of(FlopType::f32) == threads * tiles * 32 * 2 + 3 * rows * columns);
    CHECK(r.counts.shared.load.conflicts == 0);
  }
}

TEST_CASE("a histogram by atomics") {
  Machine& m = nvcc_kernels();
  std::vector<unsigned char> d(3000);
  std::vector<unsigned> want(256);
  for (std::size_t i = 0; i < d.size(); ++i) ++want[d[i] = static_cast<unsigned char>(i * i % 251)];
  for (const LaunchOptions& options : every_order()) {
    const auto pd = m.upload(d), ph = m.upload(std::vector<unsigned>(256));
    m.run("histogram", {4}, {96}, options, pd, ph, static_cast<int>(d.size()));
    CHECK(m.download<unsigned>(ph, 256) == want);
  }
}

TEST_CASE("cp.async, ldmatrix, mma and wmma multiply matrices") {
  Machine& m = nvcc_kernels();
  const auto a = random_floats(256, -2, 2), b = random_floats(256, -2, 2);
  std::vector<u16> ab(256), bb(256), ah(256), bh(256);
  for (int i = 0; i < 256; ++i) {
    ab[i] = bf16_bits(a[i]);
    bb[i] = bf16_bits(b[i]);
    ah[i] = f16_bits(a[i]);
    bh[i] = f16_bits(b[i]);
  }
  const auto pc = m.memory.allocate(1024);
  LaunchOptions options;
  options.counts = true;
  const LaunchResult r = m.run("tensor_tile", {1}, {32}, options, m.upload(ab), m.upload(bb), pc);
  CHECK(r.counts.tensor_flops[static_cast<std::size_t>(FlopType::bf16)] == 2 * 2 * 16 * 8 * 16);
  std::vector<double> want(256), want_half(256);
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      for (int k = 0; k < 16; ++k) {
        want[i * 16 + j] += double(to_float(bf16{ab[i * 16 + k]})) * to_float(bf16{bb[k * 16 + j]});
        want_half[i * 16 + j] += double(to_float(f16{ah[i * 16 + k]})) * to_float(f16{bh[j * 16 + k]});
      }
    }
  }
  close_to(m.download<float>(pc, 256), want, 1e-6, 1e-6);
  m.run("wmma_tile", {1}, {32}, {}, m.upload(ah), m.upload(bh), pc);
  close_to(m.download<float>(pc, 256), want_half, 1e-6, 1e-6);
}

}  // namespace
}  // namespace ridge::ptx
