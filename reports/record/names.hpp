// A table of names for the values of an enumeration, read in both directions.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace ridge::record {

template <class Enum, std::size_t N>
using Names = std::array<std::pair<Enum, std::string_view>, N>;

// The name of `value`, which the table must hold.
template <class Enum, std::size_t N>
std::string_view name_of(const Names<Enum, N>& names, Enum value) {
  return std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == value; })->second;
}

template <class Enum, std::size_t N>
std::optional<Enum> named(const Names<Enum, N>& names, std::string_view text) {
  const auto* found = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.second == text; });
  if (found == names.end()) return std::nullopt;
  return found->first;
}

}  // namespace ridge::record
