// The contract of the CUDA kernels of attention.cu; attention.hpp says what they compute.
#pragma once

#include <cstdint>

#include "kernels/attention/attention.hpp"
#include "kernels/device/cuda/kernel.hpp"

// All take blocks of cuda_threads threads; a block is one head's tile: block b of head b / (tiles of a head).
//
// scores_HEAD (q, k, scores, sequence, causal): a block for each square tile of a head's scores, row of tiles after row
//   of tiles; those above a causal diagonal do nothing. scores (heads, sequence, sequence).
// softmax     (scores, sequence, rows, causal): a block for each row, of all heads; in place, at most most_softmax
//   scores a row. Causal: those behind a row's own become 0, as far as zeros_in_tile or zeros_in_row say.
// values_HEAD (scores, v, out, sequence, causal): a block for each tile of queries.
// tiled_HEAD  (q, k, v, out, sequence, causal): a block for each tiled_rows(head) queries.
namespace ridge::attention {

inline constexpr int cuda_threads = 256;
inline constexpr std::int64_t depth_step = 32;  // of a head at a time; of keys at a time
inline constexpr std::int64_t most_softmax = 4096;
// What softmax is told where it is causal: zeros as far as the tile goes that holds the row's own key, or to its end.
inline constexpr int zeros_in_tile = 1, zeros_in_row = 2;

using CudaScores = device::cuda::Kernel<const float*, const float*, float*, std::int64_t, int>;
using CudaSoftmax = device::cuda::Kernel<float*, std::int64_t, std::int64_t, int>;
using CudaValues = device::cuda::Kernel<const float*, const float*, float*, std::int64_t, int>;
using CudaTiled = device::cuda::Kernel<const float*, const float*, const float*, float*, std::int64_t, int>;

inline constexpr CudaScores cuda_scores_64{"attention_scores_64"};
inline constexpr CudaScores cuda_scores_128{"attention_scores_128"};
inline constexpr CudaSoftmax cuda_softmax{"attention_softmax"};
inline constexpr CudaValues cuda_values_64{"attention_values_64"};
inline constexpr CudaValues cuda_values_128{"attention_values_128"};
inline constexpr CudaTiled cuda_tiled_64{"attention_tiled_64"};
inline constexpr CudaTiled cuda_tiled_128{"attention_tiled_128"};

}  // namespace ridge::attention
