// Exact data and Freivalds' check.
#include <cmath>
#include <vector>

#include "kernels/gemm/gemm.hpp"
#include "kernels/random/counter.hpp"

namespace ridge::gemm {
namespace {

constexpr int vectors = 2;

std::uint64_t factor_of(std::uint64_t seed, int vector, std::int64_t column) {
  return random::bits(random::seed_of(seed, static_cast<std::uint64_t>(100 + vector)),
                      static_cast<std::uint64_t>(column)) >>
         48;
}

// A whole number as the integers modulo 2^64 hold it; false for anything else.
template <class T>
bool whole(T value, std::uint64_t& out) {
  constexpr auto limit = static_cast<T>(9.0e18);
  if (!(std::fabs(value) < limit) || value != std::trunc(value)) return false;
  out = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  return true;
}

// (rows, columns) times a vector; rows that hold something else than whole numbers are marked.
template <class T>
std::uint64_t row_times(const T* row, const std::vector<std::uint64_t>& vector, bool& right) {
  std::uint64_t sum = 0;
  for (std::size_t j = 0; j < vector.size(); ++j) {
    std::uint64_t value = 0;
    right = whole(row[j], value) && right;
    sum += value * vector[j];
  }
  return sum;
}

}  // namespace

template <class T>
T entry(std::uint64_t seed, int which, std::int64_t index) {
  const auto bits =
      random::bits(random::seed_of(seed, static_cast<std::uint64_t>(which)), static_cast<std::uint64_t>(index));
  return (bits & 1) != 0 ? random::small_whole<T>(bits) : -random::small_whole<T>(bits);
}

template <class T>
std::int64_t wrong_rows(const Product<T>& p, std::uint64_t seed, std::int64_t row_begin, std::int64_t row_end) {
  std::vector<bool> wrong(static_cast<std::size_t>(row_end - row_begin), false);
  for (int v = 0; v < vectors; ++v) {
    std::vector<std::uint64_t> r(static_cast<std::size_t>(p.n));
    for (std::size_t j = 0; j < r.size(); ++j) r[j] = factor_of(seed, v, static_cast<std::int64_t>(j));
    bool inputs_right = true;
    std::vector<std::uint64_t> br(static_cast<std::size_t>(p.k));
    for (std::size_t l = 0; l < br.size(); ++l)
      br[l] = row_times(p.b + static_cast<std::int64_t>(l) * p.n, r, inputs_right);
    for (std::int64_t i = row_begin; i < row_end; ++i) {
      bool right = inputs_right;
      const std::uint64_t want = row_times(p.a + i * p.k, br, right);
      const std::uint64_t have = row_times(p.c + i * p.n, r, right);
      if (!right || want != have) wrong[static_cast<std::size_t>(i - row_begin)] = true;
    }
  }
  std::int64_t count = 0;
  for (const bool each : wrong) count += each ? 1 : 0;
  return count;
}

template float entry<float>(std::uint64_t, int, std::int64_t);
template double entry<double>(std::uint64_t, int, std::int64_t);
template std::int64_t wrong_rows<float>(const Product<float>&, std::uint64_t, std::int64_t, std::int64_t);
template std::int64_t wrong_rows<double>(const Product<double>&, std::uint64_t, std::int64_t, std::int64_t);

}  // namespace ridge::gemm
