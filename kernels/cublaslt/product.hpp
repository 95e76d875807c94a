// A product by cuBLASLt: its descriptors, the algorithm once that is chosen, and the queueing of it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "kernels/cublaslt/asked.hpp"
#include "kernels/device/cuda/stream.hpp"

namespace ridge::cublaslt {

struct Table;

struct Memory {
  gemm::Pointers matrices;
  void* workspace = nullptr;  // workspace_bytes
  void* scales = nullptr;     // scale_bytes()
  void* bias = nullptr;       // (n), where there is one
  void* residual = nullptr;   // (m, n), where there is one
};

// Made for one product on one stream's GPU. device::Absent with the rule where the library has none; device::Error
// with call, status, m, n, k, types, layout and device for anything else.
class Gemm {
 public:
  // Of the first algorithms that the heuristic names the fastest is taken, by timing them on the stream: the matrices
  // must hold what will be multiplied, and where beta is not 0 C is added to. Where the stream has no clock it is the
  // first.
  Gemm(std::shared_ptr<const Table> table, device::cuda::Stream& stream, int capability, const Product& product,
       const Memory& memory);
  ~Gemm();
  Gemm(const Gemm&) = delete;
  Gemm& operator=(const Gemm&) = delete;

  // Queues one, the whole batch.
  void multiply(device::cuda::Stream& stream);
  // "library", and "kernel": "algorithm 21, tile 20, stages 11, split k 1, the fastest of 8; workspace 33554432 B".
  [[nodiscard]] std::map<std::string, std::string> implementation() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ridge::cublaslt
