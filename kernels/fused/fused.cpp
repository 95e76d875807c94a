// The table of pairs.
#include "kernels/fused/fused.hpp"

namespace ridge::fused {

std::span<const Facts> all_facts() {
  static constexpr Facts all[] = {
      {Pair::chain, "chain", "x = x/2 + k, for k = 1 … ops", 1, 1, 1, 1, 1, 2, false},
      {Pair::bias_gelu, "bias_gelu", "x = gelu(x + bias) + residual", 3, 4, 3, 2, 1, 9, true, 1, 1, 1},
      {Pair::softmax, "softmax", "x = exp(x − max) / Σ exp(x − max), by row", 3, 3, 2, 1, 1, 5, false, 1, 1, 1},
      {Pair::rmsnorm, "rmsnorm", "h = x + residual; x = h · gamma / √(mean h² + ε), by row", 3, 4, 2, 2, 1, 5, true},
      {Pair::layernorm, "layernorm", "h = x + residual; x = (h − mean) · gamma / √(var + ε) + beta, by row", 4, 5, 2, 2,
       1, 8, true},
      {Pair::cross_entropy, "cross_entropy", "loss = max + log Σ exp(x − max) − x[label], by row", 4, 3, 1, 1, 0, 4,
       false, 1, 1, 0},
      {Pair::bias_gelu_dropout, "bias_gelu_dropout", "x = dropout(gelu(x + bias)) + residual", 4, 5, 4, 2, 1, 10, true,
       2, 2, 2},
  };
  return all;
}

const Facts& facts_of(Pair pair) {
  return all_facts()[static_cast<std::size_t>(pair)];
}

Sides cpu_kernels(Pair pair) {
  const bool elementwise = pair == Pair::chain || pair == Pair::bias_gelu || pair == Pair::bias_gelu_dropout;
  return elementwise ? elementwise_cpu_kernels(pair) : row_wise_cpu_kernels(pair);
}

}  // namespace ridge::fused
