// Chains of fused multiply-adds on the GPU: from traffic with an operation an element to nothing but arithmetic.
//
// A thread takes 16 bytes at a time: two chains of f64, four of f32 or of pairs of 16-bit numbers, and has the next 16
// bytes under way while it multiplies. Long chains go 64 steps at a time, so that counting takes one issue slot in a
// hundred; the compiler's own remainder of such a loop would compare before every step.
#include <cstdint>

#include "kernels/roofline/chain.hpp"
#include "kernels/roofline/chain_kernels.hpp"

namespace {

template <class T>
struct alignas(16) Piece {
  static constexpr int elements = 16 / sizeof(T);
  T at[elements];
};

__device__ float fused(float m, float x, float c) {
  return __fmaf_rn(m, x, c);
}
__device__ double fused(double m, double x, double c) {
  return __fma_rn(m, x, c);
}
__device__ float product(float m, float x) {
  return __fmul_rn(m, x);
}
__device__ double product(double m, double x) {
  return __dmul_rn(m, x);
}

// `count` steps of all chains of a piece, as long as there are so many left.
template <int count, class P, class Step>
__device__ void steps_of(P& x, std::int32_t& left, Step step) {
#pragma unroll 1
  for (; left >= count; left -= count) {
#pragma unroll
    for (int s = 0; s < count; ++s) {
#pragma unroll
      for (int k = 0; k < P::elements; ++k) x.at[k] = step(x.at[k]);
    }
  }
}

// out[i] = step^steps(in[i]), or once(in[i]) where there are none.
template <class T, class Step, class Once>
__device__ void chain(const T* __restrict__ in, T* __restrict__ out, std::int64_t n, std::int32_t steps, Step step,
                      Once once) {
  using P = Piece<T>;
  const auto* const from = reinterpret_cast<const P*>(in);
  auto* const to = reinterpret_cast<P*>(out);
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t pieces = n / P::elements;
  std::int64_t i = first;
  P next{};
  if (i < pieces) next = from[i];
#pragma unroll 1
  while (i < pieces) {
    P x = next;
    const std::int64_t then = i + stride;
    if (then < pieces) next = from[then];
    if (steps == 0) {
#pragma unroll
      for (int k = 0; k < P::elements; ++k) x.at[k] = once(x.at[k]);
    } else {
      std::int32_t left = steps;
      steps_of<64>(x, left, step);
      steps_of<8>(x, left, step);
      steps_of<1>(x, left, step);
    }
    to[i] = x;
    i = then;
  }
  i = pieces * P::elements + first;
  if (i >= n) return;
  T x = in[i];
  if (steps == 0) x = once(x);
#pragma unroll 1
  for (std::int32_t s = 0; s < steps; ++s) x = step(x);
  out[i] = x;
}

// The instruction itself: from an operator the compiler might make two of other widths.
__device__ std::uint32_t square_add_f16x2(std::uint32_t x) {
  asm("fma.rn.f16x2 %0, %0, %0, %1;" : "+r"(x) : "r"(ridge::roofline::quadratic_f16));
  return x;
}
__device__ std::uint32_t square_add_bf16x2(std::uint32_t x) {
  asm("fma.rn.bf16x2 %0, %0, %0, %1;" : "+r"(x) : "r"(ridge::roofline::quadratic_bf16));
  return x;
}

template <class T>
__device__ void plain_chain(const T* in, T* out, std::int64_t n, std::int32_t steps) {
  constexpr T m = ridge::roofline::factor<T>;
  constexpr T c = ridge::roofline::summand<T>;
  chain(
      in, out, n, steps, [](T x) { return fused(m, x, c); }, [](T x) { return product(m, x); });
}

__device__ std::uint32_t unchanged(std::uint32_t x) {
  return x;
}

}  // namespace

extern "C" __global__ void chain_f32(const float* in, float* out, std::int64_t n, std::int32_t steps) {
  plain_chain(in, out, n, steps);
}
RIDGE_KERNEL_MATCHES(chain_f32, ridge::roofline::cuda_chain_f32);

extern "C" __global__ void chain_f64(const double* in, double* out, std::int64_t n, std::int32_t steps) {
  plain_chain(in, out, n, steps);
}
RIDGE_KERNEL_MATCHES(chain_f64, ridge::roofline::cuda_chain_f64);

extern "C" __global__ void chain_f16x2(const std::uint32_t* in, std::uint32_t* out, std::int64_t n,
                                       std::int32_t steps) {
  chain(in, out, n, steps, square_add_f16x2, unchanged);
}
RIDGE_KERNEL_MATCHES(chain_f16x2, ridge::roofline::cuda_chain_f16x2);

extern "C" __global__ void chain_bf16x2(const std::uint32_t* in, std::uint32_t* out, std::int64_t n,
                                        std::int32_t steps) {
  chain(in, out, n, steps, square_add_bf16x2, unchanged);
}
RIDGE_KERNEL_MATCHES(chain_bf16x2, ridge::roofline::cuda_chain_bf16x2);
