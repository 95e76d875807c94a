// The cases on a GPU, one function for each kind. `image` holds the kernels; tests put wrong ones in their place.
#pragma once

#include "bench/roofline/points.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/roofline/tile_kernels.hpp"

namespace ridge::bench::roofline {

// One array of `count` elements into another, `operations` on each. T is float or double.
template <class T>
std::unique_ptr<Case> make_cuda_ladder(CudaContext& context, std::int64_t operations, std::int64_t count,
                                       const device::cuda::Image& image);
// The same where the arithmetic alone is measured: as many elements as keep the whole GPU busy `waves` times.
template <class T>
std::unique_ptr<Case> make_cuda_peak(CudaContext& context, std::int64_t operations, int waves,
                                     const device::cuda::Image& image);
// Pairs of 16-bit numbers; `count` of them, or where that is 0 as many as keep the GPU busy `waves` times. `dtype` is
// "f16" or "bf16".
std::unique_ptr<Case> make_cuda_packed(CudaContext& context, const std::string& dtype, std::int64_t steps, int waves,
                                       std::int64_t count, const device::cuda::Image& image);
template <class T>
std::unique_ptr<Case> make_cuda_stencil(CudaContext& context, std::int64_t side, const device::cuda::Image& image);
template <class T>
std::unique_ptr<Case> make_cuda_gemv(CudaContext& context, std::int64_t n, const device::cuda::Image& image);
// Rows of 16 nonzeros are what is measured; of 0 to 40 in turn what the kernel is tried with too.
enum class SparseRows { alike, varied };
// Where a row begins.
std::int64_t sparse_start(SparseRows lengths, std::int64_t row);
template <class T>
std::unique_ptr<Case> make_cuda_spmv(CudaContext& context, std::int64_t rows, SparseRows lengths,
                                     const device::cuda::Image& image);
// Of f32.
std::unique_ptr<Case> make_cuda_gemm(CudaContext& context, std::int64_t n, const device::cuda::Image& image);
// As many warps as the GPU holds at once, each with `steps` of the type's matrix instruction in each of its sums.
// device::Absent where the GPU has no such instruction.
std::unique_ptr<Case> make_cuda_matrix(CudaContext& context, const std::string& dtype, std::int64_t steps,
                                       const device::cuda::Image& image);
// The same by an instruction of few architectures, "wgmma" or "tcgen05", with `steps` over a block's operands.
std::unique_ptr<Case> make_cuda_tile(CudaContext& context, const std::string& instruction, const std::string& dtype,
                                     std::int64_t steps, const device::cuda::Image& image);
// Why a GPU of that architecture (90: compute capability 9.0) cannot be asked for it; "" where it can. `modelled`: it
// is a reference GPU; `built`: this build has machine code for it.
std::string tile_absent(const ridge::roofline::TileInstruction& instruction, int architecture, bool modelled,
                        bool built);

}  // namespace ridge::bench::roofline
