// Names of operations and types.
#include "kernels/reduce/combine.hpp"

namespace ridge::reduce {

std::optional<Op> op_from(std::string_view name) {
  if (name == "sum") return Op::sum;
  if (name == "max") return Op::max;
  if (name == "min") return Op::min;
  return std::nullopt;
}

std::optional<Type> type_from(std::string_view name) {
  if (name == "f32") return Type::f32;
  if (name == "f64") return Type::f64;
  if (name == "int32") return Type::i32;
  if (name == "f16") return Type::f16;
  if (name == "bf16") return Type::bf16;
  if (name == "e4m3") return Type::e4m3;
  if (name == "e5m2") return Type::e5m2;
  return std::nullopt;
}

std::int64_t bytes_of(Type type) {
  switch (type) {
    case Type::f64:
      return 8;
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::e4m3:
    case Type::e5m2:
      return 1;
    case Type::f32:
    case Type::i32:
      break;
  }
  return 4;
}

}  // namespace ridge::reduce
