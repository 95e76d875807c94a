// For tests: a family's definition by its name, and points of the axes that it has.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::fake {

inline const Definition& find(const std::vector<Definition>& all, const std::string& name) {
  for (const Definition& d : all)
    if (d.name == name) return d;
  throw std::out_of_range(name);
}

// In the order of the axes; values of axes that the definition lacks are left out.
inline record::Point point_of(const Definition& d, const std::map<std::string, record::Value>& values) {
  record::Point point;
  for (const Axis& axis : d.axes)
    if (const auto value = values.find(axis.name); value != values.end()) point.set(axis.name, value->second);
  return point;
}

}  // namespace ridge::bench::fake
