// Loads and stores by type.
#include "kernels/gemm/matrix.hpp"

#include <optional>

#include "kernels/formats/formats.hpp"

namespace ridge::gemm {
namespace {

// Calls `with` on the element type's storage, whichever it is; floats of 16 bits and less are codes.
template <class With>
auto visit(Type type, const With& with) {
  switch (type) {
    case Type::f64:
      return with(double{});
    case Type::f32:
      return with(float{});
    case Type::f16:
    case Type::bf16:
      return with(std::uint16_t{});
    case Type::u8:
    case Type::e4m3:
    case Type::e5m2:
    case Type::e2m1:
      return with(std::uint8_t{});
    case Type::s8:
      return with(std::int8_t{});
    case Type::s32:
      break;
  }
  return with(std::int32_t{});
}

// Of a type that is held as a code.
std::optional<formats::Format> format_of(Type type) {
  switch (type) {
    case Type::f16:
      return formats::f16;
    case Type::bf16:
      return formats::bf16;
    case Type::e4m3:
      return formats::e4m3;
    case Type::e5m2:
      return formats::e5m2;
    case Type::e2m1:
      return formats::e2m1;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string_view name_of(Type type) {
  constexpr std::string_view names[] = {"f64", "f32", "f16", "bf16", "u8", "s8", "s32", "e4m3", "e5m2", "e2m1"};
  return names[static_cast<std::size_t>(type)];
}

double unit_roundoff(Type type) {
  if (const auto format = format_of(type)) return format->unit_roundoff();
  if (type == Type::f64) return 0x1p-53;
  return type == Type::f32 ? 0x1p-24 : 0;
}

double least_of(Type type) {
  const auto format = format_of(type);
  return format ? format->least() : 0;
}

std::int64_t size_of(Type type, std::int64_t elements) {
  return type == Type::e2m1 ? (elements + 1) / 2 : elements * bytes_of(type);
}

std::int64_t bytes_of(Type type) {
  return visit(type, [](auto element) { return static_cast<std::int64_t>(sizeof(element)); });
}

double load(const Matrix& matrix, std::int64_t index) {
  if (matrix.type == Type::e2m1) {
    const std::uint32_t both = static_cast<const std::uint8_t*>(matrix.data)[index / 2];
    return formats::decode(both >> (index % 2 * 4) & 15U, formats::e2m1);
  }
  const auto format = format_of(matrix.type);
  return visit(matrix.type, [&](auto element) {
    const auto held = static_cast<const decltype(element)*>(matrix.data)[index];
    return format ? formats::decode(static_cast<std::uint32_t>(held), *format) : static_cast<double>(held);
  });
}

void store(const Matrix& matrix, std::int64_t index, double value) {
  if (matrix.type == Type::e2m1) {
    auto& both = static_cast<std::uint8_t*>(matrix.data)[index / 2];
    const auto shift = static_cast<unsigned>(index % 2 * 4);
    both = static_cast<std::uint8_t>((both & ~(15U << shift)) | (formats::encode(value, formats::e2m1) & 15U) << shift);
    return;
  }
  const auto format = format_of(matrix.type);
  visit(matrix.type, [&](auto element) {
    auto& held = static_cast<decltype(element)*>(matrix.data)[index];
    held = format ? static_cast<decltype(element)>(formats::encode(value, *format))
                  : static_cast<decltype(element)>(value);
  });
}

// The type is told apart once a row: checks read each element several times, of matrices with more than 2^31.
void read_row(const Matrix& matrix, std::int64_t i, double* out) {
  const auto format = format_of(matrix.type);
  if (format) {
    for (std::int64_t j = 0; j < matrix.columns; ++j) out[j] = load(matrix, matrix.index(i, j));
    return;
  }
  visit(matrix.type, [&](auto element) {
    const auto* const first = static_cast<const decltype(element)*>(matrix.data) + matrix.index(i, 0);
    const std::int64_t step = matrix.transposed ? matrix.rows : 1;
    for (std::int64_t j = 0; j < matrix.columns; ++j) out[j] = static_cast<double>(first[j * step]);
  });
}

}  // namespace ridge::gemm
