// The table of number types.
#include "bench/harness/dtype.hpp"

#include <array>
#include <utility>

namespace ridge::bench {
namespace {

constexpr std::array<std::pair<std::string_view, int>, 10> types{{{"f64", 64},
                                                                  {"f32", 32},
                                                                  {"tf32", 32},
                                                                  {"f16", 16},
                                                                  {"bf16", 16},
                                                                  {"e4m3", 8},
                                                                  {"e5m2", 8},
                                                                  {"e2m1", 4},
                                                                  {"int32", 32},
                                                                  {"int8", 8}}};

}  // namespace

std::optional<int> bits_of(std::string_view dtype) {
  for (const auto& [name, bits] : types)
    if (name == dtype) return bits;
  return std::nullopt;
}

const std::vector<std::string>& dtype_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& type : types) all.emplace_back(type.first);
    return all;
  }();
  return names;
}

}  // namespace ridge::bench
