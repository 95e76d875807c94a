// An axis: a named parameter of a benchmark, from which the command line's option, its help and the sweep follow.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/device/device.hpp"
#include "reports/record/value.hpp"

namespace ridge::bench {

enum class AxisKind {
  bytes,   // sizes and ranges of sizes; also L1, L2, L3, memory, which the machine resolves
  count,   // whole numbers ≥ 1; "all" where the machine knows a most (threads, ranks)
  choice,  // one of `choices`
  device,  // another device of the same kind: names and lists; "all" is each of them, "next" the one after in a ring
};

struct Axis {
  std::string name;  // "size": the option is --size, the report's key is "size"
  std::string unit;  // "B", "" …
  std::string help;
  AxisKind kind = AxisKind::choice;
  std::string fallback;  // the default, in the grammar of the option
  std::vector<std::string> choices;
  std::optional<device::Kind> only = std::nullopt;  // absent: on every kind of device; cuda: on GPUs, `ptx` too
  std::int64_t most = 1 << 30;                      // of a count
  std::string in_cache = {};  // of a choice: the default where the working set lies in a cache; empty: `fallback`
  // Of a choice: the compute capabilities ("9.0", "10.0,10.3") that alone have it; elsewhere "all" and suites skip it.
  std::map<std::string, std::string> of_capability = {};
};

// Whether work on that kind of device has this axis.
inline bool exists_on(const Axis& axis, device::Kind kind) {
  return !axis.only || *axis.only == kind || (*axis.only == device::Kind::cuda && kind == device::Kind::ptx);
}

// The CPU threads that a point takes: its threads, or its ranks, each of which is one; nothing where it has neither.
inline std::optional<std::int64_t> threads_of(const record::Point& point) {
  for (const char* axis : {"threads", "ranks"})
    if (const record::Value* const value = point.find(axis)) return std::get<std::int64_t>(*value);
  return std::nullopt;
}

// The defaults as help and `list` show them.
inline std::string default_text(const Axis& axis) {
  return axis.in_cache.empty() ? axis.fallback : axis.fallback + ", in a cache " + axis.in_cache;
}

}  // namespace ridge::bench
