// The contract of the CUDA kernels of fused.cu, each with its own facts; fused.hpp says what they compute.
#pragma once

#include <span>

#include "kernels/device/cuda/kernel.hpp"
#include "kernels/fused/fused.hpp"

// KERNEL(operands on the device, rows): any number of blocks of row_threads threads. Block b takes the rows b,
// b + blocks, …; thread t of it the columns t, t + row_threads, …, at most row_places of them. All of a row is read
// before any of it is written, and it stays in registers meanwhile. The places beyond a row's last column are computed
// as well, with a value that changes no result. What is as long as a row (bias, gamma, beta) is read once a block.
//
// chain(x, count, first, ops): x = x/2 + k for k = first … first + ops - 1, any number of blocks; 16 bytes a step and
// thread, the elements behind the last whole 16 bytes one a thread. x begins at a multiple of 16 bytes.
namespace ridge::fused {

inline constexpr int row_threads = 256;
inline constexpr int row_places = 16;
inline constexpr std::int64_t most_row = std::int64_t{row_threads} * row_places;
// Additions in `sums` sums over a block: five of each thread within its warp, then of each that wants them the other
// warps' sums.
constexpr std::int64_t additions_in_joins(int sums, int wanted_by) {
  return std::int64_t{sums} * (5 * row_threads + wanted_by * (row_threads / 32 - 1));
}

using CudaKernel = device::cuda::Kernel<Operands, std::int64_t>;
inline constexpr device::cuda::Kernel<float*, std::int64_t, int, int> cuda_chain{"fused_chain"};

// One launch, with what it does for each row besides reading and writing its arrays. An exponential is its factor and
// no more: ex2 is not counted, nor are the whole numbers that random ones are drawn by.
struct CudaStep {
  CudaKernel kernel;
  int element_operations = 0;  // of each element
  int place_operations = 0;    // of each place, whether there is an element or not
  int thread_operations = 0;   // of each thread
  int row_operations = 0;      // of one thread
  int sums_for_all = 0;        // over the block, for all of its threads
  int sums_for_one = 0;
  int vectors = 0;        // as long as a row, read once a block
  int stats_read = 0;     // words, by every thread
  int words_read = 0;     // by one thread: labels, the value that one names
  int words_written = 0;  // by one thread: maxima, sums, losses
};

constexpr CudaStep like(CudaStep step, const char* name) {
  step.kernel.name = name;
  return step;
}

inline constexpr CudaStep add_bias{.kernel = {"fused_add_bias"}, .element_operations = 1, .vectors = 1};
inline constexpr CudaStep apply_gelu{.kernel = {"fused_apply_gelu"}, .element_operations = 8};
inline constexpr CudaStep apply_relu{.kernel = {"fused_apply_relu"}};  // a maximum is not counted
inline constexpr CudaStep add_residual{.kernel = {"fused_add_residual"}, .element_operations = 1};
inline constexpr CudaStep bias_gelu{.kernel = {"fused_bias_gelu"}, .element_operations = 10, .vectors = 1};
inline constexpr CudaStep apply_dropout{.kernel = {"fused_apply_dropout"}, .element_operations = 1};
inline constexpr CudaStep bias_gelu_dropout{
    .kernel = {"fused_bias_gelu_dropout"}, .element_operations = 11, .vectors = 1};

inline constexpr CudaStep row_max{.kernel = {"fused_row_max"}, .words_written = 1};
inline constexpr CudaStep row_exponentials{.kernel = {"fused_row_exponentials"},
                                           .place_operations = 3,
                                           .sums_for_one = 1,
                                           .stats_read = 1,
                                           .words_written = 1};
inline constexpr CudaStep divide_by_sum{.kernel = {"fused_divide_by_sum"}, .element_operations = 1, .stats_read = 1};
inline constexpr CudaStep softmax{
    .kernel = {"fused_softmax"}, .element_operations = 1, .place_operations = 3, .sums_for_all = 1};

inline constexpr CudaStep row_squares{
    .kernel = {"fused_row_squares"}, .place_operations = 2, .sums_for_one = 1, .words_written = 1};
inline constexpr CudaStep scale_by_rms{
    .kernel = {"fused_scale_by_rms"}, .element_operations = 2, .thread_operations = 2, .vectors = 1, .stats_read = 1};
inline constexpr CudaStep rmsnorm{.kernel = {"fused_rmsnorm"},
                                  .element_operations = 2,
                                  .place_operations = 3,
                                  .thread_operations = 2,
                                  .sums_for_all = 1,
                                  .vectors = 1};

inline constexpr CudaStep row_mean{
    .kernel = {"fused_row_mean"}, .place_operations = 1, .row_operations = 1, .sums_for_one = 1, .words_written = 1};
inline constexpr CudaStep row_variance{
    .kernel = {"fused_row_variance"}, .place_operations = 3, .sums_for_one = 1, .stats_read = 1, .words_written = 1};
inline constexpr CudaStep normalise{
    .kernel = {"fused_normalise"}, .element_operations = 4, .thread_operations = 2, .vectors = 2, .stats_read = 2};
inline constexpr CudaStep layernorm{.kernel = {"fused_layernorm"},
                                    .element_operations = 3,
                                    .place_operations = 5,
                                    .thread_operations = 3,
                                    .sums_for_all = 2,
                                    .vectors = 2};

inline constexpr CudaStep row_sum_of_exponentials =
    like(row_exponentials, "fused_row_sum_of_exponentials");  // which are not kept
inline constexpr CudaStep subtract_log_sum{
    .kernel = {"fused_subtract_log_sum"}, .element_operations = 1, .thread_operations = 2, .stats_read = 2};
inline constexpr CudaStep pick_label{.kernel = {"fused_pick_label"}, .words_read = 2, .words_written = 1};
inline constexpr CudaStep cross_entropy{.kernel = {"fused_cross_entropy"},
                                        .place_operations = 3,
                                        .row_operations = 3,
                                        .sums_for_one = 1,
                                        .words_read = 2,
                                        .words_written = 1};

// The launches of one side, in their order; none of a chain, whose kernel is the same on both.
inline std::span<const CudaStep> cuda_steps(Pair pair, bool is_fused) {
  static constexpr CudaStep gelu_passes[] = {add_bias, apply_gelu, add_residual};
  static constexpr CudaStep dropout_passes[] = {add_bias, apply_gelu, apply_dropout, add_residual};
  static constexpr CudaStep softmax_passes[] = {row_max, row_exponentials, divide_by_sum};
  static constexpr CudaStep rmsnorm_passes[] = {add_residual, row_squares, scale_by_rms};
  static constexpr CudaStep layernorm_passes[] = {add_residual, row_mean, row_variance, normalise};
  static constexpr CudaStep entropy_passes[] = {row_max, row_sum_of_exponentials, subtract_log_sum, pick_label};
  switch (pair) {
    case Pair::bias_gelu:
      return is_fused ? std::span<const CudaStep>(&bias_gelu, 1) : gelu_passes;
    case Pair::bias_gelu_dropout:
      return is_fused ? std::span<const CudaStep>(&bias_gelu_dropout, 1) : dropout_passes;
    case Pair::softmax:
      return is_fused ? std::span<const CudaStep>(&softmax, 1) : softmax_passes;
    case Pair::rmsnorm:
      return is_fused ? std::span<const CudaStep>(&rmsnorm, 1) : rmsnorm_passes;
    case Pair::layernorm:
      return is_fused ? std::span<const CudaStep>(&layernorm, 1) : layernorm_passes;
    case Pair::cross_entropy:
      return is_fused ? std::span<const CudaStep>(&cross_entropy, 1) : entropy_passes;
    case Pair::chain:
      break;
  }
  return {};
}

}  // namespace ridge::fused
