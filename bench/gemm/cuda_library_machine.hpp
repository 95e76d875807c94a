// For tests: a reference GPU with the stand-in for cuBLASLt, the points it is asked for, and the library made wrong.
#pragma once

#include <memory>
#include <string>
#include <tuple>

#include "bench/gemm/cuda_case.hpp"
#include "kernels/cublaslt/table.hpp"
#include "kernels/ptx/cublaslt/stand_in.hpp"
#include "kernels/ptx/testing/one_gpu.hpp"

namespace ridge::bench::gemm {

// As a definition's axes make it, on a GPU: without threads.
inline record::Point point_of(const std::string& dtype, std::int64_t m, std::int64_t n, std::int64_t k,
                              const std::string& layout = "nn", std::int64_t batch = 1) {
  record::Point p;
  if (dtype != "int8") p.set("dtype", dtype);
  p.set("m", m), p.set("n", n), p.set("k", k);
  p.set("layout", layout);
  p.set("batch", batch);
  return p;
}

inline record::Point scaled(record::Point point, const std::string& accumulation, const std::string& scale) {
  point.set("accumulation", accumulation);
  point.set("scale", scale);
  return point;
}

inline record::Point halved(record::Point point) {
  point.set("output", std::string("half"));
  return point;
}

struct Machine {
  explicit Machine(int capability = 100) : library(gpu.device().driver(), capability), table(library.table()) {}
  ptx::testing::OneGpu gpu;
  ptx::CublasLt library;
  std::shared_ptr<const cublaslt::Table> table;  // the library's, unless a test puts another there

  // Prepared within what the point declares; `use` is given the case.
  template <class Use>
  void with_case(const record::Point& point, const Use& use, std::int64_t compare_at_most = most_compared,
                 Fill fill = Fill::random) {
    std::int64_t needed = 0;
    for (const std::int64_t bytes : buffers(point)) needed += device::borrow_cost(bytes);
    const auto arena = gpu.device().make_arena(needed);
    CudaContext context{gpu.device(), *arena, 1, fill};
    const auto make = [&](const Question& question, const ridge::gemm::Pointers& pointers, CudaContext& on) {
      return make_cuda_library(question, pointers, on, table);
    };
    const auto prepared = make_cuda_case(question_of(point), context, make, compare_at_most);
    use(*prepared);
  }
  record::Verification verified(const record::Point& point, std::int64_t compare_at_most = most_compared) {
    record::Verification result;
    with_case(
        point, [&](Case& prepared) { result = prepared.verify(); }, compare_at_most);
    return result;
  }
  // What preparing or running it throws.
  std::string error(const record::Point& point) {
    try {
      with_case(point, [&](Case& prepared) { prepared.run(1); });
    } catch (const device::Error& thrown) {
      return thrown.what();
    }
    return "";
  }
};

// Whether the case refuses what a library does whose table `change` has made wrong.
template <class Change>
bool refused(const record::Point& point, const Change& change) {
  Machine machine;
  const auto right = machine.table;
  const auto wrong = std::make_shared<cublaslt::Table>(*right);
  change(*wrong, *right);
  machine.table = wrong;
  return machine.verified(point).status == record::Check::failed;
}

// A change: Matmul with some of its arguments changed; `with` takes them by reference.
template <class With>
auto call_with(const With& with) {
  return [with](cublaslt::Table& wrong, const cublaslt::Table& right) {
    wrong.Matmul = [with, matmul = right.Matmul](auto... arguments) {
      auto all = std::make_tuple(arguments...);
      with(all);
      return std::apply(matmul, all);
    };
  };
}

}  // namespace ridge::bench::gemm
