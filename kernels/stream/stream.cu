// The STREAM family on the GPU: grid-stride loops over 16-byte pieces, so that every warp moves whole 512-byte runs.
//
// One template for what writes, one for what reduces; the kernels are their instances. The remainder behind the last
// whole piece is less than 16 bytes and is done by the first threads of the grid, one element each.
#include <cstdint>

#include "kernels/stream/stream_kernels.hpp"

namespace {

// 16 bytes of T, (16 / sizeof(T)) elements.
template <class T>
struct alignas(16) Piece {
  static constexpr int elements = 16 / sizeof(T);
  T at[elements];
};

__device__ std::int64_t first() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::int64_t stride() {
  return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

// a[i] = f(b[i], c[i]) for arrays that f uses; the others are null and never touched.
template <bool uses_b, bool uses_c, class T, class F>
__device__ void map(const T* __restrict__ b, const T* __restrict__ c, T* __restrict__ a, std::int64_t n, F f) {
  using P = Piece<T>;
  const auto* const bs = reinterpret_cast<const P*>(b);
  const auto* const cs = reinterpret_cast<const P*>(c);
  auto* const as = reinterpret_cast<P*>(a);
  const std::int64_t pieces = n / P::elements;
#pragma unroll 4
  for (std::int64_t i = first(); i < pieces; i += stride()) {
    P x{};
    P y{};
    P result;
    if constexpr (uses_b) x = bs[i];
    if constexpr (uses_c) y = cs[i];
#pragma unroll
    for (int k = 0; k < P::elements; ++k) result.at[k] = f(x.at[k], y.at[k]);
    as[i] = result;
  }
  const std::int64_t i = pieces * P::elements + first();
  if (i < n) a[i] = f(uses_b ? b[i] : T{}, uses_c ? c[i] : T{});
}

// Combines `value` of all threads of a block; the result is the first thread's. At most 32 warps.
template <class V, class F>
__device__ V combine_block(V value, F combine) {
  __shared__ V of_warp[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warps = blockDim.x / 32;
  for (int step = 16; step > 0; step /= 2) value = combine(value, __shfl_down_sync(0xffffffffu, value, step));
  if (lane == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = lane < warps ? of_warp[lane] : V{};
    for (int step = 16; step > 0; step /= 2) value = combine(value, __shfl_down_sync(0xffffffffu, value, step));
  }
  return value;
}

template <class T>
__device__ void dot(const T* __restrict__ b, const T* __restrict__ c, double* __restrict__ partial, std::int64_t n) {
  using P = Piece<T>;
  const auto* const bs = reinterpret_cast<const P*>(b);
  const auto* const cs = reinterpret_cast<const P*>(c);
  const std::int64_t pieces = n / P::elements;
  double sum = 0;
  for (std::int64_t i = first(); i < pieces;) {
    T chain[P::elements] = {};
    for (std::int64_t terms = 0; terms < ridge::stream::dot_chain && i < pieces; ++terms, i += stride()) {
      const P x = bs[i];
      const P y = cs[i];
#pragma unroll
      for (int k = 0; k < P::elements; ++k) chain[k] += x.at[k] * y.at[k];
    }
#pragma unroll
    for (int k = 0; k < P::elements; ++k) sum += static_cast<double>(chain[k]);
  }
  const std::int64_t i = pieces * P::elements + first();
  if (i < n) sum += static_cast<double>(b[i]) * static_cast<double>(c[i]);
  sum = combine_block(sum, [](double x, double y) { return x + y; });
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__device__ std::uint64_t bits_of(float value) {
  return __float_as_uint(value);
}
__device__ std::uint64_t bits_of(double value) {
  return static_cast<std::uint64_t>(__double_as_longlong(value));
}

template <class T>
__device__ void read(const T* __restrict__ b, std::uint64_t* __restrict__ partial, std::int64_t n) {
  using P = Piece<T>;
  const auto* const bs = reinterpret_cast<const P*>(b);
  const std::int64_t pieces = n / P::elements;
  std::uint64_t bits = 0;
#pragma unroll 4
  for (std::int64_t i = first(); i < pieces; i += stride()) {
    const P x = bs[i];
#pragma unroll
    for (int k = 0; k < P::elements; ++k) bits ^= bits_of(x.at[k]);
  }
  const std::int64_t i = pieces * P::elements + first();
  if (i < n) bits ^= bits_of(b[i]);
  bits = combine_block(bits, [](std::uint64_t x, std::uint64_t y) { return x ^ y; });
  if (threadIdx.x == 0) partial[blockIdx.x] = bits;
}

}  // namespace

#define RIDGE_STREAM_KERNELS(T, suffix)                                                                               \
  extern "C" __global__ void stream_copy_##suffix(const T* b, T* a, std::int64_t n) {                                 \
    map<true, false>(b, b, a, n, [](T x, T) { return x; });                                                           \
  }                                                                                                                   \
  extern "C" __global__ void stream_scale_##suffix(const T* b, T* a, T q, std::int64_t n) {                           \
    map<true, false>(b, b, a, n, [q](T x, T) { return q * x; });                                                      \
  }                                                                                                                   \
  extern "C" __global__ void stream_add_##suffix(const T* b, const T* c, T* a, std::int64_t n) {                      \
    map<true, true>(b, c, a, n, [](T x, T y) { return x + y; });                                                      \
  }                                                                                                                   \
  extern "C" __global__ void stream_triad_##suffix(const T* b, const T* c, T* a, T q, std::int64_t n) {               \
    map<true, true>(b, c, a, n, [q](T x, T y) { return x + q * y; });                                                 \
  }                                                                                                                   \
  extern "C" __global__ void stream_write_##suffix(T* a, T q, std::int64_t n) {                                       \
    map<false, false>(static_cast<const T*>(nullptr), static_cast<const T*>(nullptr), a, n, [q](T, T) { return q; }); \
  }                                                                                                                   \
  extern "C" __global__ void stream_dot_##suffix(const T* b, const T* c, double* partial, std::int64_t n) {           \
    dot(b, c, partial, n);                                                                                            \
  }                                                                                                                   \
  extern "C" __global__ void stream_read_##suffix(const T* b, std::uint64_t* partial, std::int64_t n) {               \
    read(b, partial, n);                                                                                              \
  }                                                                                                                   \
  RIDGE_KERNEL_MATCHES(stream_copy_##suffix, ridge::stream::cuda_##suffix.copy);                                      \
  RIDGE_KERNEL_MATCHES(stream_scale_##suffix, ridge::stream::cuda_##suffix.scale);                                    \
  RIDGE_KERNEL_MATCHES(stream_add_##suffix, ridge::stream::cuda_##suffix.add);                                        \
  RIDGE_KERNEL_MATCHES(stream_triad_##suffix, ridge::stream::cuda_##suffix.triad);                                    \
  RIDGE_KERNEL_MATCHES(stream_write_##suffix, ridge::stream::cuda_##suffix.write);                                    \
  RIDGE_KERNEL_MATCHES(stream_dot_##suffix, ridge::stream::cuda_##suffix.dot);                                        \
  RIDGE_KERNEL_MATCHES(stream_read_##suffix, ridge::stream::cuda_##suffix.read)

RIDGE_STREAM_KERNELS(float, f32);
RIDGE_STREAM_KERNELS(double, f64);
