// GPUs of this process as ranks of one NCCL world: all of them, rank r on the r-th stream, or the one rank that this
// process has in a world of several processes.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/device/cuda/stream.hpp"
#include "kernels/reduce/combine.hpp"

namespace ridge::nccl {

struct Table;

enum class Operation { allreduce, reduce, broadcast, allgather, reducescatter, alltoall, sendrecv };

// count: elements of the larger of a rank's two arrays, a multiple of the ranks where that is split. `reduce` and
// `broadcast` have rank 0 as root; `sendrecv` sends to the next rank and receives from the one before.
struct Task {
  Operation operation = Operation::allreduce;
  reduce::Rule rule;
  std::int64_t count = 0;
};

// Device memory of one rank; the same twice where the result replaces the input.
struct Arrays {
  const void* in = nullptr;
  void* out = nullptr;
};

// What a world of several processes is known by; one gets it and hands it to all.
using Id = std::array<char, 128>;
Id new_id(const Table& table);

// Why that operation cannot be had of this library, or of a GPU of that compute capability; empty: it can.
std::string lacking(const Table& table, Operation operation, reduce::Type type, int capability_major);

class World {
 public:
  // device::Error names the call, what NCCL says of it, and the devices.
  World(std::shared_ptr<const Table> table, std::vector<device::cuda::Stream*> streams);
  // This process' rank of `ranks`, all of which call it with the id that one of them got by new_id(). Returns when all
  // have.
  World(std::shared_ptr<const Table> table, device::cuda::Stream& stream, int rank, int ranks, const Id& id);
  // Gives the communicators back; after an error aborts them, for a peer might never come.
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] int ranks() const { return ranks_; }
  // Queues the calls of all ranks here, with the arrays of each, as one group. device::Error with call, status, rank
  // and device.
  void queue(const Task& task, std::span<const Arrays> arrays);
  // Errors that NCCL met on its own while it worked. device::Error.
  void check();
  // "library", and "environment" where variables that steer NCCL are set: "NCCL_ALGO=Ring, …".
  [[nodiscard]] std::map<std::string, std::string> implementation() const;

 private:
  void require(int status, const std::string& what);
  void queue_rank(const Task& task, std::size_t at, const Arrays& arrays);
  struct Communicators;

  std::shared_ptr<const Table> table_;
  std::vector<device::cuda::Stream*> streams_;
  int first_ = 0;  // rank of the first stream
  int ranks_ = 0;
  std::unique_ptr<Communicators> communicators_;
  bool broken_ = false;
};

}  // namespace ridge::nccl
