// Both forms on the GPU: a kernel for each pass, and one for all. A block holds a row in its threads' registers, so the
// fused form goes over memory once, however often its mathematics goes over the row.
#include "kernels/fused/row_share.cuh"

#define RIDGE_FUSED_KERNEL(step)                                                \
  extern "C" __global__ void fused_##step(const Operands o, std::int64_t rows); \
  RIDGE_KERNEL_MATCHES(fused_##step, ridge::fused::step.kernel);                \
  extern "C" __global__ __launch_bounds__(row_threads) void fused_##step(const Operands o, std::int64_t rows)

extern "C" __global__ void fused_chain(float* x, std::int64_t count, int from, int ops) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  auto* const pieces = reinterpret_cast<float4*>(x);
#pragma unroll 1
  for (std::int64_t i = first; i < count / 4; i += step) {
    float4 v = pieces[i];
#pragma unroll 4
    for (int op = 0; op < ops; ++op) {
      const float added = static_cast<float>(from + op);
      v.x = __fmaf_rn(v.x, 0.5F, added);
      v.y = __fmaf_rn(v.y, 0.5F, added);
      v.z = __fmaf_rn(v.z, 0.5F, added);
      v.w = __fmaf_rn(v.w, 0.5F, added);
    }
    pieces[i] = v;
  }
  const std::int64_t last = count / 4 * 4 + first;
  if (last >= count) return;
  float v = x[last];
#pragma unroll 1
  for (int op = 0; op < ops; ++op) v = __fmaf_rn(v, 0.5F, static_cast<float>(from + op));
  x[last] = v;
}
RIDGE_KERNEL_MATCHES(fused_chain, ridge::fused::cuda_chain);

RIDGE_FUSED_KERNEL(add_bias) {
  const int columns = static_cast<int>(o.columns);
  const Share bias = loaded(o.bias, columns, 0);
  each_row(rows, [&](std::int64_t row) {
    float* const x = o.x + row * columns;
    Share share = loaded(x, columns, 0);
    store(x, columns, [&](int place) { return share.at[place] + bias.at[place]; });
  });
}

RIDGE_FUSED_KERNEL(apply_gelu) {
  const int columns = static_cast<int>(o.columns);
  each_row(rows, [&](std::int64_t row) {
    float* const x = o.x + row * columns;
    Share share = loaded(x, columns, 0);
    store(x, columns, [&](int place) { return gelu(share.at[place]); });
  });
}

RIDGE_FUSED_KERNEL(apply_relu) {
  const int columns = static_cast<int>(o.columns);
  each_row(rows, [&](std::int64_t row) {
    float* const x = o.x + row * columns;
    const Share share = loaded(x, columns, 0);
    store(x, columns, [&](int place) { return fmaxf(share.at[place], 0); });
  });
}

RIDGE_FUSED_KERNEL(add_residual) {
  const int columns = static_cast<int>(o.columns);
  each_row(rows, [&](std::int64_t row) {
    float* const x = o.x + row * columns;
    Share share = loaded(x, columns, 0);
    const Share residual = loaded(o.residual + row * columns, columns, 0);
    store(x, columns, [&](int place) { return share.at[place] + residual.at[place]; });
  });
}

RIDGE_FUSED_KERNEL(bias_gelu) {
  const int columns = static_cast<int>(o.columns);
  const Share bias = loaded(o.bias, columns, 0);
  each_row(rows, [&](std::int64_t row) {
    float* const x = o.x + row * columns;
    Share share = loaded(x, columns, 0);
    const Share residual = loaded(o.residual + row * columns, columns, 0);
    store(x, columns, [&](int place) { return gelu(share.at[place] + bias.at[place]) + residual.at[place]; });
  });
}

RIDGE_FUSED_KERNEL(apply_dropout) {
  const int columns = static_cast<int>(o.columns);
  each_row(rows, [&](std::int64_t row) {
    float* const x = o.x + row * columns;
    const Share share = loaded(x, columns, 0);
    const Kept kept(o.dropout, row);
    store(x, columns, [&](int place) { return share.at[place] * kept.factor(place); });
  });
}

RIDGE_FUSED_KERNEL(bias_gelu_dropout) {
  const int columns = static_cast<int>(o.columns);
  const Share bias = loaded(o.bias, columns, 0);
  each_row(rows, [&](std::int64_t row) {
    float* const x = o.x + row * columns;
    const Share share = loaded(x, columns, 0);
    const Share residual = loaded(o.residual + row * columns, columns, 0);
    const Kept kept(o.dropout, row);
    store(x, columns, [&](int place) {
      return __fmaf_rn(gelu(share.at[place] + bias.at[place]), kept.factor(place), residual.at[place]);
    });
  });
}

// The largest element of each row.
RIDGE_FUSED_KERNEL(row_max) {
  __shared__ float words[2][warps];
  Joining joined{words};
  const int columns = static_cast<int>(o.columns);
  each_row(rows, [&](std::int64_t row) {
    joined.for_first(largest_of(loaded(o.x + row * columns, columns, -infinity)), Largest{},
                     [&](float max) { o.stats[2 * row] = max; });
  });
}

RIDGE_FUSED_KERNEL(row_exponentials) {
  __shared__ float words[2][warps];
  Joining joined{words};
  const int columns = static_cast<int>(o.columns);
  each_row(rows, [&](std::int64_t row) {
    float* const x = o.x + row * columns;
    Share share = loaded(x, columns, -infinity);
    joined.for_first(exponentials(share, o.stats[2 * row]), Sum{}, [&](float sum) { o.stats[2 * row + 1] = sum; });
    store(x, columns, [&](int place) { return share.at[place]; });
  });
}

RIDGE_FUSED_KERNEL(divide_by_sum) {
  const int columns = static_cast<int>(o.columns);
  each_row(rows, [&](std::int64_t row) {
    float* const x = o.x + row * columns;
    Share share = loaded(x, columns, 0);
    const float by = __frcp_rn(o.stats[2 * row + 1]);
    store(x, columns, [&](int place) { return share.at[place] * by; });
  });
}

RIDGE_FUSED_KERNEL(softmax) {
  __shared__ float words[2][warps];
  Joining joined{words};
  const int columns = static_cast<int>(o.columns);
  each_row(rows, [&](std::int64_t row) {
    float* const x = o.x + row * columns;
    Share share = loaded(x, columns, -infinity);
    const float max = joined.for_all(largest_of(share), Largest{});
    const float by = __frcp_rn(joined.for_all(exponentials(share, max), Sum{}));
    store(x, columns, [&](int place) { return share.at[place] * by; });
  });
}

RIDGE_FUSED_KERNEL(row_squares) {
  __shared__ float words[2][warps];
  Joining joined{words};
  const int columns = static_cast<int>(o.columns);
  each_row(rows, [&](std::int64_t row) {
    joined.for_first(sum_of_squares(loaded(o.x + row * columns, columns, 0)), Sum{},
                     [&](float squares) { o.stats[2 * row] = squares; });
  });
}

// x = x · gamma / √mean square; `centred`: of x less its mean, and with beta.
template <bool centred>
__device__ void scale_rows(const Operands& o, std::int64_t rows) {
  const int columns = static_cast<int>(o.columns);
  const float per_column = __frcp_rn(static_cast<float>(columns));
  const Share gamma = loaded(o.bias, columns, 0);
  const Share beta = loaded(o.beta, centred ? columns : 0, 0);
  each_row(rows, [&](std::int64_t row) {
    float* const x = o.x + row * columns;
    const Share share = loaded(x, columns, 0);
    const float mean = centred ? o.stats[2 * row] : 0;
    const float rate = rate_of(o.stats[2 * row + (centred ? 1 : 0)], per_column);
    store(x, columns, [&](int place) {
      if constexpr (centred)
        return __fmaf_rn((share.at[place] - mean) * rate, gamma.at[place], beta.at[place]);
      else
        return share.at[place] * rate * gamma.at[place];
    });
  });
}

// The same of h = x + residual, all in one.
template <bool centred>
__device__ void norm(const Operands& o, std::int64_t rows) {
  __shared__ float words[2][warps];
  Joining joined{words};
  const int columns = static_cast<int>(o.columns);
  const float per_column = __frcp_rn(static_cast<float>(columns));
  const Share gamma = loaded(o.bias, columns, 0);
  const Share beta = loaded(o.beta, centred ? columns : 0, 0);
  each_row(rows, [&](std::int64_t row) {
    float* const x = o.x + row * columns;
    Share share = loaded(x, columns, 0);
    const Share residual = loaded(o.residual + row * columns, columns, 0);
    each_place([&](int place) { share.at[place] += residual.at[place]; });
    if constexpr (centred) subtract(share, joined.for_all(sum_of(share), Sum{}) * per_column, columns);
    const float rate = rate_of(joined.for_all(sum_of_squares(share), Sum{}), per_column);
    store(x, columns, [&](int place) {
      if constexpr (centred)
        return __fmaf_rn(share.at[place] * rate, gamma.at[place], beta.at[place]);
      else
        return share.at[place] * rate * gamma.at[place];
    });
  });
}

RIDGE_FUSED_KERNEL(scale_by_rms) {
  scale_rows<false>(o, rows);
}

RIDGE_FUSED_KERNEL(normalise) {
  scale_rows<true>(o, rows);
}

RIDGE_FUSED_KERNEL(rmsnorm) {
  norm<false>(o, rows);
}

RIDGE_FUSED_KERNEL(layernorm) {
  norm<true>(o, rows);
}

RIDGE_FUSED_KERNEL(row_mean) {
  __shared__ float words[2][warps];
  Joining joined{words};
  const int columns = static_cast<int>(o.columns);
  const float per_column = __frcp_rn(static_cast<float>(columns));
  each_row(rows, [&](std::int64_t row) {
    joined.for_first(sum_of(loaded(o.x + row * columns, columns, 0)), Sum{},
                     [&](float sum) { o.stats[2 * row] = sum * per_column; });
  });
}

RIDGE_FUSED_KERNEL(row_variance) {
  __shared__ float words[2][warps];
  Joining joined{words};
  const int columns = static_cast<int>(o.columns);
  each_row(rows, [&](std::int64_t row) {
    Share share = loaded(o.x + row * columns, columns, 0);
    subtract(share, o.stats[2 * row], columns);
    joined.for_first(sum_of_squares(share), Sum{}, [&](float squares) { o.stats[2 * row + 1] = squares; });
  });
}

RIDGE_FUSED_KERNEL(row_sum_of_exponentials) {
  __shared__ float words[2][warps];
  Joining joined{words};
  const int columns = static_cast<int>(o.columns);
  each_row(rows, [&](std::int64_t row) {
    Share share = loaded(o.x + row * columns, columns, -infinity);
    joined.for_first(exponentials(share, o.stats[2 * row]), Sum{}, [&](float sum) { o.stats[2 * row + 1] = sum; });
  });
}

RIDGE_FUSED_KERNEL(subtract_log_sum) {
  const int columns = static_cast<int>(o.columns);
  each_row(rows, [&](std::int64_t row) {
    float* const x = o.x + row * columns;
    Share share = loaded(x, columns, 0);
    const float less = o.stats[2 * row] + __logf(o.stats[2 * row + 1]);
    store(x, columns, [&](int place) { return share.at[place] - less; });
  });
}

// A thread for a row.
RIDGE_FUSED_KERNEL(pick_label) {
#pragma unroll 1
  for (std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * row_threads + threadIdx.x; row < rows;
       row += static_cast<std::int64_t>(gridDim.x) * row_threads)
    o.loss[row] = -o.x[row * o.columns + o.labels[row]];
}

RIDGE_FUSED_KERNEL(cross_entropy) {
  __shared__ float words[2][warps];
  Joining joined{words};
  const int columns = static_cast<int>(o.columns);
  each_row(rows, [&](std::int64_t row) {
    const float* const x = o.x + row * columns;
    Share share = loaded(x, columns, -infinity);
    const float max = joined.for_all(largest_of(share), Largest{});
    joined.for_first(exponentials(share, max), Sum{},
                     [&](float sum) { o.loss[row] = max + __logf(sum) - x[o.labels[row]]; });
  });
}
