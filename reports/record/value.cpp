// Axis values and points as text.
#include "reports/record/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

namespace ridge::record {
namespace {

std::string shortest(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

// Text that could be taken for the end of a value is quoted, so that two points never read alike.
void append_quoted(std::string_view text, std::string& to) {
  if (!text.empty() && text.find_first_of(" \t\r\n\"\\=") == std::string_view::npos) {
    to += text;
    return;
  }
  to += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') to += '\\';
    to += c;
  }
  to += '"';
}

template <class T>
const T& required(const Point& point, std::string_view axis, std::string_view type) {
  const Value* value = point.find(axis);
  const T* typed = value == nullptr ? nullptr : std::get_if<T>(value);
  if (typed == nullptr) throw std::logic_error(fmt::format("the point has no {} axis \"{}\"", type, axis));
  return *typed;
}

}  // namespace

std::string to_text(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return shortest(*real);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return std::get<std::string>(value);
}

void Point::set(std::string_view axis, Value value) {
  const auto found = std::find_if(values_.begin(), values_.end(), [&](const auto& v) { return v.first == axis; });
  if (found != values_.end())
    found->second = std::move(value);
  else
    values_.emplace_back(axis, std::move(value));
}

const Value* Point::find(std::string_view axis) const {
  const auto found = std::find_if(values_.begin(), values_.end(), [&](const auto& v) { return v.first == axis; });
  return found == values_.end() ? nullptr : &found->second;
}

std::int64_t Point::integer(std::string_view axis) const {
  return required<std::int64_t>(*this, axis, "integer");
}
const std::string& Point::text(std::string_view axis) const {
  return required<std::string>(*this, axis, "text");
}

std::string Point::to_text() const {
  std::string text;
  for (const auto& [axis, value] : values_) {
    if (!text.empty()) text += ' ';
    append_quoted(axis, text);
    text += '=';
    if (const auto* plain = std::get_if<std::string>(&value))
      append_quoted(*plain, text);
    else
      append_quoted(record::to_text(value), text);
  }
  return text;
}

}  // namespace ridge::record
