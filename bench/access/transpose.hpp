// access.transpose: the definition's functions.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::bench::access {

std::int64_t side_of(const record::Point& point);
record::Work transpose_work(const record::Point& point);
std::vector<std::int64_t> transpose_buffers(const record::Point& point);
std::optional<std::string> transpose_unsupported(const record::Point& point);

// What arithmetic says of a matrix whose side is a multiple of 32; nothing for others. A warp reads 32 neighbours (4
// sectors) and writes them below each other (32) or, through shared memory, beside each other (4 again). In shared
// memory a column of 32 elements lies in one bank and takes 32 passes, 31 of them conflicts, unless it is padded or
// swizzled.
struct TransposeCounts {
  double load_sectors = 0, store_sectors = 0;  // of a request
  std::int64_t bank_conflicts = 0;
  [[nodiscard]] double sectors_per_request() const { return (load_sectors + store_sectors) / 2; }
};
std::optional<TransposeCounts> predicted_counts(const record::Point& point);

std::unique_ptr<Case> prepare_transpose_cpu(CpuContext& context, const record::Point& point);
#if RIDGE_WITH_CUDA
std::unique_ptr<Case> prepare_transpose_cuda(CudaContext& context, const record::Point& point);
#endif

}  // namespace ridge::bench::access
