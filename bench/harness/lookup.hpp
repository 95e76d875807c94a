// Finding records of a run by what they are, and reading their numbers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reports/record/record.hpp"

namespace ridge::bench {

// A metric of a record that was measured; nothing for one that failed, was skipped, or has no such number.
inline std::optional<double> value_of(const record::Record& record, std::string_view metric) {
  if (record.status != record::Status::ok && record.status != record::Status::suspect) return std::nullopt;
  const record::Metric* const found = record.metric(metric);
  if (found == nullptr || !found->value || !(*found->value > 0)) return std::nullopt;
  return found->value;
}

// The axis' value as text; empty where the point has no such axis.
inline std::string axis_text(const record::Record& record, std::string_view name) {
  const record::Value* const value = record.point.find(name);
  return value == nullptr ? std::string() : record::to_text(*value);
}

inline bool is(const record::Record& record, std::string_view benchmark, std::string_view device) {
  return record.benchmark == benchmark && record.device == device;
}

// The measured record of that benchmark and device for which `wanted` holds; nullptr where there is none.
template <class Wanted>
const record::Record* find(std::span<const record::Record> all, std::string_view benchmark, std::string_view device,
                           const Wanted& wanted) {
  for (const record::Record& record : all)
    if (is(record, benchmark, device) && wanted(record)) return &record;
  return nullptr;
}

}  // namespace ridge::bench
