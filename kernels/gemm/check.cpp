// Exact data, Freivalds' check, and comparison with f64.
#include "kernels/gemm/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/random/counter.hpp"

namespace ridge::gemm {
namespace {

constexpr std::size_t vectors = 2;

std::uint64_t factor_of(std::uint64_t seed, std::size_t vector, std::int64_t column) {
  return random::bits(random::seed_of(seed, static_cast<std::uint64_t>(100 + vector)),
                      static_cast<std::uint64_t>(column)) >>
         48;
}

using Vector = std::vector<std::uint64_t>;
using Sums = std::array<std::uint64_t, vectors>;

// A row of whole numbers times each vector, as the integers modulo 2^64 hold it; `right` is taken back where an element
// is none. Told without a branch, and by one conversion an element: this is where checks of large products are long.
Sums row_times(const std::vector<double>& row, const std::array<Vector, vectors>& by, bool& right) {
  constexpr double limit = 9.0e18;
  Sums sums{};
  bool all_whole = true;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const bool fits = std::fabs(row[j]) < limit;
    const auto value = static_cast<std::int64_t>(fits ? row[j] : 0);
    all_whole &= fits && static_cast<double>(value) == row[j];
    for (std::size_t v = 0; v < vectors; ++v) sums[v] += static_cast<std::uint64_t>(value) * by[v][j];
  }
  right = all_whole && right;
  return sums;
}

std::size_t length(std::int64_t count) {
  return static_cast<std::size_t>(count);
}

// beta times what C held there.
double added(const Operands& o, std::int64_t i, std::int64_t j) {
  return o.beta == 0 ? 0 : o.beta * o.before(o.c.index(i, j));
}

void judge(Compared& result, const Operands& o, std::int64_t i, std::int64_t j, double want, double magnitude) {
  ++result.checked;
  const double have = load(o.c, o.c.index(i, j)), before = added(o, i, j);
  want += before;
  magnitude += std::fabs(before);
  const double error = std::fabs(have - want);
  const std::int64_t terms = o.a.columns + (o.beta == 0 ? 0 : 1);
  const Type sums = sums_of(o.c.type);
  double bound = (o.unit > 0 ? (static_cast<double>(terms) + 1) * o.unit : error_bound(sums, terms)) * magnitude;
  if (sums != o.c.type) bound += std::max((std::fabs(want) + bound) * unit_roundoff(o.c.type), least_of(o.c.type) / 2);
  if (!(error <= bound) && result.wrong++ == 0) result.first_wrong = o.c.index(i, j);
  if (std::isfinite(error) && bound > 0) result.max_error = std::max(result.max_error, error / bound);
}

template <class T>
constexpr Type type_of = sizeof(T) == 4 ? Type::f32 : Type::f64;

}  // namespace

template <class T>
T entry(std::uint64_t seed, int which, std::int64_t index) {
  const auto bits =
      random::bits(random::seed_of(seed, static_cast<std::uint64_t>(which)), static_cast<std::uint64_t>(index));
  return (bits & 1) != 0 ? random::small_whole<T>(bits) : -random::small_whole<T>(bits);
}
template float entry<float>(std::uint64_t, int, std::int64_t);
template double entry<double>(std::uint64_t, int, std::int64_t);

template <class T>
Operands operands(const Product<T>& p) {
  return {{const_cast<T*>(p.a), type_of<T>, p.m, p.k, p.a_transposed},
          {const_cast<T*>(p.b), type_of<T>, p.k, p.n, p.b_transposed},
          {p.c, type_of<T>, p.m, p.n, false}};
}
template Operands operands<float>(const Product<float>&);
template Operands operands<double>(const Product<double>&);

std::int64_t wrong_rows(const Operands& o, std::uint64_t seed, std::int64_t row_begin, std::int64_t row_end) {
  std::vector<double> row_of_b(length(o.b.columns)), row_of_a(length(o.a.columns)), row_of_c(length(o.c.columns));
  std::vector<double> row_before(o.beta == 0 ? 0 : length(o.c.columns));
  std::array<Vector, vectors> r, br;
  for (std::size_t v = 0; v < vectors; ++v) {
    r[v].resize(length(o.b.columns));
    br[v].resize(length(o.b.rows));
    for (std::size_t j = 0; j < r[v].size(); ++j) r[v][j] = factor_of(seed, v, static_cast<std::int64_t>(j));
  }
  bool inputs_right = true;
  for (std::int64_t l = 0; l < o.b.rows; ++l) {
    read_row(o.b, l, row_of_b.data());
    const Sums sums = row_times(row_of_b, r, inputs_right);
    for (std::size_t v = 0; v < vectors; ++v) br[v][length(l)] = sums[v];
  }
  std::int64_t count = 0;
  for (std::int64_t i = row_begin; i < row_end; ++i) {
    read_row(o.a, i, row_of_a.data());
    read_row(o.c, i, row_of_c.data());
    for (std::size_t j = 0; j < row_before.size(); ++j) row_before[j] = added(o, i, static_cast<std::int64_t>(j));
    bool right = inputs_right;
    const Sums want = row_times(row_of_a, br, right);
    const Sums more = row_times(row_before, r, right), have = row_times(row_of_c, r, right);
    for (std::size_t v = 0; v < vectors; ++v) right = have[v] == want[v] + more[v] && right;
    if (!right) ++count;
  }
  return count;
}

Type sums_of(Type c) {
  return c == Type::f64 || c == Type::s32 ? c : Type::f32;
}

double error_bound(Type sums, std::int64_t k) {
  const auto roundings = static_cast<double>(k) + 1;
  if (sums == Type::s32) return 0;
  return sums == Type::f64 ? roundings * 0x1p-52 : roundings * 0x1p-24;
}

void Compared::add(const Compared& other) {
  if (other.wrong > 0 && (first_wrong < 0 || other.first_wrong < first_wrong)) first_wrong = other.first_wrong;
  checked += other.checked;
  wrong += other.wrong;
  max_error = std::max(max_error, other.max_error);
}

// Rows of B are read once for a few rows of A at a time.
Compared compare_rows(const Operands& o, const std::vector<std::int64_t>& rows) {
  constexpr std::size_t together = 16;
  Compared result;
  const std::size_t n = length(o.c.columns), k = length(o.a.columns);
  std::vector<double> of_b(n), of_a(together * k), sums(together * n), magnitudes(together * n);
  for (std::size_t first = 0; first < rows.size(); first += together) {
    const std::size_t count = std::min(together, rows.size() - first);
    for (std::size_t s = 0; s < count; ++s) read_row(o.a, rows[first + s], of_a.data() + s * k);
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(magnitudes.begin(), magnitudes.end(), 0.0);
    for (std::size_t l = 0; l < k; ++l) {
      read_row(o.b, static_cast<std::int64_t>(l), of_b.data());
      for (std::size_t s = 0; s < count; ++s) {
        const double x = of_a[s * k + l];
        double* const sum = &sums[s * n];
        double* const magnitude = &magnitudes[s * n];
        for (std::size_t j = 0; j < n; ++j) {
          const double product = x * of_b[j];
          sum[j] += product;
          magnitude[j] += std::fabs(product);
        }
      }
    }
    for (std::size_t s = 0; s < count; ++s)
      for (std::size_t j = 0; j < n; ++j)
        judge(result, o, rows[first + s], static_cast<std::int64_t>(j), sums[s * n + j], magnitudes[s * n + j]);
  }
  return result;
}

Compared compare_columns(const Operands& o, const std::vector<std::int64_t>& columns) {
  Compared result;
  std::vector<double> of_a(length(o.a.columns));
  std::vector<std::vector<double>> of_b;
  for (const std::int64_t j : columns) {
    auto& column = of_b.emplace_back(length(o.b.rows));
    for (std::int64_t l = 0; l < o.b.rows; ++l) column[length(l)] = load(o.b, o.b.index(l, j));
  }
  for (std::int64_t i = 0; i < o.a.rows; ++i) {
    read_row(o.a, i, of_a.data());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      double sum = 0, magnitude = 0;
      for (std::size_t l = 0; l < of_a.size(); ++l) {
        sum += of_a[l] * of_b[c][l];
        magnitude += std::fabs(of_a[l] * of_b[c][l]);
      }
      judge(result, o, i, columns[c], sum, magnitude);
    }
  }
  return result;
}

std::vector<std::int64_t> sample(std::int64_t count, int more, std::uint64_t seed) {
  std::vector<std::int64_t> chosen{count - 1};
  for (int i = 0; i < more; ++i)
    chosen.push_back(static_cast<std::int64_t>(random::bits(seed, static_cast<std::uint64_t>(i)) %
                                               static_cast<std::uint64_t>(count)));
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

}  // namespace ridge::gemm
