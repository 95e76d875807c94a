// Prefixes taken off units.
#include "reports/compare/units.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace ridge::compare {
namespace {

using Prefix = std::pair<std::string_view, double>;

constexpr std::array<std::string_view, 11> si{"s",       "B",  "B/s", "FLOP/s", "OP/s", "FLOP/B",
                                              "items/s", "Hz", "W",   "degC",   "1"};
constexpr std::array<Prefix, 5> binary{
    {{"Ki", 1024.0}, {"Mi", 1048576.0}, {"Gi", 1073741824.0}, {"Ti", 1099511627776.0}, {"Pi", 1125899906842624.0}}};
constexpr std::array<Prefix, 10> decimal{{{"n", 1e-9},
                                          {"u", 1e-6},
                                          {"\xC2\xB5", 1e-6},  // µ
                                          {"m", 1e-3},
                                          {"k", 1e3},
                                          {"K", 1e3},
                                          {"M", 1e6},
                                          {"G", 1e9},
                                          {"T", 1e12},
                                          {"P", 1e15}}};

bool is_si(std::string_view unit) {
  for (const auto each : si)
    if (each == unit) return true;
  return false;
}

template <std::size_t N>
std::optional<Scale> prefixed(std::string_view unit, const std::array<Prefix, N>& prefixes) {
  for (const auto& [prefix, factor] : prefixes) {
    if (!unit.starts_with(prefix)) continue;
    const auto rest = unit.substr(prefix.size());
    if (is_si(rest) && rest != "1") return Scale{std::string(rest), factor};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Scale> scale_of(std::string_view unit) {
  if (is_si(unit)) return Scale{std::string(unit), 1};
  if (unit == "ratio") return Scale{"ratio", 1};
  if (unit == "%") return Scale{"ratio", 0.01};
  if (const auto scale = prefixed(unit, binary); scale && scale->dimension.starts_with("B")) return scale;
  return prefixed(unit, decimal);
}

std::optional<double> conversion(std::string_view from, std::string_view to) {
  if (from == to) return 1.0;
  const auto source = scale_of(from);
  const auto target = scale_of(to);
  if (!source || !target || source->dimension != target->dimension) return std::nullopt;
  return source->factor / target->factor;
}

std::optional<Quantity> quantity(std::string_view text) {
  Quantity result;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, result.value);
  if (error != std::errc() || !std::isfinite(result.value)) return std::nullopt;
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  result.unit = unit;
  return result;
}

}  // namespace ridge::compare
