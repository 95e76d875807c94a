// What a point of the family means, its work, and what the hardware must move for it.
#pragma once

#include <optional>
#include <string>

#include "bench/harness/definition.hpp"
#include "kernels/access/fields.hpp"

namespace ridge::bench::access {

using ridge::access::Pattern;

// Bytes behind a store's target, poison that no kernel may change.
inline constexpr std::int64_t guard_bytes = 64;

// What the axes say; an axis that a benchmark does not have has its plainest value.
std::int64_t width_of(const record::Point& point);     // bytes of an element
std::int64_t elements_of(const record::Point& point);  // of the array
bool stores(const record::Point& point);
Pattern pattern_of(const record::Point& point);
// One of the fields of each structure, or all of them.
ridge::access::Fields fields_of(const record::Point& point);

// One element of each line of the array, `distance` lines apart: phase 0 takes lines 0, distance, 2 · distance, …,
// phase 1 begins a line later, until all lines were taken. Items are lines in that order.
struct Phases {
  std::int64_t lines = 0;
  std::int64_t distance = 1;
  // Items before that phase's first, for phases 0 to distance.
  [[nodiscard]] std::int64_t begin_of(std::int64_t phase) const;
  // The elements of a phase, as a pattern of 4-byte elements.
  [[nodiscard]] Pattern pattern_of(std::int64_t phase) const;
};
Phases phases_of(const record::Point& point);

struct Facts {
  record::Work (*work)(const record::Point&);
  std::vector<std::int64_t> (*buffers)(const record::Point&);
  std::optional<std::string> (*unsupported)(const record::Point&);
};
extern const Facts strided_facts;
extern const Facts indexed_facts;
extern const Facts structured_facts;
extern const Facts phased_facts;

// 32-byte sectors that a full warp's request touches, of an array that begins with a sector: lane l asks for `width`
// bytes at (offset + l·stride)·width. What a GPU moves between L2 and an SM, whatever part of a sector is used.
int sectors_per_request(std::int64_t stride, std::int64_t offset, std::int64_t width);

// The mean of that over a structure's fields, each of which a warp asks for at once.
double sectors_per_request(const ridge::access::Fields& fields);
// The mean that is to be expected of 32 different elements out of all, at random.
double random_sectors_per_request(std::int64_t elements, std::int64_t width);

// Bytes of whole pieces (a sector, a line) that move for each byte asked for: 1 where all of it is used.
double sector_excess(const Pattern& pattern, std::int64_t width);
double line_excess(const Pattern& pattern, std::int64_t width);
// The same of a gather or scatter: the index, of which nothing is wasted, and a piece for each element.
double random_sector_excess(std::int64_t elements, std::int64_t width);
double random_line_excess(std::int64_t width);

std::unique_ptr<Case> prepare_strided_cpu(CpuContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_indexed_cpu(CpuContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_structured_cpu(CpuContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_phased_cpu(CpuContext& context, const record::Point& point);
#if RIDGE_WITH_CUDA
std::unique_ptr<Case> prepare_strided_cuda(CudaContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_indexed_cuda(CudaContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_structured_cuda(CudaContext& context, const record::Point& point);
#endif

}  // namespace ridge::bench::access
