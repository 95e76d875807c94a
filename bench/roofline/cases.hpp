// The cases on the CPU, one function for each kind.
#pragma once

#include "bench/roofline/points.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/gemm/gemm.hpp"
#include "kernels/roofline/chain.hpp"
#include "kernels/roofline/grid.hpp"
#include "kernels/roofline/rows.hpp"

namespace ridge::bench::roofline {

// `kernel` is the version under test.
template <class T>
std::unique_ptr<Case> make_chain(ridge::roofline::ChainKernel<T> kernel, std::int64_t operations, std::int64_t count,
                                 int threads, CpuContext& context);
template <class T>
std::unique_ptr<Case> make_stencil(ridge::roofline::StencilKernel<T> kernel, std::int64_t side, int threads,
                                   CpuContext& context);
template <class T>
std::unique_ptr<Case> make_gemv(ridge::roofline::DenseKernel<T> kernel, std::int64_t n, int threads,
                                CpuContext& context);
template <class T>
std::unique_ptr<Case> make_spmv(ridge::roofline::SparseKernel<T> kernel, std::int64_t rows, int threads,
                                CpuContext& context);
template <class T>
std::unique_ptr<Case> make_gemm(gemm::Kernel<T> kernel, std::int64_t n, int threads, CpuContext& context);

// Chooses type and stores by the point.
std::unique_ptr<Case> prepare_cpu(Kind kind, CpuContext& context, const record::Point& point);

}  // namespace ridge::bench::roofline
