// Both forms by SIMD. Fused row-wise kernels go over a row several times while it is in the first or second cache; what
// they save is the way to memory.
#include "kernels/fused/fused.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fused/fused_cpu.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
//
#include "hwy/contrib/math/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ridge::fused {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// Calls body(tag, column) for vectors of a row, then for what is left of it one by one with a tag of one lane.
template <class Body>
HWY_INLINE void each(std::int64_t columns, const Body& body) {
  const D d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t j = 0;
  for (; j + lanes <= columns; j += lanes) body(d, j);
  const hn::CappedTag<float, 1> one;
  for (; j < columns; ++j) body(one, j);
}

// The same joined: four partial results, so that no step waits for the one before.
template <class Join, class Value>
HWY_INLINE float joined(std::int64_t columns, float start, const Join& join, const Value& value) {
  const D d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto r0 = hn::Set(d, start), r1 = r0, r2 = r0, r3 = r0;
  std::int64_t j = 0;
  for (; j + 4 * lanes <= columns; j += 4 * lanes) {
    r0 = join(r0, value(d, j));
    r1 = join(r1, value(d, j + lanes));
    r2 = join(r2, value(d, j + 2 * lanes));
    r3 = join(r3, value(d, j + 3 * lanes));
  }
  r0 = join(join(r0, r1), join(r2, r3));
  const hn::CappedTag<float, 1> one;
  auto rest = hn::Set(one, start);
  for (; j < columns; ++j) rest = join(rest, value(one, j));
  float all = hn::GetLane(rest);
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
    const auto next = hn::Set(one, hn::ExtractLane(r0, lane));
    all = hn::GetLane(join(hn::Set(one, all), next));
  }
  return all;
}
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

template <class Tag, class W = hn::Vec<Tag>>
HWY_INLINE W gelu(Tag d, W x) {
  const auto cube = hn::Mul(hn::Mul(x, x), x);
  const auto u = hn::Mul(hn::Set(d, -2 * 0.7978845608028654F), hn::MulAdd(hn::Set(d, 0.044715F), cube, x));
  return hn::Div(x, hn::Add(hn::Set(d, 1.0F), hn::Exp(d, u)));
}

HWY_INLINE float* row_of(const Operands& o, std::int64_t row) {
  return o.x + row * o.columns;
}

// The row that comes next, or this one again where there is none.
HWY_INLINE const float* next_row(const Operands& o, std::int64_t row, std::int64_t end) {
  return row_of(o, row + 1 < end ? row + 1 : row);
}

HWY_INLINE const float* next_residual(const Operands& o, std::int64_t row, std::int64_t end) {
  return o.residual + (row + 1 < end ? row + 1 : row) * o.columns;
}

HWY_INLINE float largest(const float* x, std::int64_t columns) {
  return joined(columns, -HUGE_VALF, Largest{}, [x](auto d, std::int64_t j) HWY_ATTR { return hn::LoadU(d, x + j); });
}

// Σ exp(x − max); `keep`: x becomes what is added. `next` is fetched from memory meanwhile: the arithmetic of one row
// and the traffic of the row after it take place at once.
template <bool keep>
HWY_INLINE float exponentials(float* x, float max, std::int64_t columns, const float* next) {
  return joined(columns, 0.0F, Sum{}, [x, max, next](auto d, std::int64_t j) HWY_ATTR {
    hwy::Prefetch(next + j);
    const auto e = hn::Exp(d, hn::Sub(hn::LoadU(d, x + j), hn::Set(d, max)));
    if constexpr (keep) hn::StoreU(e, d, x + j);
    return e;
  });
}

HWY_INLINE void scale(float* x, float by, std::int64_t columns) {
  each(columns, [x, by](auto d, std::int64_t j)
                    HWY_ATTR { hn::StoreU(hn::Mul(hn::LoadU(d, x + j), hn::Set(d, by)), d, x + j); });
}

HWY_INLINE void add(float* x, const float* other, std::int64_t columns) {
  each(columns, [x, other](auto d, std::int64_t j)
                    HWY_ATTR { hn::StoreU(hn::Add(hn::LoadU(d, x + j), hn::LoadU(d, other + j)), d, x + j); });
}

// x += other; answers the sum over the row of what comes of it, or of its squares.
template <bool squares>
HWY_INLINE float add_and_sum(float* x, const float* other, std::int64_t columns) {
  return joined(columns, 0.0F, Sum{}, [x, other](auto d, std::int64_t j) HWY_ATTR {
    const auto sum = hn::Add(hn::LoadU(d, x + j), hn::LoadU(d, other + j));
    hn::StoreU(sum, d, x + j);
    if constexpr (squares) return hn::Mul(sum, sum);
    return sum;
  });
}

HWY_INLINE float sum_of(const float* x, std::int64_t columns) {
  return joined(columns, 0.0F, Sum{}, [x](auto d, std::int64_t j) HWY_ATTR { return hn::LoadU(d, x + j); });
}

HWY_INLINE float sum_of_squares(const float* x, float less, std::int64_t columns, const float* next) {
  return joined(columns, 0.0F, Sum{}, [x, less, next](auto d, std::int64_t j) HWY_ATTR {
    hwy::Prefetch(next + j);
    const auto from_mean = hn::Sub(hn::LoadU(d, x + j), hn::Set(d, less));
    return hn::Mul(from_mean, from_mean);
  });
}

// x = (x − mean) · rate · gamma, + beta where there is one. `next` as above; `further` too, where not null.
HWY_INLINE void normalise(const Operands& o, float* x, float mean, float rate, const float* next,
                          const float* further = nullptr) {
  const float* const gamma = o.bias;
  const float* const beta = o.beta;
  each(o.columns, [=](auto d, std::int64_t j) HWY_ATTR {
    hwy::Prefetch(next + j);
    if (further != nullptr) hwy::Prefetch(further + j);
    const auto scaled =
        hn::Mul(hn::Mul(hn::Sub(hn::LoadU(d, x + j), hn::Set(d, mean)), hn::Set(d, rate)), hn::LoadU(d, gamma + j));
    hn::StoreU(beta == nullptr ? scaled : hn::Add(scaled, hn::LoadU(d, beta + j)), d, x + j);
  });
}

HWY_INLINE float rate_of(float squares, std::int64_t columns) {
  return 1 / std::sqrt(squares / static_cast<float>(columns) + epsilon);
}

void chain_pass(const Operands& o, int pass, std::int64_t begin, std::int64_t end) {
  float* const x = row_of(o, begin);
  const auto added = static_cast<float>(pass + 1);
  each((end - begin) * o.columns, [x, added](auto d, std::int64_t j) HWY_ATTR {
    hn::StoreU(hn::MulAdd(hn::LoadU(d, x + j), hn::Set(d, 0.5F), hn::Set(d, added)), d, x + j);
  });
}

void chain_fused(const Operands& o, int, std::int64_t begin, std::int64_t end) {
  float* const x = row_of(o, begin);
  const std::int64_t count = (end - begin) * o.columns;
  const int ops = o.ops;
  const D d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto half = hn::Set(d, 0.5F);
  std::int64_t j = 0;
  // Eight chains under way: each step of one waits for the step before.
  for (; j + 8 * lanes <= count; j += 8 * lanes) {
    float* const at = x + j;
    auto v0 = hn::LoadU(d, at), v1 = hn::LoadU(d, at + lanes), v2 = hn::LoadU(d, at + 2 * lanes),
         v3 = hn::LoadU(d, at + 3 * lanes), v4 = hn::LoadU(d, at + 4 * lanes), v5 = hn::LoadU(d, at + 5 * lanes),
         v6 = hn::LoadU(d, at + 6 * lanes), v7 = hn::LoadU(d, at + 7 * lanes);
    for (int op = 1; op <= ops; ++op) {
      const auto added = hn::Set(d, static_cast<float>(op));
      v0 = hn::MulAdd(v0, half, added), v1 = hn::MulAdd(v1, half, added);
      v2 = hn::MulAdd(v2, half, added), v3 = hn::MulAdd(v3, half, added);
      v4 = hn::MulAdd(v4, half, added), v5 = hn::MulAdd(v5, half, added);
      v6 = hn::MulAdd(v6, half, added), v7 = hn::MulAdd(v7, half, added);
    }
    hn::StoreU(v0, d, at), hn::StoreU(v1, d, at + lanes), hn::StoreU(v2, d, at + 2 * lanes);
    hn::StoreU(v3, d, at + 3 * lanes), hn::StoreU(v4, d, at + 4 * lanes), hn::StoreU(v5, d, at + 5 * lanes);
    hn::StoreU(v6, d, at + 6 * lanes), hn::StoreU(v7, d, at + 7 * lanes);
  }
  for (; j < count; ++j)
    for (int op = 1; op <= ops; ++op) x[j] = x[j] * 0.5F + static_cast<float>(op);
}

void bias_gelu_pass(const Operands& o, int pass, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    if (pass == 0) add(x, o.bias, o.columns);
    if (pass == 1)
      each(o.columns, [x](auto d, std::int64_t j) HWY_ATTR { hn::StoreU(gelu(d, hn::LoadU(d, x + j)), d, x + j); });
    if (pass == 2) add(x, o.residual + row * o.columns, o.columns);
  }
}

void bias_gelu_fused(const Operands& o, int, std::int64_t begin, std::int64_t end) {
  const float* const bias = o.bias;
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    const float* const residual = o.residual + row * o.columns;
    const float* const next = next_row(o, row, end);
    const float* const further = next_residual(o, row, end);
    each(o.columns, [=](auto d, std::int64_t j) HWY_ATTR {
      hwy::Prefetch(next + j);
      hwy::Prefetch(further + j);
      const auto activated = gelu(d, hn::Add(hn::LoadU(d, x + j), hn::LoadU(d, bias + j)));
      hn::StoreU(hn::Add(activated, hn::LoadU(d, residual + j)), d, x + j);
    });
  }
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
    if (pass == 1) stats[0] = sum_of_squares(x, 0, o.columns, x);
    if (pass == 2) normalise(o, x, 0, rate_of(stats[0], o.columns), x);
  }
}

void rmsnorm_fused(const Operands& o, int, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    const float squares = add_and_sum<true>(x, o.residual + row * o.columns, o.columns);
    normalise(o, x, 0, rate_of(squares, o.columns), next_row(o, row, end), next_residual(o, row, end));
  }
}

void layernorm_pass(const Operands& o, int pass, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    float* const stats = o.stats + 2 * row;
    if (pass == 0) add(x, o.residual + row * o.columns, o.columns);
    if (pass == 1) stats[0] = sum_of(x, o.columns) / static_cast<float>(o.columns);
    if (pass == 2) stats[1] = sum_of_squares(x, stats[0], o.columns, x);
    if (pass == 3) normalise(o, x, stats[0], rate_of(stats[1], o.columns), x);
  }
}

void layernorm_fused(const Operands& o, int, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    const float mean = add_and_sum<false>(x, o.residual + row * o.columns, o.columns) / static_cast<float>(o.columns);
    normalise(o, x, mean, rate_of(sum_of_squares(x, mean, o.columns, next_row(o, row, end)), o.columns),
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

Sides choose(Pair pair) {
  switch (pair) {
    case Pair::chain:
      return {chain_pass, chain_fused};
    case Pair::bias_gelu:
      return {bias_gelu_pass, bias_gelu_fused};
    case Pair::softmax:
      return {softmax_pass, softmax_fused};
    case Pair::rmsnorm:
      return {rmsnorm_pass, rmsnorm_fused};
    case Pair::layernorm:
      return {layernorm_pass, layernorm_fused};
    case Pair::cross_entropy:
      break;
  }
  return {cross_entropy_pass, cross_entropy_fused};
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::fused
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::fused {

HWY_EXPORT(choose);

Sides cpu_kernels(Pair pair) {
  return HWY_DYNAMIC_DISPATCH(choose)(pair);
}

}  // namespace ridge::fused
#endif
