// The numbers of a product with what follows it, and each entry against what it must be.
#include <algorithm>
#include <cmath>

#include "bench/fusion/data.hpp"
#include "bench/fusion/epilogue.hpp"
#include "kernels/fused/reference.hpp"
#include "kernels/gemm/check.hpp"
#include "kernels/random/counter.hpp"

namespace ridge::bench::fusion {
namespace {

using ridge::gemm::Activation;

constexpr double unit = 1.2e-7;             // 2^-23
constexpr double approximate = 1.0 / 1024;  // of an activation by a GPU's approximate tanh

std::uint64_t drawn(std::uint64_t seed, std::uint64_t which, std::int64_t index) {
  return random::bits(random::seed_of(seed, which), static_cast<std::uint64_t>(index));
}

double activated(Activation activation, double x) {
  if (activation == Activation::relu) return std::max(x, 0.0);
  return activation == Activation::gelu ? ridge::fused::gelu(x) : x;
}

}  // namespace

EpilogueNumbers::EpilogueNumbers(const EpilogueShape& shape, std::uint64_t seed, EpilogueInputs inputs, bool loose)
    : shape_(shape), seed_(seed), inputs_(inputs), loose_(loose) {
  if (inputs == EpilogueInputs::random) {
    factor_ = std::exp2(-std::ceil(std::log2(static_cast<double>(shape.k)) / 2));
    rows_ = ridge::gemm::sample(shape.m, 7, seed);
    columns_ = ridge::gemm::sample(shape.n, 3, seed + 1);
    return;
  }
  for (std::int64_t l = 1; l < shape.k; ++l) sum_ += left(l) * right(l);
  first_ = sum_ == -left(0) ? 2 : 1;
  sum_ += left(0) * first_;
  factor_ = std::exp2(-std::ceil(std::log2(std::abs(sum_))));
}

// ±1, ±2 or ±3.
double EpilogueNumbers::small_number(std::uint64_t which, std::int64_t index) const {
  const std::uint64_t bits = drawn(seed_, which, index);
  return random::small_whole<double>(bits) * ((bits & 1) == 0 ? 1 : -1);
}
double EpilogueNumbers::left(std::int64_t l) const {
  return std::abs(small_number(5, l));
}
double EpilogueNumbers::right(std::int64_t l) const {
  return l == 0 ? first_ : small_number(6, l);
}

float EpilogueNumbers::a(std::int64_t i, std::int64_t l) const {
  if (inputs_ == EpilogueInputs::exact) return static_cast<float>(small_number(7, i) * left(l));
  return static_cast<float>(factor_) * random::full_mantissa<float>(drawn(seed_, 0, i * shape_.k + l));
}
float EpilogueNumbers::b(std::int64_t l, std::int64_t j) const {
  if (inputs_ == EpilogueInputs::exact) return static_cast<float>(right(l) * small_number(8, j) * factor_);
  return random::full_mantissa<float>(drawn(seed_, 1, l * shape_.n + j));
}
float EpilogueNumbers::bias(std::int64_t j) const {
  return random::full_mantissa<float>(drawn(seed_, 2, j));
}
float EpilogueNumbers::residual(std::int64_t i, std::int64_t j) const {
  return random::full_mantissa<float>(drawn(seed_, 3, i * shape_.n + j));
}

void EpilogueNumbers::check_entry(stream::Check& check, const float* have, std::int64_t i, std::int64_t j) const {
  double x = 0, rounding = 0;
  if (inputs_ == EpilogueInputs::exact) {
    x = small_number(7, i) * small_number(8, j) * factor_ * sum_;
  } else {
    double magnitude = 0;
    for (std::int64_t l = 0; l < shape_.k; ++l) {
      const double product = static_cast<double>(a(i, l)) * static_cast<double>(b(l, j));
      x += product;
      magnitude += std::abs(product);
    }
    rounding = static_cast<double>(shape_.k + 1) * unit / 2 * magnitude;
  }
  if (shape_.has_bias()) x += static_cast<double>(bias(j));
  double want = activated(shape_.applied(), x);
  // Nowhere does gelu rise by more than 1.13.
  double bound = 1.13 * rounding + 16 * unit * (1 + std::abs(x));
  if (loose_ && shape_.applied() == Activation::gelu) bound += approximate * (1 + std::abs(x));
  if (shape_.has_residual()) want += static_cast<double>(residual(i, j));
  compare(check, i * shape_.n + j, static_cast<double>(have[i * shape_.n + j]), want, bound);
}

void EpilogueNumbers::check(stream::Check& check, const float* have, std::int64_t begin, std::int64_t end) const {
  for (std::int64_t i = begin; i < end; ++i) {
    if (inputs_ == EpilogueInputs::exact || std::binary_search(rows_.begin(), rows_.end(), i)) {
      for (std::int64_t j = 0; j < shape_.n; ++j) check_entry(check, have, i, j);
    } else {
      for (const std::int64_t j : columns_) check_entry(check, have, i, j);
    }
  }
}

}  // namespace ridge::bench::fusion
