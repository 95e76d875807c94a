// Small matrix products with the type's own roundings, beside the same sums in f64.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/precision/precision.hpp"
#include "kernels/random/normal.hpp"

namespace ridge::precision {
namespace {

// f16 and bf16 overflow to infinity, the 8- and 4-bit types to their largest number: what conversions of GPUs do.
bool saturates(const formats::Format& f) {
  return f.exponent_bits + f.mantissa_bits < 10;
}

double drawn(Data data, std::uint64_t seed, std::uint64_t index) {
  switch (data) {
    case Data::normal:
      return random::normal(seed, index);
    case Data::positive:
      return random::uniform(random::bits(seed, index));
    case Data::wide:
      return random::normal(seed, index) *
             std::exp2(40 * random::uniform(random::bits(random::seed_of(seed, 9), index)) - 20);
  }
  return 0;
}

// Rounds to one type and counts what left its range.
class Rounder {
 public:
  Rounder(formats::Format type, ProductErrors& counts) : type_(type), saturate_(saturates(type)), counts_(counts) {}
  double operator()(double x) {
    const double y = formats::rounded(x, type_, saturate_);
    const double magnitude = std::fabs(x);
    if (magnitude > type_.largest() && std::isfinite(magnitude)) ++counts_.overflows;
    if (y == 0 && x != 0) ++counts_.underflows;
    return y;
  }
  [[nodiscard]] double by_code(double x) const {
    return formats::decode(formats::encode(x, type_, formats::Rounding::nearest, saturate_), type_);
  }

 private:
  formats::Format type_;
  bool saturate_;
  ProductErrors& counts_;
};

struct Matrix {
  std::vector<double> exact, rounded;  // (side, k), B transposed
  Matrix(const ProductQuestion& q, std::uint64_t which, Rounder& round, ProductErrors& out)
      : exact(static_cast<std::size_t>(product_side * q.k)), rounded(exact.size()) {
    for (std::size_t i = 0; i < exact.size(); ++i) {
      exact[i] = drawn(q.data, random::seed_of(q.seed, which), i);
      rounded[i] = round(exact[i]);
      if (!(rounded[i] == round.by_code(exact[i]))) ++out.off_reference;
    }
  }
};

struct Sums {
  double c = 0;           // with the type's roundings
  double of_exact = 0;    // f64, inputs as drawn
  double of_rounded = 0;  // f64, inputs rounded
  double magnitude = 0;   // Σ|a·b| of the inputs as drawn
  double rounded_magnitude = 0;
};

Sums dot(const ProductQuestion& q, const double* a, const double* b, const double* ra, const double* rb,
         Rounder& round) {
  Sums s;
  float single = 0;
  double same = 0;
  for (std::int64_t l = 0; l < q.k; ++l) {
    s.of_exact += a[l] * b[l];
    s.of_rounded += ra[l] * rb[l];
    s.magnitude += std::fabs(a[l] * b[l]);
    s.rounded_magnitude += std::fabs(ra[l] * rb[l]);
    if (q.accumulate == Accumulate::f32)
      single = std::fma(static_cast<float>(ra[l]), static_cast<float>(rb[l]), single);
    else
      same = round(same + round(ra[l] * rb[l]));
  }
  s.c = q.accumulate == Accumulate::f32 ? static_cast<double>(single) : same;
  return s;
}

// What dot() gives for Accumulate::same, by way of codes.
double dot_by_code(std::int64_t k, const double* ra, const double* rb, const Rounder& round) {
  double sum = 0;
  for (std::int64_t l = 0; l < k; ++l) sum = round.by_code(sum + round.by_code(ra[l] * rb[l]));
  return sum;
}

bool alike(double a, double b) {
  return a == b || (a != a && b != b);
}

}  // namespace

ProductErrors product_errors(const ProductQuestion& q) {
  ProductErrors out;
  Rounder round(q.type, out);
  const Matrix a(q, 1, round, out);
  const Matrix b(q, 2, round, out);
  const double unit = q.accumulate == Accumulate::f32 ? formats::f32.unit_roundoff() : q.type.unit_roundoff();
  // One rounding for each sum, and one for each product where it is rounded too; a sum's own f64 comes on top.
  const double roundings = static_cast<double>(q.k) * (q.accumulate == Accumulate::same ? 2 : 1) + 1;
  const double bound = roundings * unit < 1 ? roundings * unit / (1 - roundings * unit) : 0;
  double difference = 0, adding = 0, length = 0, bound_share = 0;
  for (std::int64_t i = 0; i < product_side; ++i)
    for (std::int64_t j = 0; j < product_side; ++j) {
      const Sums s =
          dot(q, &a.exact[static_cast<std::size_t>(i * q.k)], &b.exact[static_cast<std::size_t>(j * q.k)],
              &a.rounded[static_cast<std::size_t>(i * q.k)], &b.rounded[static_cast<std::size_t>(j * q.k)], round);
      const double off = s.c - s.of_exact, off_adding = s.c - s.of_rounded;
      difference += off * off;
      adding += off_adding * off_adding;
      length += s.of_exact * s.of_exact;
      out.worst = std::max(out.worst, std::fabs(off) / s.magnitude);
      if (!std::isfinite(off)) out.worst = HUGE_VAL;
      if (bound > 0 && s.rounded_magnitude > 0)
        bound_share = std::max(bound_share, std::fabs(off_adding) / (bound * s.rounded_magnitude));
      if (q.accumulate == Accumulate::same && i + 1 == product_side && j + 1 == product_side) {
        const auto last = static_cast<std::size_t>(i * q.k);
        if (!alike(s.c, dot_by_code(q.k, &a.rounded[last], &b.rounded[last], round))) ++out.off_reference;
      }
    }
  if (out.overflows == 0 && out.underflows == 0) out.worst_bound_share = bound_share;
  out.error = std::sqrt(difference / length);
  out.accumulation = std::sqrt(adding / length);
  return out;
}

double sum_of_ones(formats::Format type) {
  double sum = 0;
  for (;;) {
    const double next = formats::rounded(sum + 1, type, true);
    if (next == sum) return sum;
    sum = next;
  }
}

}  // namespace ridge::precision
