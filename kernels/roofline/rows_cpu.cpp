// Matrix times vector by SIMD: four dense rows at once share each piece of x; sparse rows gather x.
#include "kernels/roofline/rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/roofline/rows_cpu.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ridge::roofline {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class T = hn::TFromD<D>>
HWY_INLINE T total(D d, hn::Vec<D> a, hn::Vec<D> b) {
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(a, b)));
}

template <class T>
HWY_INLINE void dense_row(const Dense<T>& o, std::int64_t row) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const T* const a = o.a + row * o.columns;
  auto s0 = hn::Zero(d), s1 = s0;
  std::int64_t j = 0;
  for (; j + 2 * lanes <= o.columns; j += 2 * lanes) {
    s0 = hn::MulAdd(hn::LoadU(d, a + j), hn::LoadU(d, o.x + j), s0);
    s1 = hn::MulAdd(hn::LoadU(d, a + j + lanes), hn::LoadU(d, o.x + j + lanes), s1);
  }
  T sum = total(d, s0, s1);
  for (; j < o.columns; ++j) sum += a[j] * o.x[j];
  o.y[row] = sum;
}

template <class T>
HWY_INLINE void four_dense_rows(const Dense<T>& o, std::int64_t row) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const T* const a0 = o.a + row * o.columns;
  const T* const a1 = a0 + o.columns;
  const T* const a2 = a1 + o.columns;
  const T* const a3 = a2 + o.columns;
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, t0 = s0, t1 = s0, t2 = s0, t3 = s0;
  std::int64_t j = 0;
  for (; j + 2 * lanes <= o.columns; j += 2 * lanes) {
    const auto x = hn::LoadU(d, o.x + j);
    const auto z = hn::LoadU(d, o.x + j + lanes);
    s0 = hn::MulAdd(hn::LoadU(d, a0 + j), x, s0), t0 = hn::MulAdd(hn::LoadU(d, a0 + j + lanes), z, t0);
    s1 = hn::MulAdd(hn::LoadU(d, a1 + j), x, s1), t1 = hn::MulAdd(hn::LoadU(d, a1 + j + lanes), z, t1);
    s2 = hn::MulAdd(hn::LoadU(d, a2 + j), x, s2), t2 = hn::MulAdd(hn::LoadU(d, a2 + j + lanes), z, t2);
    s3 = hn::MulAdd(hn::LoadU(d, a3 + j), x, s3), t3 = hn::MulAdd(hn::LoadU(d, a3 + j + lanes), z, t3);
  }
  T r0 = total(d, s0, t0), r1 = total(d, s1, t1), r2 = total(d, s2, t2), r3 = total(d, s3, t3);
  for (; j < o.columns; ++j) r0 += a0[j] * o.x[j], r1 += a1[j] * o.x[j], r2 += a2[j] * o.x[j], r3 += a3[j] * o.x[j];
  o.y[row] = r0, o.y[row + 1] = r1, o.y[row + 2] = r2, o.y[row + 3] = r3;
}

template <class T>
void gemv(const Dense<T>& operands, std::int64_t begin, std::int64_t end) {
  const Dense<T> o = operands;
  std::int64_t row = begin;
  for (; row + 4 <= end; row += 4) four_dense_rows(o, row);
  for (; row < end; ++row) dense_row(o, row);
}

// The columns of the next entries, in lanes as wide as the values.
template <class D>
HWY_INLINE hn::Vec<hn::RebindToSigned<D>> lanes_of(D, const std::int32_t* columns) {
  const hn::RebindToSigned<D> wide;
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    return hn::LoadU(wide, columns);
  } else {
    return hn::PromoteTo(wide, hn::LoadU(hn::Rebind<std::int32_t, D>(), columns));
  }
}

template <class T>
void spmv(const Sparse<T>& operands, std::int64_t begin, std::int64_t end) {
  const Sparse<T> o = operands;
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t stop = o.starts[row + 1];
    std::int64_t k = o.starts[row];
    auto s0 = hn::Zero(d), s1 = s0;
    for (; k + 2 * lanes <= stop; k += 2 * lanes) {
      s0 = hn::MulAdd(hn::LoadU(d, o.values + k), hn::GatherIndex(d, o.x, lanes_of(d, o.columns + k)), s0);
      s1 = hn::MulAdd(hn::LoadU(d, o.values + k + lanes), hn::GatherIndex(d, o.x, lanes_of(d, o.columns + k + lanes)),
                      s1);
    }
    T sum = total(d, s0, s1);
    for (; k < stop; ++k) sum += o.values[k] * o.x[o.columns[k]];
    o.y[row] = sum;
  }
}

DenseKernel<float> gemv_f32() {
  return gemv<float>;
}
DenseKernel<double> gemv_f64() {
  return gemv<double>;
}
SparseKernel<float> spmv_f32() {
  return spmv<float>;
}
SparseKernel<double> spmv_f64() {
  return spmv<double>;
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::roofline
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::roofline {

HWY_EXPORT(gemv_f32);
HWY_EXPORT(gemv_f64);
HWY_EXPORT(spmv_f32);
HWY_EXPORT(spmv_f64);

template <>
DenseKernel<float> gemv_kernel<float>() {
  return HWY_DYNAMIC_DISPATCH(gemv_f32)();
}
template <>
DenseKernel<double> gemv_kernel<double>() {
  return HWY_DYNAMIC_DISPATCH(gemv_f64)();
}
template <>
SparseKernel<float> spmv_kernel<float>() {
  return HWY_DYNAMIC_DISPATCH(spmv_f32)();
}
template <>
SparseKernel<double> spmv_kernel<double>() {
  return HWY_DYNAMIC_DISPATCH(spmv_f64)();
}

}  // namespace ridge::roofline
#endif
