// What a point of the family means, and its work.
#pragma once

#include <optional>
#include <string>

#include "bench/harness/definition.hpp"
#include "kernels/fused/fused.hpp"

namespace ridge::bench::fusion {

using ridge::fused::Facts;

// A row: a hidden size or vocabulary of a small model; 16 KiB, which the first or second cache holds.
inline constexpr std::int64_t most_columns = 4096;

bool is_fused(const record::Point& point);
int ops_of(const record::Point& point);         // of a chain; 1 of others
double dropout_of(const record::Point& point);  // 0 where the point has none
// Of the pair that the point asks for: bias_gelu with dropout is another.
const Facts& facts_at(const Facts& facts, const record::Point& point);
std::int64_t columns_of(const record::Point& point);  // of x: all elements where they are fewer than a row
std::int64_t rows_of(const record::Point& point);

record::Work work(const Facts& facts, const record::Point& point);
// x, then residual, then what is as long as a row or a column.
std::vector<std::int64_t> buffers(const Facts& facts, const record::Point& point);
std::optional<std::string> unsupported(const record::Point& point);

std::unique_ptr<Case> prepare_cpu(const Facts& facts, CpuContext& context, const record::Point& point);
// With these kernels: tests put wrong ones in.
std::unique_ptr<Case> make_cpu(const Facts& facts, CpuContext& context, const record::Point& point,
                               const ridge::fused::Sides& kernels);
std::unique_ptr<Case> prepare_cuda(const Facts& facts, CudaContext& context, const record::Point& point);

}  // namespace ridge::bench::fusion
