// The units that metrics carry: SI in data, scaled only for a person's eyes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridge::record {

enum class Unit {
  seconds,
  bytes,
  bytes_per_second,
  flop_per_second,
  op_per_second,
  flop_per_byte,
  hertz,
  watt,
  celsius,
  count,
  ratio
};

// The spelling used in reports: "s", "B", "B/s", "FLOP/s", "OP/s", "FLOP/B", "Hz", "W", "degC",
// "1", "ratio".
std::string_view symbol(Unit unit);
std::optional<Unit> unit_from(std::string_view symbol);

// Which direction of a metric is good.
enum class Better { higher, lower, neither };
std::string_view to_string(Better better);
std::optional<Better> better_from(std::string_view text);

// `value` for a person, four significant digits with a decimal prefix: 12.34 GB/s, 31.2 ns, 1.5 TFLOP/s. Never
// localised.
std::string human(double value, Unit unit);

// A byte count in binary units when that is exact or nearly so: 512 MiB, 4 KiB, 1000 B.
std::string human_bytes(double bytes);

}  // namespace ridge::record
