// Elementwise pairs by SIMD: chains, and bias, GELU, dropout and residual.
#include "kernels/fused/fused.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fused/elementwise_cpu.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
//
#include "kernels/fused/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ridge::fused {
namespace HWY_NAMESPACE {

template <class Tag, class W = hn::Vec<Tag>>
HWY_INLINE W gelu(Tag d, W x) {
  const auto cube = hn::Mul(hn::Mul(x, x), x);
  const auto u = hn::Mul(hn::Set(d, -2 * 0.7978845608028654F), hn::MulAdd(hn::Set(d, 0.044715F), cube, x));
  return hn::Div(x, hn::Add(hn::Set(d, 1.0F), simd::HWY_NAMESPACE::exponential(d, u)));
}

using Bits = hn::Repartition<std::uint32_t, D>;
using Words = hn::Vec<Bits>;

// Both halves of each lane's product: even lanes and odd lanes are multiplied to 64 bits, and joined again.
HWY_INLINE void multiply_wide(Words x, std::uint32_t factor, Words& high, Words& low) {
  const Bits d;
#if HWY_TARGET == HWY_SCALAR
  const std::uint64_t product = std::uint64_t{factor} * hn::GetLane(x);
  high = hn::Set(d, static_cast<std::uint32_t>(product >> 32));
  low = hn::Set(d, static_cast<std::uint32_t>(product));
#else
  const hn::Repartition<std::uint64_t, D> wide;
  const auto by = hn::Set(d, factor);
  const auto even = hn::MulEven(x, by);
  const auto odd = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, x))), by);
  high = hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(even)));
  low = hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd)), hn::BitCast(d, even));
#endif
}

// Philox for the counters (slot + lane, row, 0): random::philox says how.
HWY_INLINE void draw(std::uint64_t key, std::int64_t row, std::int64_t slot, Words& w0, Words& w1, Words& w2,
                     Words& w3) {
  const Bits d;
  const auto bits = static_cast<std::uint64_t>(row);
  auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  w0 = hn::Iota(d, static_cast<std::uint32_t>(slot));
  w1 = hn::Set(d, static_cast<std::uint32_t>(bits));
  w2 = hn::Set(d, static_cast<std::uint32_t>(bits >> 32));
  w3 = hn::Zero(d);
  for (int round = 0; round < random::philox_rounds; ++round) {
    Words left_high, left_low, right_high, right_low;
    multiply_wide(w0, random::philox_factor_0, left_high, left_low);
    multiply_wide(w2, random::philox_factor_1, right_high, right_low);
    w0 = hn::Xor(hn::Xor(right_high, w1), hn::Set(d, k0));
    w2 = hn::Xor(hn::Xor(left_high, w3), hn::Set(d, k1));
    w1 = right_low;
    w3 = left_low;
    k0 += random::philox_step_0, k1 += random::philox_step_1;
  }
}

// Calls body(tag, column, factors) for the vectors of a row, and one by one for what is left of it: 0 where an element
// is dropped, otherwise the scale.
template <class Body>
HWY_INLINE void each_with_factor(const Operands& o, std::int64_t row, const Body& body) {
  const D d;
  const Bits bits;
  const hn::CappedTag<float, 1> one;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const Dropout dropout = o.dropout;
  const auto part = [&](Words words, std::int64_t j) HWY_ATTR {
    if (j >= o.columns) return;
    const auto dropped = hn::RebindMask(d, hn::Lt(words, hn::Set(bits, dropout.below)));
    const auto factors = hn::IfThenZeroElse(dropped, hn::Set(d, dropout.scale));
    if (j + lanes <= o.columns) return body(d, j, factors);
    HWY_ALIGN float all[hn::MaxLanes(d)];
    hn::Store(factors, d, all);
    for (std::int64_t i = 0; j + i < o.columns; ++i) body(one, j + i, hn::Set(one, all[i]));
  };
  for (std::int64_t first = 0; first < o.columns; first += 4 * dropout_apart) {
    const std::int64_t end = first + dropout_apart < o.columns ? dropout_apart : o.columns - first;
    for (std::int64_t s = 0; s < end; s += lanes) {
      Words w0, w1, w2, w3;
      draw(dropout.key, row, first / 4 + s, w0, w1, w2, w3);
      part(w0, first + s), part(w1, first + s + dropout_apart);
      part(w2, first + s + 2 * dropout_apart), part(w3, first + s + 3 * dropout_apart);
    }
  }
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
    fetch_ahead(x, j, 8 * lanes, count);
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
    const auto body = [=](auto d, std::int64_t j) HWY_ATTR {
      const auto activated = gelu(d, hn::Add(hn::LoadU(d, x + j), hn::LoadU(d, bias + j)));
      hn::StoreU(hn::Add(activated, hn::LoadU(d, residual + j)), d, x + j);
    };
    each_fetching(o.columns, (end - row) * o.columns, body, x, residual);
  }
}

void bias_gelu_dropout_pass(const Operands& o, int pass, std::int64_t begin, std::int64_t end) {
  if (pass != 2) return bias_gelu_pass(o, pass == 3 ? 2 : pass, begin, end);
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    each_with_factor(o, row, [x](auto d, std::int64_t j, auto factors) HWY_ATTR {
      hn::StoreU(hn::Mul(hn::LoadU(d, x + j), factors), d, x + j);
    });
  }
}

void bias_gelu_dropout_fused(const Operands& o, int, std::int64_t begin, std::int64_t end) {
  const float* const bias = o.bias;
  for (std::int64_t row = begin; row < end; ++row) {
    float* const x = row_of(o, row);
    const float* const residual = o.residual + row * o.columns;
    const float* const next = next_row(o, row, end);
    const float* const further = next_residual(o, row, end);
    each_with_factor(o, row, [=](auto d, std::int64_t j, auto factors) HWY_ATTR {
      hwy::Prefetch(next + j);
      hwy::Prefetch(further + j);
      const auto activated = gelu(d, hn::Add(hn::LoadU(d, x + j), hn::LoadU(d, bias + j)));
      hn::StoreU(hn::MulAdd(activated, factors, hn::LoadU(d, residual + j)), d, x + j);
    });
  }
}

void relu_pass(const Operands& o, int, std::int64_t begin, std::int64_t end) {
  float* const x = row_of(o, begin);
  each((end - begin) * o.columns,
       [x](auto d, std::int64_t j) HWY_ATTR { hn::StoreU(hn::Max(hn::LoadU(d, x + j), hn::Zero(d)), d, x + j); });
}

Kernel choose_relu() {
  return relu_pass;
}

Sides choose_elementwise(Pair pair) {
  switch (pair) {
    case Pair::chain:
      return {chain_pass, chain_fused};
    case Pair::bias_gelu:
      return {bias_gelu_pass, bias_gelu_fused};
    case Pair::bias_gelu_dropout:
      return {bias_gelu_dropout_pass, bias_gelu_dropout_fused};
    default:
      return {};
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::fused
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::fused {

HWY_EXPORT(choose_elementwise);
HWY_EXPORT(choose_relu);

Sides elementwise_cpu_kernels(Pair pair) {
  return HWY_DYNAMIC_DISPATCH(choose_elementwise)(pair);
}

Kernel cpu_relu_pass() {
  return HWY_DYNAMIC_DISPATCH(choose_relu)();
}

}  // namespace ridge::fused
#endif
