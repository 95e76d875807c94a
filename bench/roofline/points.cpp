// Extents, buffers and work of every kind.
#include "bench/roofline/points.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "bench/harness/dtype.hpp"
#include "kernels/gemm/gemm.hpp"
#include "kernels/roofline/chain.hpp"
#include "kernels/roofline/grid.hpp"
#include "kernels/roofline/matrix_kernels.hpp"
#include "kernels/roofline/rows.hpp"
#include "kernels/roofline/tile_kernels.hpp"

namespace ridge::bench::roofline {
namespace {

using ridge::roofline::row_nonzeros;

std::int64_t threads_of(const record::Point& point) {
  return point.find("threads") ? point.integer("threads") : 1;
}

// The largest whole number whose `power`th power is at most `value`.
std::int64_t root(std::int64_t value, int power) {
  auto r = static_cast<std::int64_t>(std::pow(static_cast<double>(value), 1.0 / power));
  const auto raised = [&](std::int64_t x) { return power == 2 ? x * x : x * x * x; };
  while (raised(r) > value) --r;
  while (raised(r + 1) <= value) ++r;
  return r;
}

// CSR: value and column of each nonzero, a start and an element of x and y for each row.
std::int64_t sparse_row_bytes(std::int64_t bytes) {
  return row_nonzeros * (bytes + 4);
}

bool multiplies(const std::string& instruction, const std::string& dtype) {
  return instruction == "mma" ? ridge::roofline::matrix_instruction(dtype) != nullptr
                              : ridge::roofline::tile_instruction(instruction, dtype) != nullptr;
}

std::int64_t one_more_start(std::int64_t rows) {
  return (rows + 1) * 8;
}

}  // namespace

bool on_cpu(const record::Point& point) {
  return point.find("threads") != nullptr;
}

std::int64_t element_bytes(const record::Point& point) {
  return bits_of(point.text("dtype")).value_or(64) / 8;
}

const std::vector<std::string>& intensities() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> texts;
    for (int below = 16; below > 1; below /= 2) texts.push_back(fmt::format("1/{}", below));
    for (int above = 1; above <= 256; above *= 2) texts.push_back(fmt::format("{}", above));
    return texts;
  }();
  return all;
}

double intensity_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  int number = 1;
  const char* begin = text.data() + (slash == std::string::npos ? 0 : slash + 1);
  std::from_chars(begin, text.data() + text.size(), number);
  return slash == std::string::npos ? number : 1.0 / number;
}

std::optional<std::int64_t> ladder_operations(const record::Point& point) {
  const double operations = intensity_of(point.text("intensity")) * 2 * static_cast<double>(element_bytes(point));
  if (operations < 1) return std::nullopt;
  return static_cast<std::int64_t>(operations);
}

std::int64_t extent(Kind kind, const record::Point& point) {
  const std::int64_t bytes = element_bytes(point);
  switch (kind) {
    case Kind::peak:
      return threads_of(point) * peak_elements;
    case Kind::dot_peak:
    case Kind::dot_ops:
      return 1;
    case Kind::ladder:
      return point.integer("size") / bytes;
    case Kind::stencil:
      return root(point.integer("size") / bytes, 3);
    case Kind::spmv:
      return point.integer("size") / (row_nonzeros * bytes);
    case Kind::gemv:
    case Kind::gemm:
      break;
  }
  return root(point.integer("size") / bytes, 2);
}

record::Work work(Kind kind, const record::Point& point) {
  const std::int64_t bytes = element_bytes(point);
  const std::int64_t n = extent(kind, point);
  record::Work work;
  work.items = n;
  switch (kind) {
    case Kind::peak:
      work.operations = n * peak_operations;
      work.counting = on_cpu(point)
                          ? "two operations for each fused multiply-add; the arrays stay in the first-level cache"
                          : "two operations for each fused multiply-add; on a GPU as many elements as keep it busy";
      break;
    case Kind::dot_peak:
    case Kind::dot_ops:
      work.operations = 2 * (on_cpu(point) ? dot_steps : matrix_steps);
      work.counting = "two operations for each product; of one lane of one sum, the device says how many it has";
      break;
    case Kind::ladder:
      work.bytes_read = n * bytes;
      work.bytes_written = n * bytes;
      work.operations = n * ladder_operations(point).value_or(0);
      work.counting = "each element read once and written once; two operations for each fused multiply-add";
      break;
    case Kind::stencil:
      work.items = ridge::roofline::stencil_points(n);
      work.bytes_read = ridge::roofline::stencil_reads(n) * bytes;
      work.bytes_written = *work.items * bytes;
      work.operations = *work.items * ridge::roofline::stencil_operations;
      work.counting = "each point that is needed read once, each interior point written once; 8 operations a point";
      break;
    case Kind::spmv:
      work.bytes_read = n * sparse_row_bytes(bytes) + one_more_start(n) + n * bytes;
      work.bytes_written = n * bytes;
      work.operations = 2 * row_nonzeros * n;
      work.counting = "values, columns, row starts and x read once, y written once; 2 operations a nonzero";
      break;
    case Kind::gemv:
      work.bytes_read = (n * n + n) * bytes;
      work.bytes_written = n * bytes;
      work.operations = 2 * n * n;
      work.counting = "A and x read once, y written once; 2 operations an element of A";
      break;
    case Kind::gemm:
      work.bytes_read = 2 * n * n * bytes;
      work.bytes_written = n * n * bytes;
      work.operations = 2 * n * n * n;
      work.counting = "A and B read once, C written once (the least that can move); 2·n³ operations";
      break;
  }
  return work;
}

std::vector<std::int64_t> buffers(Kind kind, const record::Point& point) {
  const std::int64_t bytes = element_bytes(point);
  const std::int64_t n = extent(kind, point);
  switch (kind) {
    case Kind::dot_peak:
    case Kind::dot_ops:
      return {};  // registers
    case Kind::peak:
      if (!on_cpu(point)) return {};  // by the GPU: the case takes them itself
      [[fallthrough]];
    case Kind::ladder:
      return {n * bytes + guard_bytes, n * bytes};
    case Kind::stencil:
      return {n * n * n * bytes + guard_bytes, n * n * n * bytes};
    case Kind::spmv:
      return {n * bytes + guard_bytes, n * row_nonzeros * bytes, n * row_nonzeros * 4, one_more_start(n), n * bytes};
    case Kind::gemv:
      return {n * bytes + guard_bytes, n * n * bytes, n * bytes};
    case Kind::gemm:
      break;
  }
  if (!on_cpu(point)) return {n * n * bytes + guard_bytes, n * n * bytes, n * n * bytes};
  const std::int64_t workspace = bytes == 4 ? gemm::workspace_elements<float>() : gemm::workspace_elements<double>();
  std::vector<std::int64_t> all{n * n * bytes + guard_bytes, n * n * bytes, n * n * bytes};
  all.insert(all.end(), static_cast<std::size_t>(threads_of(point)), workspace * bytes);
  return all;
}

std::optional<std::string> unsupported(Kind kind, const record::Point& point) {
  const std::int64_t bytes = element_bytes(point);
  if (kind == Kind::ladder && !ladder_operations(point))
    return fmt::format("one operation for each element, of {} bytes read and written, is {} FLOP/B already", bytes,
                       1.0 / (2.0 * static_cast<double>(bytes)));
  if (kind == Kind::peak && bytes == 2 && on_cpu(point))
    return fmt::format("pairs of {} in ordinary multiply-adds are a GPU's", point.text("dtype"));
  if (kind == Kind::dot_peak && on_cpu(point) && point.text("dtype") != "bf16")
    return fmt::format("{} dot products are a GPU's", point.text("dtype"));
  if ((kind == Kind::dot_peak || kind == Kind::dot_ops) && !on_cpu(point) &&
      !multiplies(point.text("instruction"), point.text("dtype")))
    return fmt::format("there is no {} of {} here", point.text("instruction"), point.text("dtype"));
  if (kind == Kind::gemm && !on_cpu(point) && bytes != 4) return "on a GPU our own product is of f32 (--dtype f32)";
  const std::int64_t least = kind == Kind::stencil ? 3 : 1;
  if (const std::int64_t n = extent(kind, point); n < least) {
    if (kind == Kind::stencil) return fmt::format("a cube of {0}×{0}×{0} points has no interior", n);
    return fmt::format("a size of {} bytes is below one {} of {} bytes", point.integer("size"),
                       kind == Kind::spmv ? "row" : "element", kind == Kind::spmv ? row_nonzeros * bytes : bytes);
  }
  if (kind == Kind::spmv && extent(kind, point) > INT32_MAX) return "columns are 32-bit numbers: at most 2^31-1 rows";
  return std::nullopt;
}

}  // namespace ridge::bench::roofline
