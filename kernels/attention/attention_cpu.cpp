// Both forms by SIMD: a tile of six queries by two vectors in twelve accumulators, as in the blocked matrix product,
// but its left operand is read where it lies: a score is used for `head` products only, too few to pay for packing it.
#include "kernels/attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention/attention_cpu.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
//
#include "kernels/simd/exp-inl.hpp"

#ifndef RIDGE_ATTENTION_TILES
#define RIDGE_ATTENTION_TILES
namespace ridge::attention {
inline constexpr std::int64_t tile_rows = 6;
static_assert(query_block % tile_rows == 0 && key_block % head_unit == 0 && most_head % head_unit == 0);

// A thread's workspace by its parts.
struct Workspace {
  float* queries;  // (query_block, head), scaled by 1/√head
  float* sums;     // (query_block, head)
  float* scores;   // (query_block, key_block)
  float* max;      // (query_block)
  float* total;    // (query_block): Σ exp
};
inline Workspace parts_of(float* at, std::int64_t head) {
  Workspace w{};
  w.queries = at;
  w.sums = w.queries + query_block * head;
  w.scores = w.sums + query_block * head;
  w.max = w.scores + query_block * key_block;
  w.total = w.max + query_block;
  return w;
}
}  // namespace ridge::attention
#endif

HWY_BEFORE_NAMESPACE();
namespace ridge::attention {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;

HWY_INLINE std::int64_t vector_lanes() {
  return static_cast<std::int64_t>(hn::Lanes(Floats()));
}
HWY_INLINE std::int64_t sliver_width() {
  return 2 * vector_lanes();
}

// c (6, 2 vectors) = or += a (6, depth) · b (depth, 2 vectors), b packed.
template <bool add>
HWY_INLINE void multiply(const float* HWY_RESTRICT a, std::int64_t a_stride, const float* HWY_RESTRICT b,
                         std::int64_t depth, float* HWY_RESTRICT c, std::int64_t c_stride) {
  const Floats d;
  const std::int64_t lanes = vector_lanes();
  auto c00 = hn::Zero(d), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00;
  auto c30 = c00, c31 = c00, c40 = c00, c41 = c00, c50 = c00, c51 = c00;
  for (std::int64_t r = 0; r < tile_rows; ++r) hwy::Prefetch(c + r * c_stride);
  const float* const a1 = a + a_stride;
  const float* const a2 = a1 + a_stride;
  const float* const a3 = a2 + a_stride;
  const float* const a4 = a3 + a_stride;
  const float* const a5 = a4 + a_stride;
  for (std::int64_t l = 0; l < depth; ++l, b += 2 * lanes) {
    const auto b0 = hn::LoadU(d, b);
    const auto b1 = hn::LoadU(d, b + lanes);
    auto x = hn::Set(d, a[l]);
    c00 = hn::MulAdd(x, b0, c00), c01 = hn::MulAdd(x, b1, c01);
    x = hn::Set(d, a1[l]);
    c10 = hn::MulAdd(x, b0, c10), c11 = hn::MulAdd(x, b1, c11);
    x = hn::Set(d, a2[l]);
    c20 = hn::MulAdd(x, b0, c20), c21 = hn::MulAdd(x, b1, c21);
    x = hn::Set(d, a3[l]);
    c30 = hn::MulAdd(x, b0, c30), c31 = hn::MulAdd(x, b1, c31);
    x = hn::Set(d, a4[l]);
    c40 = hn::MulAdd(x, b0, c40), c41 = hn::MulAdd(x, b1, c41);
    x = hn::Set(d, a5[l]);
    c50 = hn::MulAdd(x, b0, c50), c51 = hn::MulAdd(x, b1, c51);
  }
  const auto row = [&](std::int64_t r, Vector left, Vector right) HWY_ATTR {
    float* const at = c + r * c_stride;
    hn::StoreU(add ? hn::Add(hn::LoadU(d, at), left) : left, d, at);
    hn::StoreU(add ? hn::Add(hn::LoadU(d, at + lanes), right) : right, d, at + lanes);
  };
  row(0, c00, c01), row(1, c10, c11), row(2, c20, c21), row(3, c30, c31), row(4, c40, c41), row(5, c50, c51);
}

// The next function's two operands: where a head's block of keys or values is packed.
HWY_INLINE std::int64_t packed_at(const Shape& shape, std::int64_t head, std::int64_t block) {
  return (head * key_blocks(shape) + block) * key_block * shape.head;
}

// keys: (key_block / width, head, width), values: (head / width, key_block, width); beyond the last key zeroes.
void pack(const Shape& shape, const Operands& o, std::int64_t head, std::int64_t block) {
  const std::int64_t width = sliver_width(), first = block * key_block;
  const std::int64_t count = std::min(key_block, shape.sequence - first);
  const float* const k = o.k + (head * shape.sequence + first) * shape.head;
  const float* const v = o.v + (head * shape.sequence + first) * shape.head;
  float* keys = o.keys + packed_at(shape, head, block);
  float* values = o.values + packed_at(shape, head, block);
  for (std::int64_t j = 0; j < key_block; j += width)
    for (std::int64_t l = 0; l < shape.head; ++l, keys += width)
      for (std::int64_t s = 0; s < width; ++s) keys[s] = j + s < count ? k[(j + s) * shape.head + l] : 0;
  for (std::int64_t l = 0; l < shape.head; l += width)
    for (std::int64_t j = 0; j < key_block; ++j, values += width)
      for (std::int64_t s = 0; s < width; ++s) values[s] = j < count ? v[j * shape.head + l + s] : 0;
}

// A block's queries by 1/√head; beyond the last query zeroes, so that tiles are whole.
HWY_INLINE std::int64_t load_queries(const Shape& shape, const Operands& o, const Workspace& w, std::int64_t head,
                                     std::int64_t block) {
  const std::int64_t first = block * query_block;
  const std::int64_t rows = std::min(query_block, shape.sequence - first);
  const float* const q = o.q + (head * shape.sequence + first) * shape.head;
  const float scale = 1 / std::sqrt(static_cast<float>(shape.head));
  for (std::int64_t i = 0; i < rows * shape.head; ++i) w.queries[i] = q[i] * scale;
  std::memset(w.queries + rows * shape.head, 0, static_cast<std::size_t>((query_block - rows) * shape.head) * 4);
  return rows;
}

// Of a row of scores, `columns` of them, whole vectors.
HWY_INLINE float largest_score(const float* s, std::int64_t columns) {
  const Floats d;
  const std::int64_t lanes = vector_lanes();
  auto m0 = hn::LoadU(d, s), m1 = hn::LoadU(d, s + lanes);
  for (std::int64_t j = 2 * lanes; j < columns; j += 2 * lanes) {
    m0 = hn::Max(m0, hn::LoadU(d, s + j));
    m1 = hn::Max(m1, hn::LoadU(d, s + j + lanes));
  }
  return hn::GetLane(hn::MaxOfLanes(d, hn::Max(m0, m1)));
}

// s = exp(s − max); answers their sum.
HWY_INLINE float take_exponentials(float* s, std::int64_t columns, float max) {
  const Floats d;
  const std::int64_t lanes = vector_lanes();
  const auto less = hn::Set(d, max);
  auto sum0 = hn::Zero(d), sum1 = sum0;
  for (std::int64_t j = 0; j < columns; j += 2 * lanes) {
    const auto e0 = simd::HWY_NAMESPACE::exponential(d, hn::Sub(hn::LoadU(d, s + j), less));
    const auto e1 = simd::HWY_NAMESPACE::exponential(d, hn::Sub(hn::LoadU(d, s + j + lanes), less));
    hn::StoreU(e0, d, s + j);
    hn::StoreU(e1, d, s + j + lanes);
    sum0 = hn::Add(sum0, e0);
    sum1 = hn::Add(sum1, e1);
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
}

HWY_INLINE void scale_row(const float* from, float* to, std::int64_t columns, float by) {
  const Floats d;
  const std::int64_t lanes = vector_lanes();
  for (std::int64_t j = 0; j < columns; j += lanes)
    hn::StoreU(hn::Mul(hn::LoadU(d, from + j), hn::Set(d, by)), d, to + j);
}

// Keys that query `row` of the block sees.
HWY_INLINE std::int64_t seen_by(const Shape& shape, std::int64_t block, std::int64_t row) {
  return shape.causal ? block * query_block + row + 1 : shape.sequence;
}

// What a block of keys adds to a row: its scores become weights. False where the row sees none of these keys.
HWY_INLINE void weigh(const Workspace& w, std::int64_t row, std::int64_t seen, std::int64_t columns,
                      std::int64_t head) {
  float* const s = w.scores + row * key_block;
  if (seen <= 0) {
    std::memset(s, 0, static_cast<std::size_t>(columns) * 4);
    return;
  }
  for (std::int64_t j = seen; j < columns; ++j) s[j] = -HUGE_VALF;
  const float max = std::max(w.max[row], largest_score(s, columns));
  const float keep = std::exp(w.max[row] - max);
  w.total[row] = w.total[row] * keep + take_exponentials(s, columns, max);
  if (keep != 1) scale_row(w.sums + row * head, w.sums + row * head, head, keep);
  w.max[row] = max;
}

// sums (query_block, head) += weights (query_block, keys) · a packed block of values. `ahead`, where not null: as far
// behind the weights, what the next call reads: it is fetched meanwhile.
HWY_INLINE void add_values(const float* weights, std::int64_t stride, const float* values, std::int64_t keys,
                           std::int64_t rows, float* sums, std::int64_t head, const float* ahead) {
  constexpr std::int64_t line = 16;
  const std::int64_t width = sliver_width();
  for (std::int64_t l = 0; l < head; l += width)
    for (std::int64_t r = 0; r < rows; r += tile_rows) {
      if (ahead != nullptr)
        for (std::int64_t at = l / width * line; at < key_block; at += head / width * line)
          for (std::int64_t i = r; i < r + tile_rows; ++i) hwy::Prefetch(ahead + i * stride + at);
      multiply<true>(weights + r * stride, stride, values + l * key_block, keys, sums + r * head + l, head);
    }
}

HWY_INLINE float* rows_of(const Shape& shape, const Operands& o, std::int64_t head, std::int64_t block) {
  return o.out + (head * shape.sequence + block * query_block) * shape.head;
}

void tiled(const Shape& shape, const Operands& o, float* workspace, std::int64_t head, std::int64_t block) {
  const Workspace w = parts_of(workspace, shape.head);
  const std::int64_t rows = load_queries(shape, o, w, head, block), width = sliver_width();
  std::memset(w.sums, 0, static_cast<std::size_t>(query_block * shape.head) * 4);
  for (std::int64_t r = 0; r < query_block; ++r) w.max[r] = -HUGE_VALF, w.total[r] = 0;
  const std::int64_t end = keys_seen(shape, block);
  for (std::int64_t first = 0; first < end; first += key_block) {
    const std::int64_t keys = std::min(key_block, end - first);
    const std::int64_t columns = (keys + width - 1) / width * width;
    const std::int64_t at = packed_at(shape, head, first / key_block);
    for (std::int64_t j = 0; j < columns; j += width)
      for (std::int64_t r = 0; r < rows; r += tile_rows)
        multiply<false>(w.queries + r * shape.head, shape.head, o.keys + at + j * shape.head, shape.head,
                        w.scores + r * key_block + j, key_block);
    for (std::int64_t r = 0; r < rows; ++r)
      weigh(w, r, std::min(keys, seen_by(shape, block, r) - first), columns, shape.head);
    add_values(w.scores, key_block, o.values + at, keys, rows, w.sums, shape.head, nullptr);
  }
  for (std::int64_t r = 0; r < rows; ++r)
    scale_row(w.sums + r * shape.head, rows_of(shape, o, head, block) + r * shape.head, shape.head, 1 / w.total[r]);
}

HWY_INLINE float* scores_of(const Shape& shape, const Operands& o, std::int64_t head, std::int64_t block) {
  return o.scores + (head * query_blocks(shape) + block) * query_block * score_columns(shape);
}

void scores(const Shape& shape, const Operands& o, float* workspace, std::int64_t head, std::int64_t block) {
  const Workspace w = parts_of(workspace, shape.head);
  const std::int64_t rows = load_queries(shape, o, w, head, block), width = sliver_width();
  const std::int64_t stride = score_columns(shape), end = keys_seen(shape, block);
  float* const to = scores_of(shape, o, head, block);
  for (std::int64_t j = 0; j < end; j += width) {
    const float* const keys = o.keys + packed_at(shape, head, j / key_block) + j % key_block * shape.head;
    for (std::int64_t r = 0; r < rows; r += tile_rows)
      multiply<false>(w.queries + r * shape.head, shape.head, keys, shape.head, to + r * stride + j, stride);
  }
}

void softmax(const Shape& shape, const Operands& o, float*, std::int64_t head, std::int64_t block) {
  const std::int64_t width = sliver_width(), stride = score_columns(shape), end = keys_seen(shape, block);
  const std::int64_t columns = (end + width - 1) / width * width;
  const std::int64_t rows = std::min(query_block, shape.sequence - block * query_block);
  for (std::int64_t r = 0; r < rows; ++r) {
    float* const s = scores_of(shape, o, head, block) + r * stride;
    for (std::int64_t j = seen_by(shape, block, r); j < columns; ++j) s[j] = -HUGE_VALF;
    const float sum = take_exponentials(s, columns, largest_score(s, columns));
    scale_row(s, s, columns, 1 / sum);
  }
}

void values(const Shape& shape, const Operands& o, float* workspace, std::int64_t head, std::int64_t block) {
  const Workspace w = parts_of(workspace, shape.head);
  const std::int64_t stride = score_columns(shape), end = keys_seen(shape, block);
  const std::int64_t rows = std::min(query_block, shape.sequence - block * query_block);
  const float* const weights = scores_of(shape, o, head, block);
  std::memset(w.sums, 0, static_cast<std::size_t>(query_block * shape.head) * 4);
  for (std::int64_t first = 0; first < end; first += key_block) {
    const std::int64_t next = first + key_block;
    add_values(weights + first, stride, o.values + packed_at(shape, head, first / key_block),
               std::min(key_block, end - first), rows, w.sums, shape.head, next < end ? weights + next : nullptr);
  }
  std::memcpy(rows_of(shape, o, head, block), w.sums, static_cast<std::size_t>(rows * shape.head) * 4);
}

Kernels choose_attention() {
  return {pack, tiled, scores, softmax, values};
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::attention
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::attention {

HWY_EXPORT(choose_attention);

Kernels cpu_kernels() {
  return HWY_DYNAMIC_DISPATCH(choose_attention)();
}

}  // namespace ridge::attention
#endif
