// The machine for a person, in the three tiers of the report, and the devices that can or cannot be used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/machine.hpp"

namespace ridge::info {

struct Device {
  std::string name;                   // "cpu", "cuda:0"
  std::optional<std::string> absent;  // why it cannot be used; nothing when it can
  std::optional<std::int64_t> bytes;  // that a run may take; nothing: unknown
};

// Lines end with '\n' and are at most `width` columns (40 when less is asked for), long values wrapped under
// themselves. What is not known reads "unknown", caches that the machine does not tell "hidden". No colour, nothing but
// printable characters.
std::string text(const record::Machine& machine, const std::vector<Device>& devices, int width = 80);

}  // namespace ridge::info
