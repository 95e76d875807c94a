// The family's prose.
#include "bench/precision/explanation.hpp"

namespace ridge::bench::precision {

Explanation explanation_of_product() {
  Explanation text;
  text.measures =
      "How wrong a matrix product is in a number type, as its sums grow longer: with sums in f32, as matrix units keep "
      "them, and with sums in the type itself.";
  text.formula =
      "error = ‖C − C64‖ / ‖C64‖ (Frobenius), C64 by f64 from the inputs before they were rounded; worst_error = the "
      "largest |c − c64| / Σ|a·b|; accumulation_error = the same norm against f64 from the rounded inputs. With the "
      "unit roundoff u = 2^−p of the type and r = 0.425·u, the root mean square of a rounding error, predicted_error = "
      "√(2·r² + s²·k/2), s = 0.425·2^−24 for sums in f32; for sums in the type √(2·r² + r² + r²·k/2).";
  text.spoil =
      "Rounding twice (to f32 and then to the type). Data of one sign: sums then grow with k, and so do the errors of "
      "each addition. Taking the error against f64 of the rounded inputs for the error of the type: it leaves out what "
      "rounding the inputs costs, which is most of it with sums in f32.";
  text.normal =
      "With sums in f32 the error hardly depends on k: 0.6·u, which is 2.9e-4 for tf32 and f16, 2.3e-3 for bf16, "
      "3.8e-2 "
      "for e4m3. With sums in the type it grows like √k, and f16 at k = 16384 is wrong in the second digit. One sign "
      "(--data positive) is worse: sums stop growing where a term is less than half of their last place.";
  return text;
}

Explanation explanation_of_ones() {
  Explanation text;
  text.measures = "Where 1 + 1 + 1 + … stops growing: how long a sum a type can hold by itself.";
  text.formula =
      "stops_at = 2^p for p significant bits, the leading one included: there 2^p + 1 lies halfway between two numbers "
      "of the type, and the tie goes to the even one, 2^p.";
  text.spoil = "Keeping the sum in a wider register. Rounding ties away from zero: it would go on to 2^(p+1).";
  text.normal = "f32 16777216, tf32 and f16 2048, bf16 256, e4m3 16, e5m2 8, e2m1 4.";
  return text;
}

Explanation explanation_of_loss_scaling() {
  Explanation text;
  text.measures =
      "Which share of gradients a type turns into zero, and what multiplying the loss by a scale before, and dividing "
      "by it after, saves.";
  text.formula =
      "lost = share of gradients whose scaled value rounds to zero; with log2|g| normal (mean −22, deviation 5) "
      "predicted_lost = Φ((log2(least/2) − log2 scale + 22) / 5) for the type's least number, and likewise above its "
      "largest. error = ‖g̃ − g‖ / ‖g‖ after scaling back; absent where one overflowed.";
  text.spoil =
      "A scale so large that the largest gradients overflow: one infinity spoils the step, which is why scales are "
      "lowered when it happens. Taking the model for a network: its mean and deviation are chosen to resemble "
      "published "
      "histograms, and yours differ.";
  text.normal =
      "f16 loses about a quarter without scaling and almost none with 2^15; bf16 has the exponents of f32 and loses "
      "none "
      "at all, with eight times the rounding error; the 8-bit types need a scale for each tensor.";
  return text;
}

Explanation explanation_of_master_weights() {
  Explanation text;
  text.measures =
      "Which share of updates leaves the weight as it was, where weights are kept in a short type, and what a copy in "
      "f32 "
      "changes.";
  text.formula =
      "An update Δ of a weight w = s·2^e is lost where Δ < 2^(e−p), half of the last place. With log2(Δ/w) uniform in "
      "[−18, −6] and log2 s in [0, 1): predicted_lost = (18 − p − 1/2) / 12. error = ‖w − w64‖ / ‖w64 − w₀‖ after "
      "eight "
      "updates in one direction: 1 means that the weights did not learn.";
  text.spoil =
      "Updates in random directions: they cancel in the sum, and the loss does not show. Stochastic rounding, which is "
      "another remedy and is not measured here.";
  text.normal = "f16 loses 54 %, bf16 79 %; with a copy in f32 none, at four more bytes a weight.";
  return text;
}

}  // namespace ridge::bench::precision
