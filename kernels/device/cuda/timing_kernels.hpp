// The contract of the kernels that help measuring; timing.cu holds them.
#pragma once

#include <cstdint>

#include "kernels/device/cuda/kernel.hpp"

namespace ridge::device::cuda {

// gate_wait(open (1), timed_out (1), limit): returns when *open is not 0, or sets *timed_out to 1 after `limit` ns.
// One thread. Both words are in mapped host memory.
inline constexpr Kernel<const volatile std::uint32_t*, std::uint32_t*, std::uint64_t> gate_wait_kernel{
    "ridge_gate_wait"};

// spin_clock(duration, result (2)): spins for `duration` ns of the global timer; result = {SM cycles, ns} of the spin.
inline constexpr Kernel<std::uint64_t, std::uint64_t*> spin_clock_kernel{"ridge_spin_clock"};

// flush_read(data (count × 16 bytes), count, sink (1)): reads all of `data`; grid-stride, any shape. *sink is written
// only when the exclusive or of all a thread read is one value that the zeroed buffer does not give.
inline constexpr Kernel<const void*, std::int64_t, std::uint32_t*> flush_read_kernel{"ridge_flush_read"};

}  // namespace ridge::device::cuda
