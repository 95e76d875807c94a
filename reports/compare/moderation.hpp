// Noise pooled over metrics: empirical-Bayes moderation of variances after Smyth (2004), as in limma.
#pragma once

#include <span>

namespace ridge::compare {

// One metric's sample variance and the degrees of freedom behind it.
struct Spread {
  double variance = 0;
  double freedom = 0;
};

// What all metrics together say of one metric's variance: scaled inverse χ² with `freedom` degrees around `variance`.
// freedom 0: nothing is known beside the metric's own runs.
struct Prior {
  double variance = 0;
  double freedom = 0;
};

// Matches the mean and variance of log s² (Smyth 2004, section 6.2). Spreads of 0 degrees or of variance 0 do not take
// part. The prior's freedom is at most that of all the other metrics together, so that few metrics cannot make each
// other certain.
Prior fit_prior(std::span<const Spread> spreads);

// The posterior mean's inverse: (d0 s0² + d s²) / (d0 + d). Needs d0 + d > 0.
double moderated(const Prior& prior, const Spread& spread);

// y with ψ'(y) = x, x > 0 (Newton's method on 1/ψ', which is nearly straight).
double inverse_trigamma(double x);

}  // namespace ridge::compare
