// The operand types of PTX: names, sizes and the few questions the reader and the engine ask of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::ptx {

enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
  tf32,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
  u16x2,
  s16x2,
  s4,
  u4,
  b1
};

/// The type written `.name` in PTX, or nothing when no type has that name.
std::optional<Type> type_named(std::string_view name);

/// "f32" for Type::f32; "none" for Type::none.
std::string_view name_of(Type type);

/// Width of one value in bits; a predicate and `none` count as 32.
unsigned bits_of(Type type);

/// Width in bytes; sub-byte types count as one byte.
inline unsigned bytes_of(Type type) {
  return bits_of(type) < 8 ? 1 : bits_of(type) / 8;
}

inline bool is_signed(Type t) {
  return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64 || t == Type::s4;
}
inline bool is_float(Type t) {
  return t >= Type::f16 && t <= Type::e5m2x2;
}

/// Two values in one register.
inline bool is_packed(Type t) {
  return t == Type::f16x2 || t == Type::bf16x2 || t == Type::e4m3x2 || t == Type::e5m2x2 || t == Type::u16x2 ||
         t == Type::s16x2;
}

/// The type of one of the two values of a packed type; the type itself when it is not packed.
Type element_of(Type type);

}  // namespace ridge::ptx
