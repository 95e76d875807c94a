// The same mathematics as a framework would launch it, a pass over the whole array for each step, and fused into one.
//
// x (rows, columns) of f32, changed in place by both forms. Passes, with the arrays' worth of memory that each moves
// (r read, w written, of rows · columns elements; vectors of a row's or a column's length are not counted):
//
//   chain          `ops` passes    x = x/2 + (pass + 1)                                    r w each
//   bias_gelu      3 passes        x += bias; x = gelu(x); x += residual                   rw, rw, rrw
//   bias_gelu_dropout  4 passes    the same with x = dropout(x) behind gelu (dropout.hpp)  rw, rw, rw, rrw
//   softmax        3 passes        row maximum; x = exp(x − max), row sum; x /= sum        r, rw, rw
//   rmsnorm        3 passes        x += residual; row Σ x²; x *= gamma / √(Σx²/columns + ε)       rrw, r, rw
//   layernorm      4 passes        x += residual; row mean; row variance; x = (x − mean)·gamma/√(var + ε) + beta
//                                                                                          rrw, r, r, rw
//   cross_entropy  4 passes        row maximum; row Σ exp(x − max); x = x − max − log Σ; loss = −x[label]   r, r, rw, –
//
// Fused, each element of x and of the residual is read once and each result written once (cross_entropy writes the
// losses alone and leaves x as it is).
//
// gelu(x) = x / (1 + exp(−2u)), u = √(2/π) (x + 0.044715 x³): the tanh form (Hendrycks, Gimpel, "Gaussian error linear
// units", 2016).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "kernels/fused/dropout.hpp"

namespace ridge::fused {

inline constexpr float epsilon = 1e-5F;

struct Operands {
  float* x = nullptr;                    // (rows, columns)
  const float* residual = nullptr;       // (rows, columns), where the pair has one
  const float* bias = nullptr;           // (columns): bias, or gamma
  const float* beta = nullptr;           // (columns)
  float* stats = nullptr;                // (rows, 2): maxima, sums; for passes
  float* loss = nullptr;                 // (rows)
  const std::int32_t* labels = nullptr;  // (rows), in [0, columns)
  std::int64_t columns = 0;
  int ops = 1;      // of a chain
  Dropout dropout;  // of the pair that has it
};

// Rows [begin, end) of one pass of the unfused form, or of the whole fused one (pass is not used).
using Kernel = void (*)(const Operands& operands, int pass, std::int64_t begin, std::int64_t end);

enum class Pair { chain, bias_gelu, softmax, rmsnorm, layernorm, cross_entropy, bias_gelu_dropout };

// What a pair does, in arrays of rows · columns elements and in operations for each element.
struct Facts {
  Pair pair;
  std::string_view name;
  std::string_view formula;
  int passes = 1;  // of the unfused form; a chain's times its ops
  int unfused_read = 0;
  int unfused_written = 0;
  int fused_read = 0;
  int fused_written = 0;
  // Additions, multiplications, divisions, comparisons; an exponential, logarithm or root is one; those of whole
  // numbers that random ones are drawn by are none.
  int operations = 0;
  bool has_residual = false;
  int specials = 0;  // of the operations: exponentials, and random numbers drawn, for each element
  // Of the one pass that computes exponentials, where there is one, and of that which draws random numbers: their
  // arithmetic may take longer than their bytes.
  int exponential_read = 0;
  int exponential_written = 0;
};
std::span<const Facts> all_facts();
const Facts& facts_of(Pair pair);

struct Sides {
  Kernel unfused = nullptr;
  Kernel fused = nullptr;
};
// For this processor.
Sides cpu_kernels(Pair pair);
// x = max(x, 0), for products that nothing else follows but a bias.
Kernel cpu_relu_pass();
// Those of a file each: cpu_kernels() knows which.
Sides elementwise_cpu_kernels(Pair pair);
Sides row_wise_cpu_kernels(Pair pair);

}  // namespace ridge::fused
