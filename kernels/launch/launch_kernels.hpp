// The contract of the CUDA kernels of launch.cu; launch.hpp says what they compute.
#pragma once

#include <cstdint>
#include <utility>

#include "kernels/device/cuda/kernel.hpp"
#include "kernels/launch/launch.hpp"

// steps (even, odd, first, count)
//   One block of step_threads threads: steps first … first + count - 1; step s reads `even` and writes `odd` where s is
//   even, and the other way round where it is odd: to[i] = stepped(from[i], from[i + 1]), the last one with from[0].
//
// arguments_N (word, argument 1, …, argument N - 1), N = 1, 16, 64, 512
//   One block of one thread, launches one after the other: the word is read and written without care for others.
namespace ridge::launch {

template <std::size_t>
struct Argument {
  using Type = std::uint64_t;
};
template <class Others>
struct Taking;
template <std::size_t... I>
struct Taking<std::index_sequence<I...>> {
  using Kernel = device::cuda::Kernel<std::uint64_t*, typename Argument<I>::Type...>;
};
template <std::size_t count>
using CudaKernel = typename Taking<std::make_index_sequence<count - 1>>::Kernel;

inline constexpr CudaKernel<1> arguments_1{"launch_arguments_1"};
inline constexpr CudaKernel<16> arguments_16{"launch_arguments_16"};
inline constexpr CudaKernel<64> arguments_64{"launch_arguments_64"};
inline constexpr CudaKernel<512> arguments_512{"launch_arguments_512"};

inline constexpr device::cuda::Kernel<float*, float*, int, int> steps{"launch_steps"};

// The kernel's name; null for a number of arguments that there is none for.
constexpr const char* kernel_name(std::int64_t arguments) {
  return arguments == 1     ? arguments_1.name
         : arguments == 16  ? arguments_16.name
         : arguments == 64  ? arguments_64.name
         : arguments == 512 ? arguments_512.name
                            : nullptr;
}

}  // namespace ridge::launch
