// One operation of all ranks, once every rank has called: what it does to their memory.
#pragma once

#include <string>
#include <vector>

#include "kernels/nccl/table.hpp"
#include "kernels/ptx/driver/joint_work.hpp"

namespace ridge::ptx {

enum class Kind { allreduce, reduce, broadcast, allgather, reducescatter, send, receive };

// A call as it was made by one rank.
struct NcclCall {
  Kind kind = Kind::allreduce;
  const void* in = nullptr;
  void* out = nullptr;
  std::size_t count = 0;  // as NCCL counts for that call: of the block where the larger array is split
  ncclDataType_t type = ncclFloat32;
  ncclRedOp_t op = ncclSum;
  int peer = 0;  // the root, or whom it is sent to or received from
  CUstream stream = nullptr;
};

// Bytes of an element; 0 for a type that is not modelled.
std::size_t bytes_of(ncclDataType_t type);

// How the calls of the ranks do not fit together; empty: they do. One call for each rank, all of them of one kind.
std::string mismatch(const std::vector<NcclCall>& calls);

// One call of each rank, in order, that fit together; and a message from one rank to another.
std::vector<Counts> join(const std::vector<NcclCall>& calls, std::span<Memory* const> memories);
std::vector<Counts> pass(const NcclCall& send, const NcclCall& receive, std::span<Memory* const> both);

}  // namespace ridge::ptx
