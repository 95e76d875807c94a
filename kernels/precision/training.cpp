// Gradients that underflow and updates that are lost.
#include <cmath>

#include "kernels/precision/precision.hpp"
#include "kernels/random/normal.hpp"

namespace ridge::precision {
namespace {

// Of a standard normal: the share below x.
double below(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

}  // namespace

GradientLoss scaled_gradients(formats::Format type, double scale, std::uint64_t seed) {
  const std::uint64_t sizes = random::seed_of(seed, 11), signs = random::seed_of(seed, 12);
  std::int64_t lost = 0, overflowed = 0;
  double difference = 0, length = 0;
  for (std::int64_t i = 0; i < gradient_count; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    const double size = std::exp2(gradient_mean + gradient_deviation * random::normal(sizes, index));
    const double gradient = (random::bits(signs, index) & 1) != 0 ? size : -size;
    const double held = formats::rounded(gradient * scale, type);
    if (held == 0) ++lost;
    if (std::isinf(held)) ++overflowed;
    const double off = held / scale - gradient;
    difference += off * off;
    length += gradient * gradient;
  }
  const auto all = static_cast<double>(gradient_count);
  return {static_cast<double>(lost) / all, static_cast<double>(overflowed) / all, std::sqrt(difference / length)};
}

GradientLoss predicted_gradients(formats::Format type, double scale) {
  const auto share = [&](double magnitude) {
    return below((std::log2(magnitude / scale) - gradient_mean) / gradient_deviation);
  };
  // To zero: up to half of the smallest number, the tie included. To infinity: from half a unit above the largest.
  const double half_unit = formats::Format::power(type.most_exponent() - type.mantissa_bits - 1);
  return {share(type.least() / 2), 1 - share(type.largest() + half_unit), 0};
}

UpdateLoss updated_weights(formats::Format type, std::uint64_t seed) {
  const std::uint64_t values = random::seed_of(seed, 21), ratios = random::seed_of(seed, 22);
  std::int64_t lost = 0;
  double difference = 0, way = 0;
  for (std::int64_t i = 0; i < weight_count; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    const double first = formats::rounded(random::normal(values, index), type);
    const double ratio =
        std::exp2(least_update + (most_update - least_update) * random::uniform(random::bits(ratios, index)));
    const double update = ratio * first;
    double weight = first;
    for (int step = 0; step < update_steps; ++step) {
      const double next = formats::rounded(weight + update, type);
      if (next == weight) ++lost;
      weight = next;
    }
    const double right = first + update_steps * update;
    difference += (weight - right) * (weight - right);
    way += (right - first) * (right - first);
  }
  return {static_cast<double>(lost) / static_cast<double>(weight_count * update_steps), std::sqrt(difference / way)};
}

double predicted_lost_updates(formats::Format type) {
  constexpr double mean_log_significand = 0.5;
  const double border = -type.precision() - mean_log_significand;
  return std::fmin(1, std::fmax(0, (border - least_update) / (most_update - least_update)));
}

}  // namespace ridge::precision
