// The blocked product against the plain triple loop at awkward shapes, and what the exact check refuses.
#include "kernels/gemm/gemm.hpp"

#include <catch2/catch.hpp>

#include <vector>

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
  [[nodiscard]] std::int64_t wrong() const { return gemm::wrong_rows(product, 9, 0, product.m); }
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
