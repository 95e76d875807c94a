// For tests: every kernel of the family on a GPU, at sizes around a vector, a warp, a tile and what loops are unrolled
// to, with the work that each states.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/roofline/cuda_cases.hpp"
#include "kernels/roofline/grid.hpp"

namespace ridge::bench::roofline::testing {

using device::cuda::Image;

struct Tried {
  std::string kernel;  // the name in the PTX
  std::string name;
  record::Work stated;  // where the case does not tell
  std::function<std::unique_ptr<Case>(CudaContext&, const Image&)> make;
};

inline record::Work work_of(std::int64_t read, std::int64_t written, std::int64_t operations) {
  record::Work work;
  work.bytes_read = read;
  work.bytes_written = written;
  work.operations = operations;
  return work;
}

template <class T>
void add_chains(std::vector<Tried>& all, const std::string& suffix, const std::vector<std::int64_t>& counts,
                const std::vector<std::int64_t>& operations) {
  const std::int64_t bytes = sizeof(T);
  for (const std::int64_t n : counts)
    for (const std::int64_t each : operations)
      all.push_back({"chain_" + suffix, "ladder of " + std::to_string(n) + ", " + std::to_string(each) + " operations",
                     work_of(n * bytes, n * bytes, n * each), [=](CudaContext& context, const Image& image) {
                       return make_cuda_ladder<T>(context, each, n, image);
                     }});
}

inline void add_packed(std::vector<Tried>& all, const std::vector<std::int64_t>& counts,
                       const std::vector<std::int64_t>& steps) {
  for (const std::string dtype : {"f16", "bf16"})
    for (const std::int64_t n : counts)
      for (const std::int64_t each : steps)
        all.push_back({"chain_" + dtype + "x2", std::to_string(n) + " pairs, " + std::to_string(each) + " steps",
                       work_of(n * 4, n * 4, n * each * 4), [=](CudaContext& context, const Image& image) {
                         return make_cuda_packed(context, dtype, each, 1, n, image);
                       }});
}

template <class T>
void add_rows(std::vector<Tried>& all, const std::string& suffix, const std::vector<std::int64_t>& sides,
              const std::vector<std::int64_t>& squares, const std::vector<std::int64_t>& rows) {
  const std::int64_t bytes = sizeof(T);
  for (const std::int64_t n : sides) {
    const std::int64_t inner = (n - 2) * (n - 2) * (n - 2);
    all.push_back({"stencil_" + suffix, "stencil of side " + std::to_string(n),
                   work_of((inner + 6 * (n - 2) * (n - 2)) * bytes, inner * bytes, 8 * inner),
                   [=](CudaContext& context, const Image& image) { return make_cuda_stencil<T>(context, n, image); }});
  }
  for (const std::int64_t n : squares)
    all.push_back({"gemv_" + suffix, "gemv of " + std::to_string(n), work_of((n * n + n) * bytes, n * bytes, 2 * n * n),
                   [=](CudaContext& context, const Image& image) { return make_cuda_gemv<T>(context, n, image); }});
  for (const std::int64_t n : rows)
    for (const SparseRows lengths : {SparseRows::alike, SparseRows::varied}) {
      const std::int64_t nonzeros = sparse_start(lengths, n);
      if (nonzeros == 0) continue;
      all.push_back(
          {"spmv_" + suffix,
           "spmv of " + std::to_string(n) + (lengths == SparseRows::varied ? " varied" : "") + " rows",
           work_of(nonzeros * (bytes + 4) + (n + 1) * 8 + n * bytes, n * bytes, 2 * nonzeros),
           [=](CudaContext& context, const Image& image) { return make_cuda_spmv<T>(context, n, lengths, image); }});
    }
}

inline void add_matrices(std::vector<Tried>& all, const std::vector<std::int64_t>& steps) {
  for (const std::string dtype : {"bf16", "f16", "tf32", "f64", "int8"})
    for (const std::int64_t each : steps)
      all.push_back(
          {"mma_" + dtype,
           dtype + " matrices, " + std::to_string(each) + " steps",
           {},
           [=](CudaContext& context, const Image& image) { return make_cuda_matrix(context, dtype, each, image); }});
}

}  // namespace ridge::bench::roofline::testing
