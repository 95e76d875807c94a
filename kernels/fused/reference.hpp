// The pairs in f64, a row at a time, from the same inputs: what both forms must come to.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/fused/fused.hpp"

namespace ridge::fused {

struct Row {
  std::vector<double> x;
  const float* residual = nullptr;  // (columns)
  const float* bias = nullptr;      // (columns)
  const float* beta = nullptr;      // (columns), may be null
  std::int64_t label = 0;
  int ops = 1;
  Dropout dropout;
  std::int64_t index = 0;  // of the row, for dropout
};

inline double gelu(double x) {
  return x / (1 + std::exp(-2 * 0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

// log Σ exp(x), safely.
inline double log_sum_exp(const std::vector<double>& x) {
  const double max = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (const double value : x) sum += std::exp(value - max);
  return max + std::log(sum);
}

// What x becomes; of cross_entropy, which leaves it open, the one loss.
inline std::vector<double> reference(Pair pair, Row row) {
  std::vector<double>& x = row.x;
  const auto n = static_cast<double>(x.size());
  if (pair == Pair::chain)
    for (double& value : x)
      for (int op = 1; op <= row.ops; ++op) value = value / 2 + op;
  if (pair == Pair::bias_gelu)
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = gelu(x[j] + row.bias[j]) + row.residual[j];
  if (pair == Pair::bias_gelu_dropout)
    for (std::size_t j = 0; j < x.size(); ++j)
      x[j] = gelu(x[j] + row.bias[j]) * dropout_factor(row.dropout, row.index, static_cast<std::int64_t>(j)) +
             row.residual[j];
  if (pair == Pair::softmax) {
    const double all = log_sum_exp(x);
    for (double& value : x) value = std::exp(value - all);
  }
  if (pair == Pair::cross_entropy) return {log_sum_exp(x) - x[static_cast<std::size_t>(row.label)]};
  if (pair == Pair::rmsnorm || pair == Pair::layernorm) {
    double mean = 0;
    for (std::size_t j = 0; j < x.size(); ++j) mean += (x[j] += row.residual[j]) / n;
    if (pair == Pair::rmsnorm) mean = 0;
    double squares = 0;
    for (const double value : x) squares += (value - mean) * (value - mean);
    const double rate = 1 / std::sqrt(squares / n + static_cast<double>(epsilon));
    for (std::size_t j = 0; j < x.size(); ++j)
      x[j] = (x[j] - mean) * rate * row.bias[j] + (row.beta == nullptr ? 0 : row.beta[j]);
  }
  return x;
}

// How far a result of f32 may be off `want`, n columns: a few roundings of the value and of what it was made from, an
// exponential of a few units, and sums of n terms in 32 partial ones or more.
inline double bound(Pair pair, double want, std::int64_t columns, int ops) {
  constexpr double unit = 1.2e-7;  // 2^-23
  const double sums = static_cast<double>(columns) / 32 + 32;
  switch (pair) {
    case Pair::chain:
      return unit * (2 + 2.0 * ops);
    case Pair::softmax:
      return unit * (8 + sums) * want + 1.2e-38;  // what is less than any normal number may be 0
    case Pair::bias_gelu:
    case Pair::bias_gelu_dropout:  // at a scale of at most 2
      return 16 * unit * (1 + std::abs(want));
    case Pair::rmsnorm:
    case Pair::layernorm:
    case Pair::cross_entropy:
      break;
  }
  return unit * (8 + sums) * (1 + std::abs(want));
}

}  // namespace ridge::fused
