// What a number type costs in accuracy, computed with every rounding that the type makes. Deterministic for a seed.
#pragma once

#include <cstdint>

#include "kernels/formats/formats.hpp"

namespace ridge::precision {

// normal: mean 0, variance 1. positive: uniform in (0, 1), so that sums grow with k instead of √k. wide: normal, times
// 2^u with u uniform in [−20, 20], beyond the range of the narrow types.
enum class Data { normal, positive, wide };

// f32: inputs of the type, products exact, sums rounded to f32, as matrix units do. same: product and sum each rounded
// to the type itself.
enum class Accumulate { f32, same };

struct ProductQuestion {
  formats::Format type;
  Accumulate accumulate = Accumulate::f32;
  Data data = Data::normal;
  std::int64_t k = 0;
  std::uint64_t seed = 0;
};

// Of C = A·B with A (side, k), B (k, side): what came out, against the same sums in f64.
struct ProductErrors {
  double error = 0;         // ‖C − C64‖ / ‖C64‖, Frobenius; C64 of the inputs before they were rounded
  double worst = 0;         // the largest |c − c64| / Σ|a·b|
  double accumulation = 0;  // ‖C − C̃64‖ / ‖C64‖; C̃64 of the rounded inputs: what adding alone costs
  // The largest |c − c̃64| / (γ·Σ|ã·b̃|), γ = n·u / (1 − n·u) for n roundings of unit u each: above 1 no correct rounding
  // gives. 0 where n·u ≥ 1, for then nothing is promised, and where numbers left the range.
  double worst_bound_share = 0;
  std::int64_t overflows = 0;   // results beyond the largest number, of rounding inputs, products and sums
  std::int64_t underflows = 0;  // nonzero ones that became zero
  // Inputs, and the last entry of C where it is summed in the type itself, that the code-by-code way rounds otherwise:
  // 0, or the code is wrong.
  std::int64_t off_reference = 0;
};
inline constexpr std::int64_t product_side = 16;
ProductErrors product_errors(const ProductQuestion& question);

// 1 + 1 + 1 + … in the type, until adding one more changes nothing: 2^precision, where the next whole number is no
// longer among the type's, and the tie goes to even.
double sum_of_ones(formats::Format type);

// Gradients with log2|g| normal, mean −22 and deviation 5: a model of what is published of networks, not a network.
inline constexpr double gradient_mean = -22;
inline constexpr double gradient_deviation = 5;
inline constexpr std::int64_t gradient_count = 1 << 18;
struct GradientLoss {
  double lost = 0;        // share that became zero
  double overflowed = 0;  // share beyond the largest number
  double error = 0;       // ‖g̃/s − g‖ / ‖g‖ where nothing overflowed; else not finite
};
// Gradients times `scale`, rounded to the type, divided by it again.
GradientLoss scaled_gradients(formats::Format type, double scale, std::uint64_t seed);
// The same shares by the normal distribution.
GradientLoss predicted_gradients(formats::Format type, double scale);

// Updates Δ of weights w, with log2(Δ/|w|) uniform in [−18, −6], eight steps each in one direction.
inline constexpr double least_update = -18;
inline constexpr double most_update = -6;
inline constexpr std::int64_t weight_count = 1 << 16;
inline constexpr int update_steps = 8;
struct UpdateLoss {
  double lost = 0;   // share of updates that left the weight as it was
  double error = 0;  // ‖w − w64‖ / ‖w64 − w₀‖ after all steps: of the way that should have been gone
};
UpdateLoss updated_weights(formats::Format weights, std::uint64_t seed);
// An update is lost below half a unit in the last place: Δ/|w| < 2^−p / s for a significand s in [1, 2), log2 s about
// uniform.
double predicted_lost_updates(formats::Format weights);

}  // namespace ridge::precision
