// The dense matrix product C = A·B.
//
//   c[i][j] = Σ a[i][l] · b[l][j],  A (m, k), B (k, n), C (m, n), all row-major and without gaps; A and B may be stored
//                                   transposed instead: (k, m) and (n, k)
//
// 2·m·n·k operations; at least (m·k + k·n + m·n) elements move, which is what the intensity is counted by.
#pragma once

#include <cstdint>

namespace ridge::gemm {

// T: of C and its sums; In: of A and B, where that is another type.
template <class T, class In = T>
struct Product {
  T* c = nullptr;         // (m, n), overwritten
  const In* a = nullptr;  // (m, k)
  const In* b = nullptr;  // (k, n)
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  bool a_transposed = false;  // stored (k, m)
  bool b_transposed = false;  // stored (n, k)
  std::int64_t a_stride = 0;  // elements from one stored row of A to the next; 0: no gaps

  [[nodiscard]] std::int64_t stride_of_a() const { return a_stride != 0 ? a_stride : a_transposed ? m : k; }
  [[nodiscard]] const In* a_at(std::int64_t i, std::int64_t l) const {
    return a + (a_transposed ? l * stride_of_a() + i : i * stride_of_a() + l);
  }
  [[nodiscard]] const In* b_at(std::int64_t l, std::int64_t j) const {
    return b + (b_transposed ? j * k + l : l * n + j);
  }
};

// Rows [begin, end) of a product, as a product.
template <class T, class In>
Product<T, In> rows_of(Product<T, In> product, std::int64_t begin, std::int64_t end) {
  product.a_stride = product.stride_of_a();
  product.a = product.a_at(begin, 0);
  product.c += begin * product.n;
  product.m = end - begin;
  return product;
}

// Columns [begin, end) of C, with `workspace` of workspace_elements<T>() elements that nobody else uses meanwhile,
// aligned to 64 bytes.
template <class T, class In = T>
using Kernel = void (*)(const Product<T, In>&, T* workspace, std::int64_t begin, std::int64_t end);

// Blocked for three cache levels and the registers, with both operands packed, after K. Goto and R. van de Geijn,
// "Anatomy of high-performance matrix multiplication", ACM TOMS 34 (2008): a piece of B stays in the third level, a
// block of A in the second, a sliver of B in the first, a tile of C in registers.
template <class T>
Kernel<T> blocked_kernel();
template <class T>
std::int64_t workspace_elements();

// The same of bf16, given as codes, with sums in f32: neighbours along k are packed together, and one instruction adds
// both of their products to a sum. Null where the processor has no such instruction. For tests: multiply-adds in that
// instruction's place. The workspace is that of f32.
Kernel<float, std::uint16_t> bf16_dot_kernel();
Kernel<float, std::uint16_t> bf16_emulated_kernel();

// A multiple of the width of a tile of C for every instruction set: shares of columns that are multiples waste none.
inline constexpr std::int64_t column_block = 32;

// Whole numbers, so that every sum below 2^24 (f32) or 2^53 (f64) is exact whatever the order: the check below then has
// no tolerance in which a mistake could hide.
template <class T>
T entry(std::uint64_t seed, int which, std::int64_t index);

// The steps from the plain triple loop to the blocked kernel, each one idea more; none uses the workspace.
//   naive       c[i][j] as one sum: B is read down its columns, an element of each line
//   loop_order  rows of B added to a row of C: every access is along a row, and vectorises
//   cached      a block of B stays in the second-level cache while all rows of A pass, four of its rows added at once
template <class T>
Kernel<T> naive_kernel();
template <class T>
Kernel<T> loop_order_kernel();
template <class T>
Kernel<T> cached_kernel();

}  // namespace ridge::gemm
