// The number types that benchmarks name, and how many bytes an element takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::bench {

// Bits of one element of f64, f32, tf32, f16, bf16, e4m3, e5m2, e2m1, int32, int8; nothing for another name.
// tf32 is stored as f32.
std::optional<int> bits_of(std::string_view dtype);

const std::vector<std::string>& dtype_names();

}  // namespace ridge::bench
