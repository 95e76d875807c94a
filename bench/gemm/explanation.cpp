// The family's prose.
#include "bench/gemm/explanation.hpp"

namespace ridge::bench::gemm {
namespace {

const char* const counting =
    "2·m·n·k operations for each product of the batch, whatever the library does; packing of B ahead of the product is "
    "left out and reported as packing_time, packing inside of the call is part of it";

const char* const how_checked =
    " Every entry is checked exactly on whole numbers (C·r = A·(B·r) modulo 2^64), and on normal numbers against f64 "
    "with the bound (k + 1)·2^-24·Σ|a·b| (f64: (k + 1)·2^-52): every entry up to 2^30 multiply-adds, beyond that rows "
    "and columns, the last among them.";

const char* const of_sums =
    " --accumulation half keeps sums in f16, for GPUs whose matrix units are faster so: their bound is "
    "(k + 1)·2^-11·Σ|a·b|, which says little of long sums, and the exact check is as it is.";

const char* const of_beta =
    " --beta adds what C held: C = A·B + beta·C, and reading C is counted. Each of the two products that are checked "
    "starts from a C that was filled anew. While time is taken C goes on from one repetition to the next: at 0.5 it "
    "comes to rest at 2·A·B, at 1 it grows by A·B, which f32 and f64 hold for longer than anything runs.";

}  // namespace

Explanation explanation_of_float() {
  Explanation text;
  text.measures =
      "How many floating-point operations a second a matrix product really gets, by number type and shape: through the "
      "library that a program would call, or through our own kernel.";
  text.formula = std::string(
                     "flops = 2·m·n·k·batch / seconds. share_of_library = flops / that of engine=library in the "
                     "same run; times_f32 = flops / that of f32. With roofline.peak in the same run, that is the "
                     "limit. share_of_beta_0 = flops / those of the same product without beta·C.") +
                 how_checked + of_sums + of_beta;
  text.counting = counting;
  text.spoil =
      "Data of zeroes, which some hardware multiplies faster. A library held back by OPENBLAS_CORETYPE, "
      "ONEDNN_MAX_CPU_ISA or OpenMP's variables: that becomes a finding. Threads of another library that still look "
      "for "
      "work. Square matrices only: a decode step is m = 1 to 256, and bound by reading B.";
  text.normal =
      "A tuned library reaches 80 to 95 % of the peak on large squares; f32 twice f64; bf16 twice f32 where the "
      "processor has a dot product of it, and skipped where not. At m = 1 every type is bound by the bandwidth of B.";
  return text;
}

Explanation explanation_of_int8() {
  Explanation text;
  text.measures =
      "How many operations a second a product of bytes gets: A unsigned, B signed, sums in 32 bits, as quantised "
      "networks have it.";
  text.formula =
      "ops = 2·m·n·k·batch / seconds, in OP/s: not FLOP/s. times_f32 = ops / the flops of f32 in the same run. "
      "Whole numbers: every entry must be exact. --beta adds what C held, even numbers of 21 bits, so that half of it "
      "is whole too; a GPU's library has whole factors only. While time is taken sums leave 32 bits at a beta of 1, "
      "which costs integers nothing.";
  text.counting = counting;
  text.spoil =
      "Values that overflow on the way: processors without a dot product of bytes add pairs of products in 16 bits and "
      "saturate. Here A is in [0, 255] and B in [-64, 63], so that no pair can; with B in [-128, 127] oneDNN's AVX2 "
      "kernel gives wrong sums, and its documentation says so.";
  text.normal =
      "Four times f32 where the processor has a dot product of bytes (AVX512_VNNI, AVX-VNNI, Arm's dot product), about "
      "twice where it has not.";
  return text;
}

Explanation explanation_of_tf32() {
  Explanation text;
  text.measures =
      "How many operations a second a GPU's library gets from f32 matrices when it may round their elements to tf32, "
      "10 "
      "bits of mantissa, on the way into the matrix units.";
  text.formula = std::string(
                     "tf32_flops = 2·m·n·k·batch / seconds: a metric of its own, as this is not what f32 is. Data has "
                     "10 bits of mantissa from the start, so nothing is lost.") +
                 how_checked + of_beta;
  text.counting = counting;
  text.spoil = "Comparing it with f32. A library that is allowed tf32 where f32 was meant gives eight times the rate.";
  text.normal = "On GPUs of data centres about half of bf16. Never measured here: no GPU has run it yet.";
  return text;
}

Explanation explanation_of_fp8() {
  Explanation text;
  text.measures =
      "How many operations a second a GPU's library gets from 8-bit floating-point numbers, with each way of scaling "
      "and "
      "of accumulating. e5m2, the type of gradients, is multiplied with e4m3.";
  text.formula = std::string(
                     "flops = 2·m·n·k·batch / seconds. Fast accumulation leaves sums in the matrix units: there the "
                     "bound is (k + 1)·2^-13·Σ|a·b|. All scales are alike and alpha undoes them, so a scale that is "
                     "forgotten makes a wrong answer.") +
                 how_checked + of_beta;
  text.counting = counting;
  text.spoil =
      "Fast accumulation where a model needs full. Zeroes. Shapes that are no multiples of 16: skipped, with the rule.";
  text.normal =
      "Twice bf16 on large squares, from compute capability 8.9 on. Never measured here: no GPU has run it yet.";
  return text;
}

Explanation explanation_of_fp4() {
  Explanation text;
  text.measures =
      "How many operations a second a GPU's library gets from 4-bit floating-point numbers (e2m1), each 16 of which "
      "along "
      "k have a scale of 8 bits (e4m3).";
  text.formula =
      std::string("flops = 2·m·n·k·batch / seconds. Scales are alike and alpha undoes them.") + how_checked + of_beta;
  text.counting = counting;
  text.spoil = "Taking its rate for that of a model whose activations stay in 8 or 16 bits.";
  text.normal =
      "Twice fp8, from compute capability 10.0 on; skipped before. Never measured here: no GPU has run it yet.";
  return text;
}

Explanation explanation_of_ladder() {
  Explanation text;
  text.measures =
      "What each idea of a fast matrix product is worth on this machine: the same product by kernels of rising "
      "cleverness. On a CPU the first four are on one thread. The last two are bf16: our own, by a dot product of "
      "pairs on a CPU that has one (AVX512_BF16, or BF16 of AArch64) and by the matrix units on a GPU; and the "
      "library's.";
  text.formula =
      "flops = 2·m·n·k / seconds; share_of_library = flops / those of the library on as many threads, of f32, or "
      "of bf16 for the steps of bf16; gain = flops / those of our own step before. On a GPU each tile T × T of C "
      "reads T rows and T columns, 2·n³/T elements in all: the reference machine counts exactly that, and 2·n³ "
      "operations where T divides n.";
  text.counting = counting;
  text.spoil =
      "A size that fits in a cache: the middle steps then gain nothing. A compiler that exchanges loops by itself; "
      "ours "
      "is told not to.";
  text.normal =
      "Each step is worth more than the one before until the registers are used; threads multiply by their number. The "
      "last of our own reaches 70 % and more of the library.";
  return text;
}

}  // namespace ridge::bench::gemm
