// Attention on the GPU in f32: three kernels with the scores in memory between them, and one that keeps a tile of them
// in shared memory.
//
// Threads stand in a square of 16 by 16; each has the same number of neighbouring rows and columns of a tile in its
// registers. Left operands lie in shared memory by columns, one word apart from a bank's period, so that neither
// writing them from rows of memory nor reading them meets a conflict; weights, written from the square, meet one of
// two.
#include "kernels/attention/attention_kernels.hpp"
#include "kernels/fused/row_share.cuh"

namespace {

using ridge::attention::cuda_threads;
using ridge::attention::square;
using ridge::attention::zeros_in_tile;

constexpr int side = 16;
static_assert(side * side == cuda_threads);
constexpr float none = -__builtin_huge_valf();

__device__ int across() {
  return static_cast<int>(threadIdx.x) % side;
}
__device__ int down() {
  return static_cast<int>(threadIdx.x) / side;
}

// (rows, columns) of a matrix whose rows are `stride` apart to to[column][row], `pitch` words a column; beyond `valid`
// rows zeroes. Neighbouring threads read neighbouring columns.
template <int rows, int columns>
__device__ void load_turned(const float* from, std::int64_t stride, int valid, float factor, float* to, int pitch) {
  static_assert(rows * columns % cuda_threads == 0);
#pragma unroll 4
  for (int part = 0; part < rows * columns / cuda_threads; ++part) {
    const int i = static_cast<int>(threadIdx.x) + part * cuda_threads;
    const int row = i / columns, column = i % columns;
    to[column * pitch + row] = row < valid ? from[row * stride + column] * factor : 0;
  }
}

// The same without turning: to[row][column].
template <int rows, int columns>
__device__ void load_rows(const float* from, std::int64_t stride, int valid, float* to) {
  static_assert(rows * columns % cuda_threads == 0);
#pragma unroll 4
  for (int part = 0; part < rows * columns / cuda_threads; ++part) {
    const int i = static_cast<int>(threadIdx.x) + part * cuda_threads;
    const int row = i / columns, column = i % columns;
    to[i] = row < valid ? from[row * stride + column] : 0;
  }
}

// sum[r][c] += left[l][row r] · right[l][column c], l < depth.
template <int depth, int rows, int columns>
__device__ void multiply(float (&sum)[rows][columns], const float* left, int left_pitch, const float* right,
                         int right_pitch) {
#pragma unroll 4
  for (int l = 0; l < depth; ++l) {
    float a[rows], b[columns];
#pragma unroll
    for (int r = 0; r < rows; ++r) a[r] = left[l * left_pitch + down() * rows + r];
#pragma unroll
    for (int c = 0; c < columns; ++c) b[c] = right[l * right_pitch + across() + c * side];
#pragma unroll
    for (int r = 0; r < rows; ++r) {
#pragma unroll
      for (int c = 0; c < columns; ++c) sum[r][c] = __fmaf_rn(a[r], b[c], sum[r][c]);
    }
  }
}

__device__ int at_most(std::int64_t left, int most) {
  return left < most ? static_cast<int>(left) : most;
}

__device__ float root_of_head(int head) {
  return rsqrtf(static_cast<float>(head));
}

template <int head>
__device__ void scores(const float* __restrict__ q, const float* __restrict__ k, float* __restrict__ to, std::int64_t n,
                       bool causal) {
  constexpr int tile = square, step = ridge::attention::depth_step, pitch = tile + 1, each = tile / side;
  __shared__ float left[step * pitch], right[step * pitch];
  const std::int64_t tiles = (n + tile - 1) / tile;
  const std::int64_t of_head = blockIdx.x / (tiles * tiles), in_head = blockIdx.x % (tiles * tiles);
  const std::int64_t row = in_head / tiles * tile, column = in_head % tiles * tile;
  if (causal && column > row) return;
  const int rows = at_most(n - row, tile), columns = at_most(n - column, tile);
  const float* const queries = q + (of_head * n + row) * head;
  const float* const keys = k + (of_head * n + column) * head;
  float sum[each][each] = {};
#pragma unroll 1
  for (int l = 0; l < head; l += step) {
    load_turned<tile, step>(queries + l, head, rows, 1, left, pitch);
    load_turned<tile, step>(keys + l, head, columns, 1, right, pitch);
    __syncthreads();
    multiply<step>(sum, left, pitch, right, pitch);
    __syncthreads();
  }
  const float scale = root_of_head(head);
#pragma unroll
  for (int r = 0; r < each; ++r) {
#pragma unroll
    for (int c = 0; c < each; ++c) {
      const int i = down() * each + r, j = across() + c * side;
      if (i < rows && j < columns) to[(of_head * n + row + i) * n + column + j] = sum[r][c] * scale;
    }
  }
}

template <int head>
__device__ void values(const float* __restrict__ weights, const float* __restrict__ v, float* __restrict__ out,
                       std::int64_t n, bool causal) {
  constexpr int tile = square, step = ridge::attention::depth_step, pitch = tile + 1;
  constexpr int each = tile / side, wide = head / side;
  __shared__ float left[step * pitch], right[step * head];
  const std::int64_t tiles = (n + tile - 1) / tile;
  const std::int64_t of_head = blockIdx.x / tiles, row = blockIdx.x % tiles * tile;
  const int rows = at_most(n - row, tile);
  const std::int64_t end = causal && row + tile < n ? row + tile : n;
  float sum[each][wide] = {};
#pragma unroll 1
  for (std::int64_t key = 0; key < end; key += step) {
    const int keys = at_most(end - key, step);
    const float* const from = weights + (of_head * n + row) * n + key;
#pragma unroll 4
    for (int part = 0; part < tile * step / cuda_threads; ++part) {
      const int i = static_cast<int>(threadIdx.x) + part * cuda_threads;
      const int r = i / step, c = i % step;
      left[c * pitch + r] = r < rows && c < keys ? from[r * n + c] : 0;
    }
    load_rows<step, head>(v + (of_head * n + key) * head, head, keys, right);
    __syncthreads();
    multiply<step>(sum, left, pitch, right, head);
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < each; ++r) {
#pragma unroll
    for (int c = 0; c < wide; ++c) {
      const int i = down() * each + r;
      if (i < rows) out[(of_head * n + row + i) * head + across() + c * side] = sum[r][c];
    }
  }
}

// Over the 16 threads of a row of the square.
__device__ float largest_of_row(float mine) {
#pragma unroll
  for (int apart = side / 2; apart > 0; apart /= 2) mine = fmaxf(mine, __shfl_xor_sync(0xFFFFFFFFU, mine, apart));
  return mine;
}
__device__ float sum_of_row(float mine) {
#pragma unroll
  for (int apart = side / 2; apart > 0; apart /= 2) mine += __shfl_xor_sync(0xFFFFFFFFU, mine, apart);
  return mine;
}

template <int head>
__device__ void tiled(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
                      float* __restrict__ out, std::int64_t n, bool causal) {
  constexpr int tile = ridge::attention::tile_of<head>, step = ridge::attention::depth_step;
  constexpr int pitch = tile + 1, key_pitch = step + 1, each = tile / side, narrow = step / side, wide = head / side;
  __shared__ float queries[head * pitch], weights[step * pitch];
  __shared__ float right[head * key_pitch];  // keys, turned; then their values
  const std::int64_t tiles = (n + tile - 1) / tile;
  const std::int64_t of_head = blockIdx.x / tiles, row = blockIdx.x % tiles * tile;
  const int rows = at_most(n - row, tile);
  const std::int64_t end = causal && row + tile < n ? row + tile : n;
  load_turned<tile, head>(q + (of_head * n + row) * head, head, rows, root_of_head(head), queries, pitch);
  float sum[each][wide] = {}, max[each], total[each];
#pragma unroll
  for (int r = 0; r < each; ++r) max[r] = none, total[r] = 0;
#pragma unroll 1
  for (std::int64_t key = 0; key < end; key += step) {
    const int keys = at_most(end - key, step);
    load_turned<step, head>(k + (of_head * n + key) * head, head, keys, 1, right, key_pitch);
    __syncthreads();
    float score[each][narrow] = {};
    multiply<head>(score, queries, pitch, right, key_pitch);
#pragma unroll
    for (int r = 0; r < each; ++r) {
      // A query sees the first key of every block below its own; of one that it sees none of, all weights are 0.
      const std::int64_t seen = causal ? row + down() * each + r + 1 - key : keys;
      float most = max[r];
#pragma unroll
      for (int c = 0; c < narrow; ++c) {
        const int j = across() + c * side;
        if (j >= seen || j >= keys) score[r][c] = none;
        most = fmaxf(most, score[r][c]);
      }
      most = largest_of_row(most);
      const float keep = __expf(max[r] - most);
      max[r] = most;
      float more = 0;
#pragma unroll
      for (int c = 0; c < narrow; ++c) {
        const float weight = __expf(score[r][c] - most);
        more += weight;
        weights[(across() + c * side) * pitch + down() * each + r] = weight;
      }
      total[r] = __fmaf_rn(total[r], keep, sum_of_row(more));
#pragma unroll
      for (int c = 0; c < wide; ++c) sum[r][c] *= keep;
    }
    __syncthreads();
    load_rows<step, head>(v + (of_head * n + key) * head, head, keys, right);
    __syncthreads();
    multiply<step>(sum, weights, pitch, right, head);
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < each; ++r) {
    const float by = __frcp_rn(total[r]);
#pragma unroll
    for (int c = 0; c < wide; ++c) {
      const int i = down() * each + r;
      if (i < rows) out[(of_head * n + row + i) * head + across() + c * side] = sum[r][c] * by;
    }
  }
}

}  // namespace

#define RIDGE_ATTENTION_KERNELS(head)                                                           \
  extern "C" __global__ __launch_bounds__(cuda_threads) void attention_scores_##head(           \
      const float* q, const float* k, float* to, std::int64_t n, int causal) {                  \
    scores<head>(q, k, to, n, causal != 0);                                                     \
  }                                                                                             \
  extern "C" __global__ __launch_bounds__(cuda_threads) void attention_values_##head(           \
      const float* weights, const float* v, float* out, std::int64_t n, int causal) {           \
    values<head>(weights, v, out, n, causal != 0);                                              \
  }                                                                                             \
  extern "C" __global__ __launch_bounds__(cuda_threads) void attention_tiled_##head(            \
      const float* q, const float* k, const float* v, float* out, std::int64_t n, int causal) { \
    tiled<head>(q, k, v, out, n, causal != 0);                                                  \
  }                                                                                             \
  RIDGE_KERNEL_MATCHES(attention_scores_##head, ridge::attention::cuda_scores_##head);          \
  RIDGE_KERNEL_MATCHES(attention_values_##head, ridge::attention::cuda_values_##head);          \
  RIDGE_KERNEL_MATCHES(attention_tiled_##head, ridge::attention::cuda_tiled_##head)

RIDGE_ATTENTION_KERNELS(64);
RIDGE_ATTENTION_KERNELS(128);

// Scores behind the last that a row sees come to exp(−∞) = 0, and are stored as far as its tile goes.
extern "C" __global__ __launch_bounds__(cuda_threads) void attention_softmax(float* scores, std::int64_t n,
                                                                             std::int64_t rows, int causal) {
  __shared__ float words[2][warps];
  Joining joined{words};
  const std::int64_t row = blockIdx.x;
  if (row >= rows) return;
  const std::int64_t tile = row % n / square * square + square;
  const int seen = static_cast<int>(causal != 0 ? row % n + 1 : n);
  const int end = static_cast<int>(causal == zeros_in_tile && tile < n ? tile : n);
  float* const x = scores + row * n;
  Share share = loaded(x, seen, none);
  const float max = joined.for_all(largest_of(share), Largest{});
  const float by = __frcp_rn(joined.for_all(exponentials(share, max), Sum{}));
  store(x, end, [&](int place) { return share.at[place] * by; });
}
RIDGE_KERNEL_MATCHES(attention_softmax, ridge::attention::cuda_softmax);
