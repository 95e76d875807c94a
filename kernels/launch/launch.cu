// Kernels that do nothing unless they are checked, and one that does the steps of a small computation.
#include "kernels/launch/launch_kernels.hpp"

// `m` of 7, 8, 15, 63 or 511 numbers, with commas between them.
#define RIDGE_7(m, p) m(p##0), m(p##1), m(p##2), m(p##3), m(p##4), m(p##5), m(p##6)
#define RIDGE_8(m, p) RIDGE_7(m, p), m(p##7)
#define RIDGE_15(m, p) RIDGE_8(m, p##0), RIDGE_7(m, p##1)
#define RIDGE_56(m, p)                                                                                        \
  RIDGE_8(m, p##0), RIDGE_8(m, p##1), RIDGE_8(m, p##2), RIDGE_8(m, p##3), RIDGE_8(m, p##4), RIDGE_8(m, p##5), \
      RIDGE_8(m, p##6)
#define RIDGE_64(m, p) RIDGE_56(m, p), RIDGE_8(m, p##7)
#define RIDGE_63(m, p) RIDGE_56(m, p), RIDGE_7(m, p##7)
#define RIDGE_511(m, p)                                                                                             \
  RIDGE_64(m, p##0), RIDGE_64(m, p##1), RIDGE_64(m, p##2), RIDGE_64(m, p##3), RIDGE_64(m, p##4), RIDGE_64(m, p##5), \
      RIDGE_64(m, p##6), RIDGE_63(m, p##7)
#define RIDGE_PARAMETER(i) std::uint64_t a##i
#define RIDGE_NAME(i) a##i

namespace {

template <class... Arguments>
__device__ void check(std::uint64_t* word, Arguments... arguments) {
  if (word == nullptr) return;
  std::uint64_t digest = ridge::launch::digest_of_none;
  ((digest = ridge::launch::mix(digest, arguments)), ...);
  *word += digest;
}

}  // namespace

extern "C" __global__ void launch_arguments_1(std::uint64_t* word) {
  check(word);
}
RIDGE_KERNEL_MATCHES(launch_arguments_1, ridge::launch::arguments_1);

#define RIDGE_LAUNCH_KERNEL(arguments, others)                                                                      \
  extern "C" __global__ void launch_arguments_##arguments(std::uint64_t* word, RIDGE_##others(RIDGE_PARAMETER, )) { \
    check(word, RIDGE_##others(RIDGE_NAME, ));                                                                      \
  }                                                                                                                 \
  RIDGE_KERNEL_MATCHES(launch_arguments_##arguments, ridge::launch::arguments_##arguments)

RIDGE_LAUNCH_KERNEL(16, 15);
RIDGE_LAUNCH_KERNEL(64, 63);
RIDGE_LAUNCH_KERNEL(512, 511);

extern "C" __global__ __launch_bounds__(ridge::launch::step_threads) void launch_steps(float* even, float* odd,
                                                                                       int first, int count) {
  constexpr unsigned elements = ridge::launch::step_elements, threads = ridge::launch::step_threads;
  const auto begin = static_cast<unsigned>(first), end = begin + static_cast<unsigned>(count);
#pragma unroll 1
  for (unsigned s = begin; s < end; ++s) {
    const float* const from = s % 2 == 0 ? even : odd;
    float* const to = s % 2 == 0 ? odd : even;
#pragma unroll
    for (unsigned part = 0; part < elements / threads; ++part) {
      const unsigned i = threadIdx.x + part * threads;
      to[i] = ridge::launch::stepped(from[i], from[(i + 1) % elements]);
    }
    __syncthreads();
  }
}
RIDGE_KERNEL_MATCHES(launch_steps, ridge::launch::steps);
