// Root mean squares of independent rounding errors.
#include "bench/precision/prediction.hpp"

#include <cmath>

namespace ridge::bench::precision {

using ridge::precision::Accumulate;
using ridge::precision::Data;
using ridge::precision::ProductQuestion;

ProductQuestion question_of(const record::Point& point, std::uint64_t seed) {
  ProductQuestion question;
  question.type = formats::format_of(point.text("dtype")).value();
  question.accumulate = point.text("accumulate") == "same" ? Accumulate::same : Accumulate::f32;
  const std::string& data = point.text("data");
  question.data = data == "positive" ? Data::positive : data == "wide" ? Data::wide : Data::normal;
  question.k = point.integer("k");
  question.seed = seed;
  return question;
}

std::optional<double> predicted_error(const ProductQuestion& question) {
  constexpr double mean_square_to_unit = 0.4247;  // √(3/8 / ln 2) · 2 / √12
  constexpr int narrowest = 5;                    // exponent bits whose range holds normal data and its products
  if (question.data != Data::normal || question.type.exponent_bits < narrowest) return std::nullopt;
  const auto k = static_cast<double>(question.k);
  const double of_type = mean_square_to_unit * question.type.unit_roundoff();
  const double of_single = mean_square_to_unit * formats::f32.unit_roundoff();
  double squares = 2 * of_type * of_type;
  if (question.accumulate == Accumulate::f32) {
    squares += of_single * of_single * k / 2;
  } else {
    // Beyond this sums stop taking terms at all, and errors are no longer independent.
    if (std::sqrt(k / 2) * of_type > 0.2) return std::nullopt;
    squares += of_type * of_type * (k / 2 + 1);
  }
  return std::sqrt(squares);
}

}  // namespace ridge::bench::precision
