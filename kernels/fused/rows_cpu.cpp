// Row-wise pairs by SIMD. Fused, a kernel goes over a row several times while it is in the first or second cache; what
// that saves is the way to memory.
#include <algorithm>
#include <cmath>

#include "kernels/fused/fused.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fused/rows_cpu.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
//
#include "kernels/fused/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ridge::fused {
namespace HWY_NAMESPACE {

struct Sum {
  template <class W>
  HWY_INLINE W operator()(W a, W b) const {
    return hn::Add(a, b);
  }
};
struct Largest {
  template <class W>
  HWY_INLINE W operator()(W a, W b) const {
    return hn::Max(a, b);
  }
};

HWY_INLINE float largest(const float* x, std::int64_t columns) {
  return joined(columns, -HUGE_VALF, Largest{}, [x](auto d, std::int64_t j) HWY_ATTR { return hn::LoadU(d, x + j); });
}

// Σ exp(x − max); `keep`: x becomes what is added. `next` is fetched from memory meanwhile: the arithmetic of one row
// and the traffic of the row after it take place at once. Where a row has two arrays, each loop fetches one of them.
template <bool keep>
HWY_INLINE float exponentials(float* x, float max, std::int64_t columns, const float* next) {
  return joined(columns, 0.0F, Sum{}, [x, max, next](auto d, std::int64_t j) HWY_ATTR {
    hwy::Prefetch(next + j);
    const auto e = simd::HWY_NAMESPACE::exponential(d, hn::Sub(hn::LoadU(d, x + j), hn::Set(d, max)));
    if constexpr (keep) hn::StoreU(e, d, x + j);
    return e;
  });
}

HWY_INLINE void scale(float* x, float by, std::int64_t columns) {
  each(columns, [x, by](auto d, std::int64_t j)
                    HWY_ATTR { hn::StoreU(hn::Mul(hn::LoadU(d, x + j), hn::Set(d, by)), d, x + j); });
}

// x += other; answers the sum of the squares of what comes of it. `next` as above.
HWY_INLINE float add_and_sum_squares(float* x, const float* other, std::int64_t columns, const float* next) {
  return joined(columns, 0.0F, Sum{}, [x, other, next](auto d, std::int64_t j) HWY_ATTR {
    hwy::Prefetch(next + j);
    const auto sum = hn::Add(hn::LoadU(d, x + j), hn::LoadU(d, other + j));
    hn::StoreU(sum, d, x + j);
    return hn::Mul(sum, sum);
  });
}

// Σ (x − about) and Σ (x − about)².
struct Moments {
  float about = 0;
  float first = 0;
  float second = 0;
};

// x += other; answers the moments about its first element, which is nearer to the mean than 0 is where the mean is far
// from 0: what the subtraction of two sums costs then stays small (Chan, Golub, LeVeque, "Algorithms for computing the
// sample variance", 1983). `next` as above.
HWY_INLINE Moments add_and_moments(float* x, const float* other, std::int64_t columns, const float* next) {
  const D d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const float about = x[0] + other[0];
  const auto origin = hn::Set(d, about);
  auto a0 = hn::Zero(d), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
  const auto add = [=](std::int64_t j, V& a, V& b) HWY_ATTR {
    hwy::Prefetch(next + j);
    const auto sum = hn::Add(hn::LoadU(d, x + j), hn::LoadU(d, other + j));
    hn::StoreU(sum, d, x + j);
    const auto off = hn::Sub(sum, origin);
    a = hn::Add(a, off);
    b = hn::MulAdd(off, off, b);
  };
  std::int64_t j = 0;
  for (; j + 4 * lanes <= columns; j += 4 * lanes) {
    add(j, a0, b0), add(j + lanes, a1, b1), add(j + 2 * lanes, a2, b2), add(j + 3 * lanes, a3, b3);
  }
  for (; j + lanes <= columns; j += lanes) add(j, a0, b0);
  Moments all{about, hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)))),
              hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(b0, b1), hn::Add(b2, b3))))};
  for (; j < columns; ++j) {
    x[j] += other[j];
    const float off = x[j] - about;
    all.first += off;
    all.second += off * off;
  }
  return all;
}

HWY_INLINE float sum_of(const float* x, std::int64_t columns) {
  return joined(columns, 0.0F, Sum{}, [x](auto d, std::int64_t j) HWY_ATTR { return hn::LoadU(d, x + j); });
}

HWY_INLINE float sum_of_squares(const float* x, float less, std::int64_t columns) {
  return joined(columns, 0.0F, Sum{}, [x, less](auto d, std::int64_t j) HWY_ATTR {
    const auto from_mean = hn::Sub(hn::LoadU(d, x + j), hn::Set(d, less));
    return hn::Mul(from_mean, from_mean);
  });
}

// x = (x − mean) · rate · gamma, + beta where there is one. `next` as above.
HWY_INLINE void normalise(const Operands& o, float* x, float mean, float rate, const float* next) {
  const float* const gamma = o.bias;
  const float* const beta = o.beta;
  each(o.columns, [=](auto d, std::int64_t j) HWY_ATTR {
    hwy::Prefetch(next + j);
    const auto scaled =
        hn::Mul(hn::Mul(hn::Sub(hn::LoadU(d, x + j), hn::Set(d, mean)), hn::Set(d, rate)), hn::LoadU(d, gamma + j));
    hn::StoreU(beta == nullptr ? scaled : hn::Add(scaled, hn::LoadU(d, beta + j)), d, x + j);
  });
}

HWY_INLINE float rate_of(float squares, std::int64_t columns) {
  return 1 / std::sqrt(squares / static_cast<float>(columns) + epsilon);
}

void softmax_pass(const Operands& o, int pass, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    float* const stats = o.stats + 2 * row;
    if (pass == 0) stats[0] = largest(x, o.columns);
    if (pass == 1) stats[1] = exponentials<true>(x, stats[0], o.columns, x);
    if (pass == 2) scale(x, 1 / stats[1], o.columns);
  }
}

void softmax_fused(const Operands& o, int, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    const float max = largest(x, o.columns);
    scale(x, 1 / exponentials<true>(x, max, o.columns, next_row(o, row, end)), o.columns);
  }
}

void rmsnorm_pass(const Operands& o, int pass, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    float* const stats = o.stats + 2 * row;
    if (pass == 0) add(x, o.residual + row * o.columns, o.columns);
    if (pass == 1) stats[0] = sum_of_squares(x, 0, o.columns);
    if (pass == 2) normalise(o, x, 0, rate_of(stats[0], o.columns), x);
  }
}

void rmsnorm_fused(const Operands& o, int, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    const float squares = add_and_sum_squares(x, o.residual + row * o.columns, o.columns, next_row(o, row, end));
    normalise(o, x, 0, rate_of(squares, o.columns), next_residual(o, row, end));
  }
}

void layernorm_pass(const Operands& o, int pass, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    float* const stats = o.stats + 2 * row;
    if (pass == 0) add(x, o.residual + row * o.columns, o.columns);
    if (pass == 1) stats[0] = sum_of(x, o.columns) / static_cast<float>(o.columns);
    if (pass == 2) stats[1] = sum_of_squares(x, stats[0], o.columns);
    if (pass == 3) normalise(o, x, stats[0], rate_of(stats[1], o.columns), x);
  }
}

void layernorm_fused(const Operands& o, int, std::int64_t begin, std::int64_t end) {
  const auto count = static_cast<float>(o.columns);
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    const Moments sums = add_and_moments(x, o.residual + row * o.columns, o.columns, next_row(o, row, end));
    const float off = sums.first / count;
    normalise(o, x, sums.about + off, rate_of(std::max(0.0F, sums.second - sums.first * off), o.columns),
              next_residual(o, row, end));
  }
}

void cross_entropy_pass(const Operands& o, int pass, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    float* const stats = o.stats + 2 * row;
    if (pass == 0) stats[0] = largest(x, o.columns);
    if (pass == 1) stats[1] = exponentials<false>(x, stats[0], o.columns, x);
    if (pass == 2) {
      const float less = stats[0] + std::log(stats[1]);
      each(o.columns, [x, less](auto d, std::int64_t j)
                          HWY_ATTR { hn::StoreU(hn::Sub(hn::LoadU(d, x + j), hn::Set(d, less)), d, x + j); });
    }
    if (pass == 3) o.loss[row] = -x[o.labels[row]];
  }
}

void cross_entropy_fused(const Operands& o, int, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    const float max = largest(x, o.columns);
    o.loss[row] = max + std::log(exponentials<false>(x, max, o.columns, next_row(o, row, end))) - x[o.labels[row]];
  }
}

Sides choose_row_wise(Pair pair) {
  switch (pair) {
    case Pair::softmax:
      return {softmax_pass, softmax_fused};
    case Pair::rmsnorm:
      return {rmsnorm_pass, rmsnorm_fused};
    case Pair::layernorm:
      return {layernorm_pass, layernorm_fused};
    default:
      return {cross_entropy_pass, cross_entropy_fused};
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::fused
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::fused {

HWY_EXPORT(choose_row_wise);

Sides row_wise_cpu_kernels(Pair pair) {
  return HWY_DYNAMIC_DISPATCH(choose_row_wise)(pair);
}

}  // namespace ridge::fused
#endif
