// Inputs by seed and index, and results against f64.
#include "bench/fusion/data.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "kernels/fused/reference.hpp"
#include "kernels/random/counter.hpp"

namespace ridge::bench::fusion {

float Data::number(int which, std::int64_t index) const {
  return random::full_mantissa<float>(
      random::bits(random::seed_of(seed, static_cast<std::uint64_t>(which)), static_cast<std::uint64_t>(index)));
}

float Data::element(std::int64_t index) const {
  using ridge::fused::Pair;
  const float value = number(0, index);
  if (pair == Pair::layernorm) return std::abs(value);
  if (pair != Pair::softmax && pair != Pair::cross_entropy) return value;
  const std::int64_t row = index / columns;
  return row % 4 == 1 && index % columns == label(row) ? 200 : value;
}

std::int32_t Data::label(std::int64_t row) const {
  return static_cast<std::int32_t>(random::bits(random::seed_of(seed, 4), static_cast<std::uint64_t>(row)) %
                                   static_cast<std::uint64_t>(columns));
}

ridge::fused::Dropout Data::dropout() const {
  return ridge::fused::dropout_of(probability, random::seed_of(seed, 5));
}

void Data::check_row(stream::Check& check, std::int64_t row, const float* have) const {
  const auto of_column = [&](int which) {
    std::vector<float> all;
    for (std::int64_t j = 0; j < columns; ++j) all.push_back(number(which, which == 1 ? row * columns + j : j));
    return all;
  };
  const std::vector<float> residual = of_column(1), bias = of_column(2), beta = of_column(3);
  ridge::fused::Row one;
  for (std::int64_t j = 0; j < columns; ++j) one.x.push_back(element(row * columns + j));
  one.residual = residual.data();
  one.bias = bias.data();
  one.beta = pair == ridge::fused::Pair::layernorm ? beta.data() : nullptr;
  one.label = label(row);
  one.ops = ops;
  one.dropout = dropout();
  one.index = row;
  const auto want = ridge::fused::reference(pair, std::move(one));
  for (std::size_t j = 0; j < want.size(); ++j)
    compare(check, row * columns + static_cast<std::int64_t>(j), static_cast<double>(have[j]), want[j],
            ridge::fused::bound(pair, want[j], columns, ops));
}

void compare(stream::Check& check, std::int64_t index, double have, double want, double bound) {
  ++check.checked;
  const double error = std::abs(have - want) / bound;
  if (!(error <= 1) && check.wrong++ == 0) check.first_wrong = index;
  if (std::isfinite(error)) check.max_error = std::max(check.max_error, error);
}

record::Verification verdict(const stream::Check& all, bool guarded) {
  record::Verification result;
  result.checked = all.checked;
  result.max_error = all.max_error;
  result.bound = 1;
  result.status = all.wrong == 0 && guarded ? record::Check::passed : record::Check::failed;
  if (all.wrong > 0)
    result.reason = fmt::format("{} of {} results wrong, the first at {}", all.wrong, all.checked, all.first_wrong);
  else if (!guarded)
    result.reason = "wrote behind the last element";
  return result;
}

}  // namespace ridge::bench::fusion
