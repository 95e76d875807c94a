// What the SIMD kernels of this folder share, compiled once for each instruction set: loops over a row, results joined
// over one, where rows lie.
#if defined(RIDGE_FUSED_SIMD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef RIDGE_FUSED_SIMD_INL
#undef RIDGE_FUSED_SIMD_INL
#else
#define RIDGE_FUSED_SIMD_INL
#endif

#include <algorithm>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernels/fused/fused.hpp"
//
#include "kernels/simd/exp-inl.hpp"

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

// How far ahead a loop asks for what memory holds, in elements, where its arithmetic is long: of such a loop the
// instructions that a core has under way reach a few lines only, and the processor's own prefetcher ends with the page.
inline constexpr std::int64_t fetch_distance = 512;
inline constexpr std::int64_t floats_a_line = 16;

// Asks for the `step` elements that a loop at place j comes to so much later; nothing beyond `count` elements.
HWY_INLINE void fetch_ahead(const float* x, std::int64_t j, std::int64_t step, std::int64_t count) {
  const float* const later = x + std::min(j + fetch_distance, count - step);
  for (std::int64_t i = 0; i < step; i += floats_a_line) hwy::Prefetch(later + i);
}

// As each(), and asks for what comes later of all of `arrays`, which go on for `left` elements.
template <class Body, class... Arrays>
HWY_INLINE void each_fetching(std::int64_t columns, std::int64_t left, const Body& body, const Arrays*... arrays) {
  const D d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t step = std::max(lanes, floats_a_line);
  std::int64_t j = 0;
  for (; j + step <= columns; j += step) {
    (fetch_ahead(arrays, j, step, left), ...);
    for (std::int64_t i = 0; i < step; i += lanes) body(d, j + i);
  }
  each(columns - j, [&body, j](auto tag, std::int64_t i) HWY_ATTR { body(tag, j + i); });
}

HWY_INLINE void add(float* x, const float* other, std::int64_t columns) {
  each(columns, [x, other](auto d, std::int64_t j)
                    HWY_ATTR { hn::StoreU(hn::Add(hn::LoadU(d, x + j), hn::LoadU(d, other + j)), d, x + j); });
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::fused
HWY_AFTER_NAMESPACE();

#endif
