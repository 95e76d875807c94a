// The contract of the CUDA kernels that chain multiply-adds; chain.cu holds them, chain.hpp says what the plain ones
// compute.
#pragma once

#include <cstdint>

#include "kernels/device/cuda/kernel.hpp"

// All arrays begin at multiples of 16 bytes and do not overlap; n ≥ 0. Any number of blocks, of any number of threads.
// Each element is read once and written once, 16 bytes at a time but for a remainder of less than 16 bytes.
//
//   chain_f32, chain_f64 (in, out, n, steps)     out[i] = f(f(… f(in[i]) …)), f(x) = m·x + c, `steps` times; m·x for 0
//   chain_f16x2, chain_bf16x2 (in, out, n, steps)
//      n pairs of 16-bit numbers, the first in the low half. Each number x becomes g(g(… g(x) …)), g(x) = x·x + c,
//      `steps` times, by fma.rn.f16x2 or fma.rn.bf16x2: each step rounded once. 16-bit numbers have no room for a long
//      linear chain; this map stays within ±1.9 from there and comes to no rest, so that one step more or less shows.
namespace ridge::roofline {

inline constexpr unsigned chain_threads = 256;

// −1.890625, in either type: 242/128.
inline constexpr std::uint32_t quadratic_f16 = 0xBF90BF90U;
inline constexpr std::uint32_t quadratic_bf16 = 0xBFF2BFF2U;

template <class T>
using CudaChain = device::cuda::Kernel<const T*, T*, std::int64_t, std::int32_t>;

inline constexpr CudaChain<float> cuda_chain_f32{"chain_f32"};
inline constexpr CudaChain<double> cuda_chain_f64{"chain_f64"};
inline constexpr CudaChain<std::uint32_t> cuda_chain_f16x2{"chain_f16x2"};
inline constexpr CudaChain<std::uint32_t> cuda_chain_bf16x2{"chain_bf16x2"};

}  // namespace ridge::roofline
