// What a process keeps of a case whose ranks are GPUs of several processes: its own GPU's arrays, and NCCL between all.
#pragma once

#include <memory>

#include "collectives/mpi/member.hpp"

namespace ridge::device::cuda {
class Device;
}
namespace ridge::nccl {
struct Table;
}

namespace ridge::collectives {

// The NCCL world is made with the first case, by all ranks: rank 0 gets an id and hands it on by `api`, whose thread
// makes all calls from then on. `device` and what `api` stands for outlive it.
mpi::MakeShare shares_on_gpu(device::cuda::Device& device, std::shared_ptr<const nccl::Table> table,
                             const RidgeMpi& api, int rank, int ranks);

}  // namespace ridge::collectives
