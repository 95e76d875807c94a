// A stand-in for NCCL on reference GPUs: communicators, groups, statuses; arrays are joined plainly in the GPUs'
// memory, in the turn of the streams. Where NCCL would wait for ever, for a rank that has no such call, it answers
// ncclInvalidUsage and says which.
//
// Ranks of a world made by ncclCommInitRank are threads of this process, one each: a call waits there until all ranks
// have made theirs, ten seconds at most.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "kernels/device/cuda/driver.hpp"
#include "kernels/nccl/table.hpp"

namespace ridge::ptx {

class Nccl {
 public:
  // `driver`: the table of reference GPUs, whose memory and streams it works with.
  explicit Nccl(const device::cuda::Driver& driver);

  // The table; it keeps the stand-in alive, and the reference GPUs.
  [[nodiscard]] std::shared_ptr<const nccl::Table> table() const;

  // Makes the n-th call (from 1, counted from now) of a function answer `status` instead of doing anything.
  void fail(const std::string& call, int nth, ncclResult_t status);
  // What every communicator says from now on of errors that it met on its own.
  void meet(ncclResult_t status);
  [[nodiscard]] std::map<std::string, int> calls() const;
  // What was made and not given back: "2 communicators"; empty: all of it was.
  [[nodiscard]] std::string left() const;

  struct State;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace ridge::ptx
