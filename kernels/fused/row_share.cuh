// What the row-wise kernels are made of: a thread's share of a row in registers, and values joined over a block.
#pragma once

#include "kernels/fused/fused_kernels.hpp"

namespace {

using ridge::fused::Operands;
using ridge::fused::row_places;
using ridge::fused::row_threads;

constexpr int warps = row_threads / 32;

// What a thread has of a row.
struct Share {
  float at[row_places];
};

template <class Body>
__device__ void each_place(const Body& body) {
#pragma unroll
  for (int place = 0; place < row_places; ++place) body(place);
}

// Body(place, column) for the columns that there are.
template <class Body>
__device__ void each_column(int columns, const Body& body) {
  each_place([&](int place) {
    const int column = static_cast<int>(threadIdx.x) + place * row_threads;
    if (column < columns) body(place, column);
  });
}

__device__ Share loaded(const float* from, int columns, float beyond) {
  Share share;
  each_place([&](int place) { share.at[place] = beyond; });
  each_column(columns, [&](int place, int column) { share.at[place] = from[column]; });
  return share;
}

// to[column] = value(place): computed for the columns that there are.
template <class Value>
__device__ void store(float* to, int columns, const Value& value) {
  each_column(columns, [&](int place, int column) { to[column] = value(place); });
}

struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Largest {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// Values of a block's threads joined, for all of them or for the first. Two sets of words take turns: a warp that is at
// the next value already does not write what another still reads.
struct Joining {
  float (&words)[2][warps];
  int turn = 0;

  template <class Join>
  __device__ float for_all(float mine, const Join& join) {
    leave(mine, join);
    return of_warps(join);
  }
  template <class Join, class Use>
  __device__ void for_first(float mine, const Join& join, const Use& use) {
    leave(mine, join);
    if (threadIdx.x == 0) use(of_warps(join));
  }

 private:
  template <class Join>
  __device__ void leave(float mine, const Join& join) {
    turn ^= 1;
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = join(mine, __shfl_xor_sync(0xFFFFFFFFU, mine, apart));
    if (threadIdx.x % 32 == 0) words[turn][threadIdx.x / 32] = mine;
    __syncthreads();
  }
  template <class Join>
  __device__ float of_warps(const Join& join) const {
    float all = words[turn][0];
#pragma unroll
    for (int warp = 1; warp < warps; ++warp) all = join(all, words[turn][warp]);
    return all;
  }
};

__device__ float largest_of(const Share& share) {
  float max = share.at[0];
  each_place([&](int place) { max = fmaxf(max, share.at[place]); });
  return max;
}

// Σ exp(x − max), and x becomes what is added; places beyond the row hold −∞ and add nothing.
__device__ float exponentials(Share& share, float max) {
  float sum = 0;
  each_place([&](int place) {
    share.at[place] = __expf(share.at[place] - max);
    sum += share.at[place];
  });
  return sum;
}

__device__ float sum_of(const Share& share) {
  float sum = 0;
  each_place([&](int place) { sum += share.at[place]; });
  return sum;
}
__device__ float sum_of_squares(const Share& share) {
  float sum = 0;
  each_place([&](int place) { sum = __fmaf_rn(share.at[place], share.at[place], sum); });
  return sum;
}

// Less `mean`; places beyond the row become 0.
__device__ void subtract(Share& share, float mean, int columns) {
  each_place([&](int place) {
    const bool inside = static_cast<int>(threadIdx.x) + place * row_threads < columns;
    const float less = share.at[place] - mean;
    share.at[place] = inside ? less : 0;
  });
}

__device__ float rate_of(float squares, float per_column) {
  return rsqrtf(__fmaf_rn(squares, per_column, ridge::fused::epsilon));
}

__device__ float gelu(float x) {
  const float cube = x * x * x;
  return __fdividef(x, 1.0F + __expf(-2 * 0.7978845608028654F * __fmaf_rn(0.044715F, cube, x)));
}

// Which places of a thread's share are kept, a bit each: a call of Philox for four of them. One register, where their
// factors would be as many as the share's.
static_assert(ridge::fused::dropout_apart == row_threads && row_places % 4 == 0 && row_places <= 32);
struct Kept {
  std::uint32_t places;
  float scale;

  __device__ Kept(const ridge::fused::Dropout& dropout, std::int64_t row) : places(0), scale(dropout.scale) {
#pragma unroll 1
    for (int four = 0; four < row_places / 4; ++four) {
      const auto words = ridge::fused::dropout_words(dropout, row, four * row_threads + threadIdx.x);
#pragma unroll
      for (int i = 0; i < 4; ++i)
        if (words.at[i] >= dropout.below) places |= 1U << (4 * four + i);
    }
  }
  __device__ float factor(int place) const {
    return (places >> place & 1U) != 0 ? scale : 0;
  }
};

// What kernels do with each of a block's rows.
template <class Body>
__device__ void each_row(std::int64_t rows, const Body& body) {
#pragma unroll 1
  for (std::int64_t row = blockIdx.x; row < rows; row += gridDim.x) body(row);
}

constexpr float infinity = __builtin_huge_valf();

}  // namespace
