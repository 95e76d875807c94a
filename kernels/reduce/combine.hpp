// Joins arrays element by element into one or several others.
//
//   targets[t][i] = sources[0][i] ∘ sources[1][i] ∘ …   for i in [begin, end), every t, from left to right
//
// reads sources × (end − begin) elements, writes targets × (end − begin). A target may be a source as well: an element
// is read before it is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ridge::reduce {

enum class Op { sum, max, min };
// f16, bf16 and the eight-bit types are joined in f32, and rounded once to the type, to nearest, ties to even;
// eight-bit ones one by one, for answers and not for speed.
enum class Type { f32, f64, i32, f16, bf16, e4m3, e5m2 };

std::optional<Op> op_from(std::string_view name);      // "sum", "max", "min"
std::optional<Type> type_from(std::string_view name);  // "f32", "f64", "int32", "f16", "bf16", "e4m3", "e5m2"
std::int64_t bytes_of(Type type);
inline bool is_eight_bit(Type type) {
  return type == Type::e4m3 || type == Type::e5m2;
}

// How elements are joined; sums of integers wrap.
struct Rule {
  Op op = Op::sum;
  Type type = Type::f32;
  // Whether targets are written past the caches: for arrays that no cache holds, and that are not read soon.
  bool past_caches = false;
};

void combine(const Rule& rule, std::span<const void* const> sources, std::span<void* const> targets, std::int64_t begin,
             std::int64_t end);

}  // namespace ridge::reduce
