// The CUDA kernels in this binary, and what each takes on each architecture.
#pragma once

#include <string>
#include <vector>

#include "kernels/device/cuda/image.hpp"

namespace ridge::cmd {

// Generated; empty in a build without CUDA.
std::vector<const device::cuda::Image*> kernel_images();

// One line per kernel and architecture: registers, shared memory, spills, theoretical occupancy with blocks of 256
// threads, and whether the reference machine can execute it.
std::string kernels_table(const std::vector<const device::cuda::Image*>& images);
std::string kernels_json(const std::vector<const device::cuda::Image*>& images);

}  // namespace ridge::cmd
