// Names and widths of PTX types, from the table of fundamental and packed types in the PTX ISA manual.
#include "kernels/ptx/text/type.hpp"

#include <array>

namespace ridge::ptx {
namespace {

struct Row {
  std::string_view name;
  unsigned bits;
};

constexpr std::array<Row, 31> rows = {
    {{"none", 32}, {"pred", 32}, {"b8", 8},     {"b16", 16},    {"b32", 32},    {"b64", 64},   {"b128", 128},
     {"u8", 8},    {"u16", 16},  {"u32", 32},   {"u64", 64},    {"s8", 8},      {"s16", 16},   {"s32", 32},
     {"s64", 64},  {"f16", 16},  {"f16x2", 32}, {"bf16", 16},   {"bf16x2", 32}, {"f32", 32},   {"f64", 64},
     {"tf32", 32}, {"e4m3", 8},  {"e5m2", 8},   {"e4m3x2", 16}, {"e5m2x2", 16}, {"u16x2", 32}, {"s16x2", 32},
     {"s4", 4},    {"u4", 4},    {"b1", 1}}};

}  // namespace

std::optional<Type> type_named(std::string_view name) {
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].name == name) return static_cast<Type>(i);
  }
  return std::nullopt;
}

std::string_view name_of(Type type) {
  return rows[static_cast<std::size_t>(type)].name;
}

unsigned bits_of(Type type) {
  return rows[static_cast<std::size_t>(type)].bits;
}

Type element_of(Type type) {
  switch (type) {
    case Type::f16x2:
      return Type::f16;
    case Type::bf16x2:
      return Type::bf16;
    case Type::e4m3x2:
      return Type::e4m3;
    case Type::e5m2x2:
      return Type::e5m2;
    case Type::u16x2:
      return Type::u16;
    case Type::s16x2:
      return Type::s16;
    default:
      return type;
  }
}

}  // namespace ridge::ptx
