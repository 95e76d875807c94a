// Spelling of units, and numbers scaled for a person's eyes.
#include "reports/record/unit.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "reports/record/names.hpp"
#include "reports/record/scale.hpp"

namespace ridge::record {
namespace {

constexpr Names<Unit, 11> units{{{Unit::seconds, "s"},
                                 {Unit::bytes, "B"},
                                 {Unit::bytes_per_second, "B/s"},
                                 {Unit::flop_per_second, "FLOP/s"},
                                 {Unit::op_per_second, "OP/s"},
                                 {Unit::flop_per_byte, "FLOP/B"},
                                 {Unit::hertz, "Hz"},
                                 {Unit::watt, "W"},
                                 {Unit::celsius, "degC"},
                                 {Unit::count, "1"},
                                 {Unit::ratio, "ratio"}}};

constexpr Names<Better, 3> directions{
    {{Better::higher, "higher"}, {Better::lower, "lower"}, {Better::neither, "neither"}}};

struct Prefix {
  double factor;
  std::string_view sign;
};
constexpr std::array prefixes{Prefix{1e-12, "p"}, Prefix{1e-9, "n"}, Prefix{1e-6, "u"}, Prefix{1e-3, "m"},
                              Prefix{1, ""},      Prefix{1e3, "k"},  Prefix{1e6, "M"},  Prefix{1e9, "G"},
                              Prefix{1e12, "T"},  Prefix{1e15, "P"}, Prefix{1e18, "E"}};

// Thousands of seconds stay seconds, and nothing but seconds and watts has small prefixes that a reader would expect.
bool allowed(const Prefix& prefix, Unit unit) {
  if (prefix.factor > 1) return unit != Unit::seconds;
  if (prefix.factor < 1) return unit == Unit::seconds || unit == Unit::watt;
  return true;
}

// Four significant digits, never in exponent form where the digits before the point are needed anyway.
std::string digits(double value) {
  if (std::abs(value) >= 1000 && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value);
}

}  // namespace

std::string_view symbol(Unit unit) {
  return name_of(units, unit);
}
std::optional<Unit> unit_from(std::string_view symbol) {
  return named(units, symbol);
}

std::string_view to_string(Better better) {
  return name_of(directions, better);
}
std::optional<Better> better_from(std::string_view text) {
  return named(directions, text);
}

Scale scale_of(double value, Unit unit) {
  if (unit == Unit::count || unit == Unit::ratio) return {};
  if (unit == Unit::celsius || unit == Unit::flop_per_byte || value == 0 || !std::isfinite(value))
    return {1, std::string(symbol(unit))};
  const Prefix* chosen = nullptr;
  for (const Prefix& prefix : prefixes) {
    if (!allowed(prefix, unit)) continue;
    // 999.96 would print as 1000: the rounded number decides whether the next prefix takes it.
    if (chosen == nullptr || std::abs(value) / prefix.factor >= 0.99995) chosen = &prefix;
  }
  return {chosen->factor, fmt::format("{}{}", chosen->sign, symbol(unit))};
}

std::string number(double value, const Scale& scale) {
  return digits(value / scale.factor);
}

std::string human(double value, Unit unit) {
  const Scale scale = scale_of(value, unit);
  return scale.unit.empty() ? number(value, scale) : fmt::format("{} {}", number(value, scale), scale.unit);
}

std::string human_bytes(double bytes) {
  constexpr std::array<std::string_view, 6> binary{"EiB", "PiB", "TiB", "GiB", "MiB", "KiB"};
  double unit = 0x1p60;
  for (const std::string_view name : binary) {
    // A size rounded down to whole elements misses its binary unit by a hair; show what was meant.
    const double quarters = std::round(bytes / unit * 4);
    if (quarters >= 4 && quarters < 4 * 1024 && std::abs(bytes - quarters * unit / 4) <= 1e-6 * bytes)
      return fmt::format("{:g} {}", quarters / 4, name);
    unit /= 1024;
  }
  if (bytes < 10000) return fmt::format("{:g} B", bytes);
  return human(bytes, Unit::bytes);
}

}  // namespace ridge::record
