// Loads and stores by type.
#include "kernels/gemm/matrix.hpp"

#include "kernels/formats/formats.hpp"

namespace ridge::gemm {
namespace {

// Calls `with` on the element type's storage, whichever it is; 16-bit floats are codes.
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
      return with(std::uint8_t{});
    case Type::s8:
      return with(std::int8_t{});
    case Type::s32:
      break;
  }
  return with(std::int32_t{});
}

formats::Format format_of(Type type) {
  return type == Type::f16 ? formats::f16 : formats::bf16;
}

}  // namespace

std::int64_t bytes_of(Type type) {
  return visit(type, [](auto element) { return static_cast<std::int64_t>(sizeof(element)); });
}

double load(const Matrix& matrix, std::int64_t index) {
  return visit(matrix.type, [&](auto element) {
    const auto held = static_cast<const decltype(element)*>(matrix.data)[index];
    if (matrix.type == Type::f16 || matrix.type == Type::bf16)
      return formats::decode(static_cast<std::uint32_t>(held), format_of(matrix.type));
    return static_cast<double>(held);
  });
}

void store(const Matrix& matrix, std::int64_t index, double value) {
  visit(matrix.type, [&](auto element) {
    auto& held = static_cast<decltype(element)*>(matrix.data)[index];
    if (matrix.type == Type::f16 || matrix.type == Type::bf16)
      held = static_cast<decltype(element)>(formats::encode(value, format_of(matrix.type)));
    else
      held = static_cast<decltype(element)>(value);
  });
}

void read_row(const Matrix& matrix, std::int64_t i, double* out) {
  for (std::int64_t j = 0; j < matrix.columns; ++j) out[j] = load(matrix, matrix.index(i, j));
}

}  // namespace ridge::gemm
