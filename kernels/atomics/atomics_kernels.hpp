// The contract of the CUDA kernels of atomics.cu; atomics.hpp says what they compute.
#pragma once

#include <cstdint>

#include "kernels/atomics/atomics.hpp"
#include "kernels/device/cuda/kernel.hpp"

// Any number of blocks of `threads` threads, together below 2^31.
//
//   add   (counters, sharing, apart, times, found)   thread t adds 1 to counters[t / sharing · apart] `times` times;
//                                                    found (threads of the grid): what it found there, added up
//   shared(sharing, times, found, counters)          the same on shared memory, where each block has threads / sharing
//                                                    counters side by side, all beginning at 0; sharing divides
//                                                    `threads`. counters (threads of the grid): each block's `threads`
//                                                    words at the end, of which those that nobody counts on are 0
namespace ridge::atomics {

inline constexpr unsigned threads = 256;  // of a block

inline constexpr device::cuda::Kernel<std::uint32_t*, unsigned, unsigned, int, std::uint64_t*> cuda_add{"atomics_add"};
inline constexpr device::cuda::Kernel<unsigned, int, std::uint64_t*, std::uint32_t*> cuda_shared{"atomics_shared"};

}  // namespace ridge::atomics
