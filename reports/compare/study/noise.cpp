// The generators of noise; each draws deviations of variance 1, which are then scaled.
#include "reports/compare/study/noise.hpp"

#include <cmath>

namespace ridge::study {
namespace {

using Normal = std::normal_distribution<double>;

double bimodal(Random& random, double share, double inside) {
  // A mode at distance D with probability p has variance p (1 − p) D².
  const double distance = std::sqrt((1 - inside) / (share * (1 - share)));
  const bool slow = std::uniform_real_distribution<>()(random) < share;
  return (slow ? distance * (1 - share) : -distance * share) + std::sqrt(inside) * Normal()(random);
}

double independent(Noise noise, Random& random) {
  switch (noise) {
    case Noise::log_normal: {
      constexpr double shape = 0.75;
      const double mean = std::exp(shape * shape / 2);
      const double deviation = mean * std::sqrt(std::expm1(shape * shape));
      return (std::exp(shape * Normal()(random)) - mean) / deviation;
    }
    case Noise::bimodal:
      return bimodal(random, 0.2, 0.1);
    case Noise::rare_mode:
      return bimodal(random, 0.02, 0.02);
    case Noise::heavy:
      return std::student_t_distribution<>(3)(random) / std::sqrt(3.0);
    default:
      return Normal()(random);
  }
}

std::vector<double> drifting(std::size_t base, std::size_t all, Random& random) {
  const auto n = static_cast<double>(base);
  const double unit = std::sqrt(12 / (n * n - 1 + 1e-12));  // of a straight line over `base` runs, to variance 1
  const double slope = (random() % 2 == 0 ? 1 : -1) * (base > 1 ? unit : 1);
  std::vector<double> values(all);
  for (std::size_t k = 0; k < all; ++k)
    values[k] = std::sqrt(0.5) * (slope * (static_cast<double>(k) - (n - 1) / 2) + Normal()(random));
  return values;
}

std::vector<double> sessions(std::size_t base, std::size_t all, Random& random) {
  constexpr double kept = 0.8;
  std::vector<double> values(all);
  for (std::size_t k = 0; k < all; ++k) {
    const bool begins = k == 0 || k == base;
    values[k] = begins ? Normal()(random) : kept * values[k - 1] + std::sqrt(1 - kept * kept) * Normal()(random);
  }
  return values;
}

}  // namespace

std::string_view to_string(Noise noise) {
  switch (noise) {
    case Noise::log_normal:
      return "log-normal";
    case Noise::bimodal:
      return "bimodal";
    case Noise::drifting:
      return "drifting";
    case Noise::heavy:
      return "heavy-tailed";
    case Noise::rare_mode:
      return "rare mode";
    case Noise::sessions:
      return "sessions";
    case Noise::common:
      return "common";
    case Noise::normal:
      break;
  }
  return "normal";
}

std::vector<Runs> simulate(Noise noise, std::size_t metrics, std::size_t base, std::size_t fresh, double deviation,
                           Random& random) {
  const std::size_t all = base + fresh;
  std::vector<double> shared(all, 0.0);
  if (noise == Noise::common)
    for (double& each : shared) each = std::sqrt(0.5) * Normal()(random);
  std::vector<Runs> out(metrics);
  for (Runs& runs : out) {
    std::vector<double> values(all);
    if (noise == Noise::drifting) {
      values = drifting(base, all, random);
    } else if (noise == Noise::sessions) {
      values = sessions(base, all, random);
    } else {
      for (std::size_t k = 0; k < all; ++k)
        values[k] = noise == Noise::common ? shared[k] + std::sqrt(0.5) * Normal()(random) : independent(noise, random);
    }
    for (double& value : values) value = std::max(1e-3, 100 * (1 + deviation * value));
    runs.base.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(base));
    runs.fresh.assign(values.begin() + static_cast<std::ptrdiff_t>(base), values.end());
  }
  return out;
}

}  // namespace ridge::study
