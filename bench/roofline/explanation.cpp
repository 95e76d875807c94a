// The family's prose.
#include "bench/roofline/explanation.hpp"

namespace ridge::bench::roofline {
namespace {

const char* const under_the_roof =
    "attainable FLOP/s = min(peak, bandwidth × intensity), intensity = operations / bytes; the percentage beside flops "
    "is that of attainable. Peak and bandwidth are those that the same run measured: roofline.peak of that type, and "
    "the best of "
    "read, copy, triad, dot and gemv in the memory level that the data sits in (of those that only read, where the "
    "kernel writes less than a twentieth of its bytes; a gemv that reads faster than read does is at its own roof).";

const char* const spoil_roof =
    "Taking the ceiling from another machine, another day, or a data sheet: shares then say nothing. Data that sits in "
    "another level than the ceiling's. Counting bytes that a cache saved. Fewer threads for the kernel than for the "
    "ceiling.";

Explanation of_peak() {
  Explanation text;
  text.measures =
      "How many floating-point operations a second the cores do when nothing holds them back: twelve independent "
      "vectors of chained multiply-adds, on arrays that stay in the first-level cache. On a GPU as many threads as it "
      "holds, each with two chains of f64, four of f32 or four of pairs of 16-bit numbers.";
  text.formula =
      "flops = operations / seconds; ridge_point = flops / bandwidth of memory that reads and writes: kernels with "
      "fewer operations on each byte than that wait for memory.";
  text.counting = "two operations for each fused multiply-add; loads and stores of the arrays are not counted";
  text.spoil =
      "Fewer independent chains than units × latency (8 to 12). An instruction set chosen at compile time. A clock "
      "that "
      "falls when all cores multiply at once: that is the true peak, a short run on one core is not. A neighbour on "
      "the "
      "other thread of the same core.";
  text.normal =
      "cores × clock × 2 multiply-add units × 2 operations × lanes (f64: 4 with AVX2, 8 with AVX-512, 2 with NEON; f32 "
      "twice that). Ridge reaches it within two per cent where a core is its own. On a GPU: multiprocessors × clock × "
      "multiply-add lanes of the type × 2. Never measured by us there: no GPU was there.";
  return text;
}

Explanation of_dots(bool whole_numbers) {
  Explanation text;
  text.measures =
      "How many products a second the dot-product instructions of the CPU, or the matrix units of the GPU, multiply "
      "and "
      "add up when operands and sums stay on the core or the multiprocessor (in registers; of wgmma and tcgen05 in "
      "shared and tensor memory): the roof of a matrix product of that type.";
  text.formula = whole_numbers ? "ops = operations / seconds" : "flops = operations / seconds";
  text.counting =
      "two operations for each product: 2·M·N·K of a GPU's instruction, 2 · products · lanes of a CPU's, which the "
      "record names. On the reference machine mma is executed and counted by type; wgmma and tcgen05, which few "
      "architectures have, are not provable there.";
  text.spoil =
      "One sum instead of several independent ones: each instruction then waits for the one before it. Zeroes, which "
      "let the clock rise: timed operands have full mantissas. Comparing with a data sheet that counts sparse "
      "matrices. "
      "An emulation in place of a missing instruction: a CPU without one is skipped, with the reason.";
  text.normal =
      "CPU with such instructions: bf16 twice, int8 four times the f32 peak. GPU: where the architecture has an "
      "instruction of its own (wgmma at compute capability 9.0, tcgen05 at 10.0 and, but for int8, 10.3), that one is "
      "measured beside mma, "
      "which reaches only a part of the data sheet's rate there; the report names the best of them and of a library. "
      "None was measured by us: no GPU, and no CPU with such instructions, was there.";
  return text;
}

Explanation of_ladder() {
  Explanation text;
  text.measures =
      "The roofline itself: each element is read and written once, and between the two as many chained multiply-adds "
      "are done as the intensity asks for. Low steps wait for memory, high ones for the arithmetic.";
  text.formula = under_the_roof;
  text.counting =
      "each element read once and written once; two operations for each fused multiply-add (the lowest step, "
      "of one operation, multiplies)";
  text.spoil = spoil_roof;
  text.normal =
      "Within 10 % of the roof away from the ridge point. Near it both terms matter and the sum shows: the time is at "
      "most bytes/bandwidth + operations/peak (nothing overlaps: half of the roof at the ridge itself) and at least "
      "the "
      "larger of the two. Prefetching and out-of-order execution decide where between them a machine lies. Amdahl's "
      "law "
      "is the same shape: where a share s of the time waits for memory, no peak however high gains more than a factor "
      "of "
      "1 / s, and on the slope s is 1.";
  return text;
}

Explanation of_kernel(const char* measures, const char* counting, const char* normal) {
  Explanation text;
  text.measures = measures;
  text.formula = under_the_roof;
  text.counting = counting;
  text.spoil = spoil_roof;
  text.normal = normal;
  return text;
}

}  // namespace

Explanation explanation(Kind kind) {
  switch (kind) {
    case Kind::peak:
      return of_peak();
    case Kind::dot_peak:
      return of_dots(false);
    case Kind::dot_ops:
      return of_dots(true);
    case Kind::ladder:
      return of_ladder();
    case Kind::stencil:
      return of_kernel(
          "How near a 7-point stencil comes to memory's speed when each point should come from memory once "
          "and six times from a cache.",
          "each point that is needed read once, each interior point written once; 8 operations a point: 0.5 "
          "FLOP/B in f64, 1 in f32",
          "40 to 65 % of its roof: ordinary stores read each line of the target first, which is counted nowhere and "
          "bounds it to two thirds; a third of that where three planes of a band of rows fit in no cache.");
    case Kind::spmv:
      return of_kernel(
          "How near a sparse matrix-vector product comes to memory's speed with a matrix whose columns lie "
          "in a band that a second-level cache holds.",
          "values, 4-byte columns, 8-byte row starts and x read once, y written once; 2 operations a "
          "nonzero: 0.15 FLOP/B in f64, 0.23 in f32",
          "60 to 80 % of its roof on the machine of the README: gathering x costs instructions, and short rows leave "
          "few in flight.");
    case Kind::gemv:
      return of_kernel(
          "How near a dense matrix-vector product comes to memory's speed: it only reads, and each element "
          "once.",
          "A and x read once, y written once; 2 operations an element of A: 0.25 FLOP/B in f64",
          "90 % of its roof and more; what is missing is the ends of rows.");
    case Kind::gemm:
      break;
  }
  return of_kernel(
      "How near a product of square matrices that is blocked for the caches comes to the peak. It is no "
      "tuned library.",
      "A and B read once, C written once (the least that can move); 2·n³ operations: n/12 FLOP/B in f64",
      "About 70 % of the peak at n = 1024 on the machine of the README: packing, the edges of blocks and waiting for C "
      "cost "
      "the rest; tuned libraries reach 90.");
}

Explanation borrowed_explanation(const Explanation& of_bandwidth, bool operations) {
  Explanation text = of_bandwidth;
  text.measures += operations ? " Here it stands under the roof as well."
                              : " Here it is a ceiling: what memory-bound "
                                "kernels are measured against.";
  if (operations) text.formula += std::string(". ") + under_the_roof;
  return text;
}

}  // namespace ridge::bench::roofline
