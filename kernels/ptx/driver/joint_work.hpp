// For stand-ins of libraries that let several GPUs work on something together: their work in the streams of reference
// GPUs.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/ptx/driver/reference.hpp"

namespace ridge::ptx {

struct Place {
  int gpu = 0;
  CUstream stream = nullptr;
};

// What the library does with the memory of each place's GPU, and what it counts of that for each.
using JointWork = std::function<std::vector<Counts>(std::span<Memory* const>)>;

// Queues it on the streams of all places. It begins when each of them has come to it, and none goes on before it is
// done; it is noted as a launch of that name on each. `driver` is a reference's.
CUresult queue_joint_work(const device::cuda::Driver& driver, const std::vector<Place>& places, const std::string& name,
                          JointWork work);

// The GPU whose context is current to this thread; -1: none.
int current_gpu(const device::cuda::Driver& driver);

}  // namespace ridge::ptx
