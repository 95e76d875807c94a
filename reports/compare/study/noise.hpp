// Kinds of noise between runs, each scaled to a given standard deviation, as real machines show them.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace ridge::study {

enum class Noise {
  normal,
  log_normal,  // skewed to the slow side: log-normal of shape 0.75
  bimodal,     // a fifth of the runs in a slower mode, with a tenth of the variance inside the modes
  drifting,    // half of the variance is a straight drift that goes on through the new runs; its slope is the metric's
  heavy,       // Student's t with 3 degrees of freedom
  rare_mode,   // one run in fifty in a slower mode; almost all of the variance
  sessions,    // autocorrelated (0.8 from run to run), the new runs in a session of their own
  common       // half of the variance shared by all metrics of a run
};

inline constexpr Noise all_noises[] = {Noise::normal, Noise::log_normal, Noise::bimodal,  Noise::drifting,
                                       Noise::heavy,  Noise::rare_mode,  Noise::sessions, Noise::common};
inline constexpr Noise issue_noises[] = {Noise::normal, Noise::log_normal, Noise::bimodal, Noise::drifting,
                                         Noise::heavy};
std::string_view to_string(Noise noise);

using Random = std::mt19937_64;

struct Runs {
  std::vector<double> base;
  std::vector<double> fresh;
};

// `metrics` lower-is-better metrics around 100, of relative standard deviation `deviation` each, and no change between
// base and fresh.
std::vector<Runs> simulate(Noise noise, std::size_t metrics, std::size_t base, std::size_t fresh, double deviation,
                           Random& random);

}  // namespace ridge::study
