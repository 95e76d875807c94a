// A stand-in for cuBLASLt on reference GPUs: the library's table of functions, with its descriptors, its heuristic, its
// statuses and the refusals of its documentation; products are computed plainly on the GPU's memory.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "kernels/cublaslt/table.hpp"
#include "kernels/device/cuda/driver.hpp"

namespace ridge::ptx {

class CublasLt {
 public:
  // `driver`: the table of reference GPUs, whose memory and streams it works with. `capability`: of the GPU that it is
  // to take them for, 100 for 10.0; which types are multiplied depends on it.
  explicit CublasLt(const device::cuda::Driver& driver, int capability = 100);

  // The table; it keeps the stand-in alive, and the reference GPUs.
  [[nodiscard]] std::shared_ptr<const cublaslt::Table> table() const;

  // Makes the n-th call (from 1, counted from now) of a function answer `status` instead of doing anything.
  void fail(const std::string& call, int nth, cublasStatus_t status);
  [[nodiscard]] std::map<std::string, int> calls() const;
  // What was made and not given back: "1 handles, 2 layouts"; empty: all of it was.
  [[nodiscard]] std::string left() const;

  struct State;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace ridge::ptx
