// For stand-ins of libraries that work on a GPU's memory: their work in the streams of reference GPUs.
#pragma once

#include <functional>
#include <string>

#include "kernels/ptx/driver/reference.hpp"

namespace ridge::ptx {

// What the library does with the GPU's memory when its turn comes, and what it counts of that.
using LibraryWork = std::function<Counts(Memory&)>;

// Queues it on a stream of the calling thread's GPU; it is noted as a launch of that name. `driver` is a reference's.
CUresult queue_library_work(const device::cuda::Driver& driver, CUstream stream, const std::string& name,
                            LibraryWork work);

}  // namespace ridge::ptx
