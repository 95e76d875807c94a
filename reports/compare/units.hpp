// Units as other tools spell them: what they measure, and the factor to the SI unit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridge::compare {

// "GiB/s" is 2³⁰ × "B/s". The dimension is spelled as the SI unit: "s", "B", "B/s", "FLOP/s", "OP/s", "Hz", "1", …
struct Scale {
  std::string dimension;
  double factor = 1;
};

// Any SI unit of reports, with a decimal prefix (n, u, µ, m, k, M, G, T, P) or, for bytes, a binary one (Ki … Pi); "%"
// is 0.01 of "ratio". Nothing for what is unknown, which is then comparable with its own spelling alone.
std::optional<Scale> scale_of(std::string_view unit);

// What a value in `from` is multiplied by to be in `to`: nothing when they do not measure the same.
std::optional<double> conversion(std::string_view from, std::string_view to);

struct Quantity {
  double value = 0;
  std::string unit;  // empty: none was given
};

// "2 us", "1.5GiB/s", "0.02", "5 %". Nothing when there is no number at the front.
std::optional<Quantity> quantity(std::string_view text);

}  // namespace ridge::compare
