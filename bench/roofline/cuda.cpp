// From a point to a case on a GPU.
#include <fmt/format.h>

#include "bench/roofline/cuda_cases.hpp"
#include "kernels/gemm/pipelined_image.hpp"
#include "kernels/roofline/chain_image.hpp"
#include "kernels/roofline/grid_image.hpp"
#include "kernels/roofline/matrix_image.hpp"
#include "kernels/roofline/rows_image.hpp"
#include "kernels/roofline/tcgen05_image.hpp"
#include "kernels/roofline/wgmma_image.hpp"

namespace ridge::bench::roofline {
namespace {

namespace rr = ridge::roofline;

// How long a peak's repetition is. The reference machine has no time, so there it is short: it executes some hundred
// million steps a second, and what it proves does not depend on their number.
struct Length {
  std::int64_t operations;  // on each element
  int waves;
  std::int64_t matrix;  // instructions of each sum
};
Length length_on(const CudaContext& context) {
  return context.device.name().kind == device::Kind::ptx ? Length{150, 1, 9} : Length{peak_operations, 4, matrix_steps};
}

template <class T>
std::unique_ptr<Case> prepare(Kind kind, CudaContext& context, const record::Point& point) {
  const std::int64_t n = kind == Kind::peak ? 0 : extent(kind, point);
  switch (kind) {
    case Kind::ladder:
      return make_cuda_ladder<T>(context, *ladder_operations(point), n, rr::chain_image);
    case Kind::stencil:
      return make_cuda_stencil<T>(context, n, rr::grid_image);
    case Kind::spmv:
      return make_cuda_spmv<T>(context, n, SparseRows::alike, rr::rows_image);
    case Kind::gemv:
      return make_cuda_gemv<T>(context, n, rr::rows_image);
    default:
      break;
  }
  const Length length = length_on(context);
  return make_cuda_peak<T>(context, length.operations, length.waves, rr::chain_image);
}

// It multiplies some hundred million pairs a second.
constexpr std::int64_t largest_product_on_reference = 1024;

std::unique_ptr<Case> prepare_gemm(CudaContext& context, std::int64_t n) {
  if (context.device.driver().modelled && n > largest_product_on_reference)
    throw device::Absent(fmt::format(
        "matrices of {0} × {0} are too large for the reference machine, which takes {1} × {1}: try --size 64KiB", n,
        largest_product_on_reference));
  return make_cuda_gemm(context, n, gemm::pipelined_image);
}

std::unique_ptr<Case> prepare_matrix(CudaContext& context, const record::Point& point, std::int64_t steps) {
  const std::string dtype = point.text("dtype");
  const std::string instruction = point.text("instruction");
  if (instruction == "mma") return make_cuda_matrix(context, dtype, steps, rr::matrix_image);
  return make_cuda_tile(context, instruction, dtype, tile_steps,
                        instruction == "wgmma" ? rr::wgmma_image : rr::tcgen05_image);
}

}  // namespace

std::unique_ptr<Case> prepare_cuda(Kind kind, CudaContext& context, const record::Point& point) {
  if (kind == Kind::gemm) return prepare_gemm(context, extent(kind, point));
  const Length length = length_on(context);
  if (kind == Kind::dot_peak || kind == Kind::dot_ops) return prepare_matrix(context, point, length.matrix);
  if (element_bytes(point) == 2)
    return make_cuda_packed(context, point.text("dtype"), length.operations / 2, length.waves, 0, rr::chain_image);
  return element_bytes(point) == 4 ? prepare<float>(kind, context, point) : prepare<double>(kind, context, point);
}

}  // namespace ridge::bench::roofline
