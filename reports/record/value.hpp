// The value of an axis, and a point: the ordered list of axis values that names a case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ridge::record {

using Value = std::variant<std::int64_t, double, bool, std::string>;

// Integers without exponent, doubles in the shortest form that reads back equal, booleans as true/false.
std::string to_text(const Value& value);

// Axis name → value, in the order the benchmark declares its axes.
class Point {
 public:
  void set(std::string_view axis, Value value);
  [[nodiscard]] const Value* find(std::string_view axis) const;

  // The value of an axis that must be there with that type; std::logic_error otherwise, for that is a fault of the
  // program.
  [[nodiscard]] std::int64_t integer(std::string_view axis) const;
  [[nodiscard]] const std::string& text(std::string_view axis) const;

  [[nodiscard]] const std::vector<std::pair<std::string, Value>>& values() const { return values_; }
  [[nodiscard]] bool empty() const { return values_.empty(); }

  // "size=4194304 dtype=f64 threads=2"
  [[nodiscard]] std::string to_text() const;

  bool operator==(const Point&) const = default;

 private:
  std::vector<std::pair<std::string, Value>> values_;
};

}  // namespace ridge::record
