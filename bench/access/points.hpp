// What a point of the family means, its work, and what the hardware must move for it.
#pragma once

#include <optional>
#include <string>

#include "bench/harness/definition.hpp"
#include "kernels/access/access.hpp"

namespace ridge::bench::access {

using ridge::access::Pattern;

// Bytes behind a store's target, poison that no kernel may change.
inline constexpr std::int64_t guard_bytes = 64;

std::int64_t width_of(const record::Point& point);  // bytes of an element
bool stores(const record::Point& point);
Pattern pattern_of(const record::Point& point);

record::Work work(const record::Point& point);
std::vector<std::int64_t> buffers(const record::Point& point);
std::optional<std::string> unsupported(const record::Point& point);

// 32-byte sectors that a full warp's request touches, of an array that begins with a sector: lane l asks for `width`
// bytes at (offset + l·stride)·width. What a GPU moves between L2 and an SM, whatever part of a sector is used.
int sectors_per_request(std::int64_t stride, std::int64_t offset, std::int64_t width);

// Bytes of whole pieces (a sector, a line) that move for each byte asked for: 1 where all of it is used.
double sector_excess(const Pattern& pattern, std::int64_t width);
double line_excess(const Pattern& pattern, std::int64_t width);

std::unique_ptr<Case> prepare_cpu(CpuContext& context, const record::Point& point);
#if RIDGE_WITH_CUDA
std::unique_ptr<Case> prepare_cuda(CudaContext& context, const record::Point& point);
#endif

}  // namespace ridge::bench::access
