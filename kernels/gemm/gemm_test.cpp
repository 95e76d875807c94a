// The blocked product against the plain triple loop at awkward shapes, and what the exact check refuses.
#include "kernels/gemm/gemm.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include <tuple>
#include <vector>

#include "kernels/gemm/check.hpp"

using namespace ridge;

namespace {

template <class T>
struct Matrices {
  std::vector<T> a, b, c;
  gemm::Product<T> product;
  Matrices(std::int64_t m, std::int64_t n, std::int64_t k)
      : a(static_cast<std::size_t>(m * k)),
        b(static_cast<std::size_t>(k * n)),
        c(static_cast<std::size_t>(m * n), T{-77}) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = gemm::entry<T>(5, 0, static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = gemm::entry<T>(5, 1, static_cast<std::int64_t>(i));
    product = {c.data(), a.data(), b.data(), m, n, k};
  }
  void multiply(std::int64_t begin, std::int64_t end) {
    std::vector<T> workspace(static_cast<std::size_t>(gemm::workspace_elements<T>()));
    gemm::blocked_kernel<T>()(product, workspace.data(), begin, end);
  }
  [[nodiscard]] T plain(std::int64_t i, std::int64_t j) const {
    T sum = 0;
    for (std::int64_t l = 0; l < product.k; ++l)
      sum += a[static_cast<std::size_t>(i * product.k + l)] * b[static_cast<std::size_t>(l * product.n + j)];
    return sum;
  }
  [[nodiscard]] std::int64_t different() const {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < product.m; ++i)
      for (std::int64_t j = 0; j < product.n; ++j)
        count += c[static_cast<std::size_t>(i * product.n + j)] == plain(i, j) ? 0 : 1;
    return count;
  }
  [[nodiscard]] std::int64_t wrong() const { return gemm::wrong_rows(gemm::operands(product), 9, 0, product.m); }
};

template <class T>
void check_shapes() {
  struct Shape {
    std::int64_t m, n, k;
  };
  // One element; below, at and above a tile; more than a block of A, a depth of B, a panel of columns.
  for (const Shape s : {Shape{1, 1, 1}, Shape{6, 8, 4}, Shape{5, 7, 3}, Shape{7, 33, 65}, Shape{97, 40, 10},
                        Shape{13, 17, 600}, Shape{6, 520, 9}}) {
    CAPTURE(s.m, s.n, s.k);
    Matrices<T> matrices(s.m, s.n, s.k);
    matrices.multiply(0, s.n);
    CHECK(matrices.different() == 0);
    CHECK(matrices.wrong() == 0);
  }
}

}  // namespace

TEST_CASE("the blocked product is the plain one, at shapes that fit no block") {
  check_shapes<float>();
  check_shapes<double>();
}

TEST_CASE("columns are shared out without touching the others") {
  Matrices<double> matrices(20, 100, 30);
  matrices.multiply(32, 64);
  CHECK(matrices.c[31] == -77);
  CHECK(matrices.c[64] == -77);
  matrices.multiply(0, 32);
  matrices.multiply(64, 100);
  CHECK(matrices.different() == 0);
}

TEST_CASE("the exact check refuses one wrong entry, whatever is wrong with it") {
  Matrices<float> matrices(40, 50, 60);
  matrices.multiply(0, 50);
  REQUIRE(matrices.wrong() == 0);
  for (const std::size_t at : {std::size_t{0}, std::size_t{777}, std::size_t{40 * 50 - 1}})
    for (const float change : {1.0F, -1.0F, 0.5F, 1024.0F, std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN()}) {
      CAPTURE(at, change);
      const float right = matrices.c[at];
      matrices.c[at] = right + change;
      CHECK(matrices.wrong() == 1);
      matrices.c[at] = right;
    }
  std::swap(matrices.c[3], matrices.c[4]);  // the same sum of a row in another order
  if (matrices.c[3] != matrices.c[4]) CHECK(matrices.wrong() == 1);
}

TEST_CASE("the exact check refuses products with a term lost, doubled or transposed") {
  Matrices<double> matrices(33, 33, 33);
  matrices.multiply(0, 33);
  const auto right = matrices.c;
  const auto spoil = [&](auto change) {
    matrices.c = right;
    for (std::int64_t i = 0; i < 33; ++i)
      for (std::int64_t j = 0; j < 33; ++j) change(i, j, matrices.c[static_cast<std::size_t>(i * 33 + j)]);
    return matrices.wrong();
  };
  CHECK(spoil([&](auto i, auto j, double& c) {
          c -= matrices.a[static_cast<std::size_t>(i * 33 + 32)] * matrices.b[static_cast<std::size_t>(32 * 33 + j)];
        }) == 33);
  CHECK(spoil([&](auto i, auto j, double& c) {
          c += matrices.a[static_cast<std::size_t>(i * 33)] * matrices.b[static_cast<std::size_t>(j)];
        }) == 33);
  CHECK(spoil([&](auto i, auto j, double& c) { c = right[static_cast<std::size_t>(j * 33 + i)]; }) > 30);
}

namespace {

// Everything multiplied by `kernel`, in all layouts and from both ends of a split by rows.
template <class T>
void check_layouts(gemm::Kernel<T> kernel, bool only_as_they_are) {
  for (const auto& [m, n, k] :
       {std::tuple{37, 70, 33}, std::tuple{7, 33, 300}, std::tuple{100, 5, 2}, std::tuple{1, 1, 1}})
    for (int layout = 0; layout < (only_as_they_are ? 1 : 4); ++layout) {
      CAPTURE(m, n, k, layout);
      Matrices<T> matrices(m, n, k);
      matrices.product.a_transposed = (layout & 1) != 0;
      matrices.product.b_transposed = (layout & 2) != 0;
      std::vector<T> workspace(static_cast<std::size_t>(gemm::workspace_elements<T>()));
      const std::int64_t middle = m / 2;
      if (middle > 0) kernel(gemm::rows_of(matrices.product, 0, middle), workspace.data(), 0, n);
      kernel(gemm::rows_of(matrices.product, middle, m), workspace.data(), 0, n);
      CHECK(matrices.wrong() == 0);
      std::int64_t different = 0;
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          T sum = 0;
          for (std::int64_t l = 0; l < k; ++l) sum += *matrices.product.a_at(i, l) * *matrices.product.b_at(l, j);
          different += sum == matrices.c[static_cast<std::size_t>(i * n + j)] ? 0 : 1;
        }
      CHECK(different == 0);
    }
}

}  // namespace

TEST_CASE("the blocked product takes operands stored either way, and rows as well as columns") {
  check_layouts<float>(gemm::blocked_kernel<float>(), false);
  check_layouts<double>(gemm::blocked_kernel<double>(), false);
}

TEST_CASE("every step of the ladder gives the same product") {
  for (const auto kernel :
       {gemm::naive_kernel<float>(), gemm::loop_order_kernel<float>(), gemm::cached_kernel<float>()})
    check_layouts<float>(kernel, true);
  for (const auto kernel :
       {gemm::naive_kernel<double>(), gemm::loop_order_kernel<double>(), gemm::cached_kernel<double>()})
    check_layouts<double>(kernel, true);
}

TEST_CASE("elements of every type are stored, loaded and read by rows, either way round") {
  for (const auto type : {gemm::Type::f64, gemm::Type::f32, gemm::Type::f16, gemm::Type::bf16, gemm::Type::u8,
                          gemm::Type::s8, gemm::Type::s32, gemm::Type::e4m3, gemm::Type::e5m2}) {
    std::vector<char> memory(static_cast<std::size_t>(gemm::size_of(type, 6)));
    gemm::Matrix matrix{memory.data(), type, 2, 3, false};
    for (std::int64_t i = 0; i < 6; ++i) gemm::store(matrix, i, static_cast<double>(i + 1));
    std::vector<double> row(3);
    gemm::read_row(matrix, 1, row.data());
    CHECK(row == std::vector<double>{4, 5, 6});
    matrix.transposed = true;  // (3, 2) in memory
    gemm::read_row(matrix, 1, row.data());
    CHECK(row == std::vector<double>{2, 4, 6});
    CHECK(gemm::load(matrix, 5) == 6);
  }
  CHECK(gemm::bytes_of(gemm::Type::bf16) == 2);
  // Two of four bits share a byte and do not touch each other.
  std::vector<char> memory(static_cast<std::size_t>(gemm::size_of(gemm::Type::e2m1, 7)), '\x55');
  CHECK(memory.size() == 4);
  const gemm::Matrix nibbles{memory.data(), gemm::Type::e2m1, 1, 7, false};
  const std::vector<double> values{0.5, -6, 1.5, 0, -1, 4, 3};
  for (std::int64_t i = 0; i < 7; ++i) gemm::store(nibbles, i, values[static_cast<std::size_t>(i)]);
  std::vector<double> row(7);
  gemm::read_row(nibbles, 0, row.data());
  CHECK(row == values);
  CHECK(memory[0] == static_cast<char>(0xF1));
  CHECK(gemm::name_of(gemm::Type::e2m1) == "e2m1");
  CHECK(gemm::name_of(gemm::Type::s32) == "s32");
}

TEST_CASE("comparison with f64 knows what rounding may cost, in rows and in columns") {
  Matrices<float> matrices(20, 30, 40);
  for (float& each : matrices.a) each *= 0.1F;  // no longer exact
  matrices.multiply(0, 30);
  const auto all = gemm::operands(matrices.product);
  const auto rows = gemm::compare_rows(all, {0, 7, 19});
  CHECK(rows.checked == 90);
  CHECK(rows.wrong == 0);
  CHECK(rows.max_error > 0);
  CHECK(rows.max_error < 1);
  CHECK(gemm::compare_columns(all, {0, 29}).wrong == 0);
  float& entry = matrices.c[static_cast<std::size_t>(19 * 30 + 29)];
  const float right = entry;
  for (const float wrong : {right * 1.01F + 0.01F, std::numeric_limits<float>::quiet_NaN()}) {
    entry = wrong;
    CHECK(gemm::compare_rows(all, {19}).wrong == 1);
    CHECK(gemm::compare_columns(all, {29}).first_wrong == 19 * 30 + 29);
    CHECK(gemm::compare_rows(all, {18}).wrong == 0);
  }
  CHECK(gemm::error_bound(gemm::Type::s32, 100) == 0);
  CHECK(gemm::error_bound(gemm::Type::f32, 3) == 4 * 0x1p-24);
  const auto chosen = gemm::sample(1000, 7, 1);
  CHECK(chosen.back() == 999);
  CHECK(chosen.size() > 4);
  CHECK(gemm::sample(1, 7, 1) == std::vector<std::int64_t>{0});
}

TEST_CASE("what C held before is one term more, in all checks") {
  Matrices<float> matrices(20, 30, 40);
  matrices.multiply(0, 30);
  auto all = gemm::operands(matrices.product);
  const auto before = [](std::int64_t index) { return static_cast<double>(2 * (index % 7) - 6); };
  all.beta = 0.5;
  all.before = before;
  CHECK(gemm::wrong_rows(all, 9, 0, 20) == 20);
  CHECK(gemm::compare_rows(all, {3}).wrong > 20);
  for (std::size_t i = 0; i < matrices.c.size(); ++i)
    matrices.c[i] += static_cast<float>(before(static_cast<std::int64_t>(i)) / 2);
  CHECK(gemm::wrong_rows(all, 9, 0, 20) == 0);
  CHECK(gemm::compare_rows(all, {0, 3, 19}).wrong == 0);
  CHECK(gemm::compare_columns(all, {0, 29}).wrong == 0);
  matrices.c[3 * 30 + 4] += 1;
  CHECK(gemm::wrong_rows(all, 9, 0, 20) == 1);
  CHECK(gemm::compare_rows(all, {3}).first_wrong == 3 * 30 + 4);
  CHECK(gemm::compare_columns(all, {4}).wrong == 1);
  // The bound is that of 41 terms, of which beta·C is one.
  const double far = 1e6;
  all.before = [far](std::int64_t) { return far; };
  const double error = gemm::error_bound(gemm::Type::f32, 41) * far / 2;
  matrices.multiply(0, 30);
  for (float& each : matrices.c) each += static_cast<float>(far / 2 + error * 0.9);
  CHECK(gemm::compare_rows(all, {0, 19}).wrong == 0);
  for (float& each : matrices.c) each += static_cast<float>(error);
  CHECK(gemm::compare_rows(all, {0, 19}).wrong == 60);
}

TEST_CASE("a C narrower than its sums may be off by the rounding of storing, and by no more") {
  constexpr std::int64_t m = 3, n = 5, k = 32;
  std::vector<double> a(m * k), b(k * n);
  std::vector<std::uint16_t> c(m * n);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = 0.01 * static_cast<double>(i % 37) - 0.1;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = 0.02 * static_cast<double>(i % 29) - 0.2;
  for (const gemm::Type type : {gemm::Type::f16, gemm::Type::bf16}) {
    const double unit = type == gemm::Type::f16 ? 0x1p-11 : 0x1p-8;
    CHECK(gemm::unit_roundoff(type) == unit);
    CHECK(gemm::sums_of(type) == gemm::Type::f32);
    const gemm::Operands all{{a.data(), gemm::Type::f64, m, k, false},
                             {b.data(), gemm::Type::f64, k, n, false},
                             {c.data(), type, m, n, false}};
    const auto fill = [&](double factor) {
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          double sum = 0;
          for (std::int64_t l = 0; l < k; ++l)
            sum += a[static_cast<std::size_t>(i * k + l)] * b[static_cast<std::size_t>(l * n + j)];
          gemm::store(all.c, i * n + j, sum * factor);
        }
    };
    fill(1);
    CHECK(gemm::compare_rows(all, {0, 1, 2}).wrong == 0);
    CHECK(gemm::compare_rows(all, {0, 1, 2}).max_error > 0.1);
    fill(1 + 4 * unit);
    CHECK(gemm::compare_rows(all, {0, 1, 2}).wrong == m * n);
  }
  CHECK(gemm::sums_of(gemm::Type::s32) == gemm::Type::s32);
  CHECK(gemm::unit_roundoff(gemm::Type::s32) == 0);
  CHECK(gemm::least_of(gemm::Type::f16) == 0x1p-24);
}
