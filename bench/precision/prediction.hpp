// What rounding theory says of a product's error, and the question that a point asks.
#pragma once

#include <optional>

#include "kernels/precision/precision.hpp"
#include "reports/record/value.hpp"

namespace ridge::bench::precision {

ridge::precision::ProductQuestion question_of(const record::Point& point, std::uint64_t seed);

// The expected error (norm-wise, relative) of normal data; nothing for other data, or where range and not precision
// decides. With r = 0.425·u the root mean square of a relative rounding error (a significand log-uniform in [1, 2), its
// error uniform within half a last place):
//   inputs        √2·r                   whatever k: terms and sum grow alike
//   sums          r·√(k/2)               of partial sums that grow like √l, added to a result of √k
//   products      r                      where they are rounded too
std::optional<double> predicted_error(const ridge::precision::ProductQuestion& question);

}  // namespace ridge::bench::precision
