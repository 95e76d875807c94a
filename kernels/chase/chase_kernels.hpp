// The contract of the CUDA kernels that take a GPU's memory apart; chase.cu holds them.
#pragma once

#include <cstdint>

#include "kernels/device/cuda/kernel.hpp"

// chase_device (lines, warmed, hops, at)
//   One block of one warp. `lines` are cuda_line_bytes apart, each beginning with the device address of the next on the
//   cycle. First the warp reads the addresses in lines [0, warmed) (so that a launch, which begins with an empty first
//   level, does not time its filling); then its first lane follows `hops` links from the line whose address is in at[0]
//   and leaves there the address that it got to.
//
// chase_shared (next, words, hops, at)
//   One block of one warp. next (words) of u32 holds byte offsets, multiples of 4 below 4·words, of one cycle; words ≤
//   shared_words. The warp copies it to shared memory; its first lane follows `hops` links from offset at[0] and leaves
//   there the offset it got to.
//
// read_shared (words, passes, partial)
//   Any number of blocks of shared_threads threads. Each block fills words ≤ shared_words of its shared memory, a
//   multiple of 4, with x ^ x >> 15, x = (index + 1) · shared_factor (not linear, or a sum of the wrong words could be
//   right), and adds up all of it `passes` times, 16 bytes a thread at a time.
//   partial (blocks) of u32: each block's sum, modulo 2^32.
//
// read_in_flight_L (data, windows, rounds, partial), L = 1, 2, 4
//   Any number of blocks of a multiple of 32 threads. In each round, a thread reads L pieces of 16 bytes by loads that
//   do not wait for each other, and needs them all before it goes on to the next round. A grid of t threads reads a
//   window of t·L pieces in each round, load l of thread i the piece l·t + i, and begins anew behind the last of
//   `windows`. partial (blocks) of u64: each block's sum of the low and high halves of its pieces, modulo 2^64.
namespace ridge::chase {

// A first-level line on every GPU so far; lines in memory are moved in sectors of 32 bytes, of which each link touches
// one.
inline constexpr std::int64_t cuda_line_bytes = 128;
// 32 KiB: a block may have 48 KiB without asking for more, and several blocks are to fit beside each other.
inline constexpr std::int64_t shared_words = 8192;
inline constexpr unsigned shared_threads = 256;

inline constexpr std::uint32_t shared_factor = 0x9E3779B1U;

inline constexpr device::cuda::Kernel<const std::uint64_t*, std::int64_t, std::int64_t, std::uint64_t*> chase_device{
    "chase_device"};
inline constexpr device::cuda::Kernel<const std::uint32_t*, std::int64_t, std::int64_t, std::uint32_t*> chase_shared{
    "chase_shared"};
inline constexpr device::cuda::Kernel<std::int64_t, std::int64_t, std::uint32_t*> read_shared{"read_shared"};

using InFlight = device::cuda::Kernel<const void*, std::int64_t, std::int64_t, std::uint64_t*>;
inline constexpr InFlight read_in_flight_1{"read_in_flight_1"};
inline constexpr InFlight read_in_flight_2{"read_in_flight_2"};
inline constexpr InFlight read_in_flight_4{"read_in_flight_4"};

}  // namespace ridge::chase
