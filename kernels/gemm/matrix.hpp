// Matrices of any element type as checks see them, one row at a time in f64.
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge::gemm {

// s8, u8: operands; s32: what their products add up to. e2m1: two in a byte, the first in the low half.
enum class Type { f64, f32, f16, bf16, u8, s8, s32, e4m3, e5m2, e2m1 };

std::string_view name_of(Type type);                     // "bf16"
std::int64_t bytes_of(Type type);                        // of an element; of two e2m1
std::int64_t size_of(Type type, std::int64_t elements);  // bytes of that many
double unit_roundoff(Type type);                         // 2^-24 of f32; 0 of whole numbers
double least_of(Type type);                              // the least number above zero; 0 where it does not matter

struct Matrix {
  void* data = nullptr;
  Type type = Type::f64;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  bool transposed = false;  // stored (columns, rows)

  [[nodiscard]] std::int64_t elements() const { return rows * columns; }
  [[nodiscard]] std::int64_t index(std::int64_t i, std::int64_t j) const {
    return transposed ? j * rows + i : i * columns + j;
  }
};

// One element. A value that the type does not hold is rounded to nearest even.
double load(const Matrix& matrix, std::int64_t index);
void store(const Matrix& matrix, std::int64_t index, double value);

// out (columns): row i.
void read_row(const Matrix& matrix, std::int64_t i, double* out);

}  // namespace ridge::gemm
