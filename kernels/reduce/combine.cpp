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
  return std::nullopt;
}

std::int64_t bytes_of(Type type) {
  return type == Type::f64 ? 8 : 4;
}

}  // namespace ridge::reduce
