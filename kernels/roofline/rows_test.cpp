// Both products with a vector against plain sums, at shapes that fit no vector.
#include "kernels/roofline/rows.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/random/counter.hpp"

using namespace ridge;
using namespace ridge::roofline;

namespace {

template <class T>
std::vector<T> numbers(std::uint64_t seed, std::int64_t count) {
  std::vector<T> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = random::full_mantissa<T>(random::bits(seed, i));
  return all;
}

template <class T>
bool near(T have, const std::vector<long double>& terms) {
  long double sum = 0;
  long double magnitude = 0;
  for (const long double term : terms) sum += term, magnitude += std::fabs(term);
  return std::fabs(static_cast<double>(have - sum)) <=
         row_bound<T>(static_cast<std::int64_t>(terms.size()), static_cast<double>(magnitude));
}

template <class T>
void check_dense(std::int64_t rows, std::int64_t columns) {
  CAPTURE(rows, columns);
  const auto a = numbers<T>(1, rows * columns);
  const auto x = numbers<T>(2, columns);
  std::vector<T> y(static_cast<std::size_t>(rows + 1), T{99});
  gemv_kernel<T>()({y.data(), a.data(), x.data(), columns}, 0, rows);
  for (std::int64_t i = 0; i < rows; ++i) {
    std::vector<long double> terms;
    for (std::int64_t j = 0; j < columns; ++j)
      terms.push_back(static_cast<long double>(a[static_cast<std::size_t>(i * columns + j)]) *
                      x[static_cast<std::size_t>(j)]);
    CHECK(near(y[static_cast<std::size_t>(i)], terms));
    terms.pop_back();
    if (!terms.empty()) CHECK_FALSE(near(y[static_cast<std::size_t>(i)], terms));
  }
  CHECK(y.back() == T{99});
}

template <class T>
void check_sparse(std::vector<std::int64_t> lengths) {
  const auto rows = static_cast<std::int64_t>(lengths.size());
  std::vector<std::int64_t> starts{0};
  for (const std::int64_t length : lengths) starts.push_back(starts.back() + length);
  std::vector<std::int32_t> columns;
  for (std::int64_t k = 0; k < starts.back(); ++k)
    columns.push_back(
        static_cast<std::int32_t>(random::bits(4, static_cast<std::uint64_t>(k)) % static_cast<std::uint64_t>(rows)));
  const auto values = numbers<T>(5, starts.back());
  const auto x = numbers<T>(6, rows);
  std::vector<T> y(static_cast<std::size_t>(rows), T{99});
  spmv_kernel<T>()({y.data(), values.data(), columns.data(), starts.data(), x.data()}, 0, rows);
  for (std::size_t i = 0; i < y.size(); ++i) {
    std::vector<long double> terms;
    for (auto k = static_cast<std::size_t>(starts[i]); k < static_cast<std::size_t>(starts[i + 1]); ++k)
      terms.push_back(static_cast<long double>(values[k]) * x[static_cast<std::size_t>(columns[k])]);
    CHECK(near(y[i], terms));
  }
}

}  // namespace

TEST_CASE("dense rows are plain sums") {
  check_dense<float>(9, 67);
  check_dense<float>(1, 1);
  check_dense<double>(6, 35);
  check_dense<double>(4, 3);
}

TEST_CASE("sparse rows are plain sums, empty and short ones too") {
  check_sparse<float>({16, 0, 1, 7, 31, 16, 64});
  check_sparse<double>({16, 0, 1, 7, 31, 16, 64});
}

TEST_CASE("the measured pattern stays within its band and its matrix") {
  for (const std::int64_t rows : {1, 100, 20'000}) {
    std::int64_t farthest = 0;
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t entry = 0; entry < row_nonzeros; ++entry) {
        const std::int64_t column = column_of(1, row, entry, rows);
        REQUIRE(column >= 0);
        REQUIRE(column < rows);
        farthest = std::max(farthest, std::abs(column - row));
      }
    CHECK(farthest <= band);
    if (rows == 20'000) CHECK(farthest > band / 2);
  }
}
