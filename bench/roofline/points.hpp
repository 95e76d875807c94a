// What a point of the family means in elements, and the work that follows: one place for the plan, the cases and the
// explanation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::roofline {

// Those that this folder prepares itself; read, copy, triad and dot come from bench/bandwidth.
enum class Kind { peak, dot_peak, dot_ops, ladder, stencil, spmv, gemv, gemm };

// Bytes behind every output, poison that no kernel may change.
inline constexpr std::int64_t guard_bytes = 64;

// A peak's arrays: elements of each thread, which with both arrays fit a first-level cache of 32 KiB, and operations on
// each.
inline constexpr std::int64_t peak_elements = 1536;
inline constexpr std::int64_t peak_operations = 2048;

// Steps of a repetition of dot-product instructions on the CPU, and of matrix instructions on a GPU. Sums of whole
// numbers stay exact in f32 for as many.
inline constexpr std::int64_t dot_steps = 4096;
inline constexpr std::int64_t matrix_steps = 2048;
// Steps of a repetition of the instructions of one architecture; sums of one product each stay below 2^13.
inline constexpr std::int64_t tile_steps = 4096;

std::int64_t element_bytes(const record::Point& point);

// "1/16", "1/8", … "256" FLOP/B, and what they are.
const std::vector<std::string>& intensities();
double intensity_of(const std::string& text);

// Of the ladder: operations on each element, which is read and written once. Nothing where that is less than one.
std::optional<std::int64_t> ladder_operations(const record::Point& point);

// Elements of each array of a ladder or a peak; side of the stencil's cube; rows and columns of the square matrices of
// gemv and gemm; rows of spmv's. `size` is the bytes of the largest array.
std::int64_t extent(Kind kind, const record::Point& point);

// Whether the point is one of the CPU's: only there are threads a choice.
bool on_cpu(const record::Point& point);

record::Work work(Kind kind, const record::Point& point);
std::vector<std::int64_t> buffers(Kind kind, const record::Point& point);
std::optional<std::string> unsupported(Kind kind, const record::Point& point);

#if RIDGE_WITH_CUDA
std::unique_ptr<Case> prepare_cuda(Kind kind, CudaContext& context, const record::Point& point);
#endif

}  // namespace ridge::bench::roofline
