// Calls the library, launches what is left to passes, states what both do, and checks what they leave.
#include "bench/fusion/cuda_epilogue.hpp"

#if __has_include(<cublasLt.h>)
#include <fmt/format.h>

#include <algorithm>

#include "bench/fusion/data.hpp"
#include "bench/gemm/cuda_case.hpp"
#include "kernels/cublaslt/product.hpp"
#include "kernels/fused/fused_image.hpp"

namespace ridge::bench::fusion {
namespace {

namespace lt = ridge::cublaslt;
namespace rf = ridge::fused;
using ridge::gemm::Activation;

lt::Product asked_of_library(const EpilogueShape& shape) {
  lt::Product product;
  product.problem = shape.problem(1);
  if (shape.side != EpilogueSide::fused) return product;
  product.bias = shape.bias;
  product.activation = shape.activation;
  product.residual = shape.residual;
  return product;
}

std::vector<rf::CudaStep> passes_of(const EpilogueShape& shape) {
  std::vector<rf::CudaStep> passes;
  if (shape.side != EpilogueSide::unfused) return passes;
  if (shape.bias) passes.push_back(rf::add_bias);
  if (shape.activation == Activation::relu) passes.push_back(rf::apply_relu);
  if (shape.activation == Activation::gelu) passes.push_back(rf::apply_gelu);
  if (shape.residual) passes.push_back(rf::add_residual);
  return passes;
}

}  // namespace

CudaEpilogue::CudaEpilogue(CudaContext& context, const EpilogueShape& shape,
                           std::shared_ptr<const cublaslt::Table> table, const device::cuda::Image& image)
    : shape_(shape), stream_(context.device.stream()), seed_(context.seed), zero_(context.fill == Fill::zero) {
  if (shape.side == EpilogueSide::library) throw device::Absent("cuBLASLt has no passes of its own: those are unfused");
  if (shape.residual && shape.activation != Activation::none)
    throw device::Absent("cuBLASLt adds a matrix before the activation, not behind it: no such epilogue");
  if (shape.n > rf::most_row)
    throw device::Absent(fmt::format("passes hold a row of at most {} entries, not {}", rf::most_row, shape.n));
  const auto borrow = [&](std::int64_t elements, std::int64_t behind = 0) {
    return context.arena.borrow(elements * 4 + behind).as<float>();
  };
  o_.x = borrow(shape.m * shape.n, guard_bytes);
  o_.columns = shape.n;
  a_ = borrow(shape.m * shape.k);
  b_ = borrow(shape.k * shape.n);
  o_.bias = bias_ = borrow(shape.n);
  if (shape.residual) o_.residual = residual_ = borrow(shape.m * shape.n);
  for (const rf::CudaStep& step : passes_of(shape)) passes_.emplace_back(context, image, step, shape.m);
  fill(EpilogueInputs::random, zero_);
  const auto& properties = context.device.properties();
  gemm_ = std::make_unique<lt::Gemm>(
      table ? std::move(table) : gemm::cuda_library_table(context), stream_,
      properties.capability_major * 10 + properties.capability_minor, asked_of_library(shape),
      lt::Memory{{o_.x, a_, b_}, context.arena.borrow(lt::workspace_bytes).data, nullptr, bias_, residual_});
}

CudaEpilogue::~CudaEpilogue() = default;

void CudaEpilogue::run(std::int64_t repetitions) {
  for (std::int64_t i = 0; i < repetitions; ++i) {
    gemm_->multiply(stream_);
    for (const StepLaunch& pass : passes_) pass.function(stream_, pass.shape, o_, shape_.m);
  }
}

std::optional<record::Work> CudaEpilogue::work() const {
  record::Work work = epilogue_work(shape_);
  std::int64_t each = 2 * shape_.k;
  for (const StepLaunch& pass : passes_) each += pass.step.element_operations;
  work.operations = shape_.m * shape_.n * each;
  const auto by = gemm_->implementation();
  work.counting +=
      fmt::format("; operations of the product, and of passes those of their instructions; multiplied by {}, kernel {}",
                  by.at("library"), by.at("kernel"));
  return work;
}

std::vector<Besides> CudaEpilogue::besides_work() const {
  std::int64_t readings = shape_.side == EpilogueSide::fused && shape_.bias ? 1 : 0;
  for (const StepLaunch& pass : passes_) readings += std::int64_t{pass.shape.blocks} * pass.step.vectors;
  if (readings == 0) return {};
  return {{"the bias, once for a library's call and for each block of a pass", readings * shape_.n * 4, 0, 0}};
}

void CudaEpilogue::fill(EpilogueInputs inputs, bool zero) {
  const EpilogueNumbers numbers(shape_, seed_, inputs);
  const auto upload = [&](float* dst, std::int64_t rows, std::int64_t columns, const auto& value) {
    std::vector<float> row(static_cast<std::size_t>(columns));
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) row[static_cast<std::size_t>(j)] = zero ? 0 : value(i, j);
      stream_.copy_to_device(dst + i * columns, row.data(), columns * 4);
      stream_.synchronize();
    }
  };
  upload(a_, shape_.m, shape_.k, [&](std::int64_t i, std::int64_t l) { return numbers.a(i, l); });
  upload(b_, shape_.k, shape_.n, [&](std::int64_t l, std::int64_t j) { return numbers.b(l, j); });
  upload(bias_, 1, shape_.n, [&](std::int64_t, std::int64_t j) { return numbers.bias(j); });
  if (residual_ != nullptr)
    upload(residual_, shape_.m, shape_.n, [&](std::int64_t i, std::int64_t j) { return numbers.residual(i, j); });
  stream_.fill(o_.x, stream::poison_byte, shape_.m * shape_.n * 4 + guard_bytes);
  stream_.synchronize();
}

record::Verification CudaEpilogue::verify() {
  stream::Check all;
  bool guarded = true;
  std::vector<float> have(static_cast<std::size_t>(shape_.m * shape_.n));
  for (const EpilogueInputs inputs : {EpilogueInputs::exact, EpilogueInputs::random}) {
    fill(inputs, false);
    run(1);
    unsigned char guard[guard_bytes];
    stream_.copy_to_host(have.data(), o_.x, shape_.m * shape_.n * 4);
    stream_.copy_to_host(guard, o_.x + shape_.m * shape_.n, guard_bytes);
    stream_.synchronize();
    EpilogueNumbers(shape_, seed_, inputs, true).check(all, have.data(), 0, shape_.m);
    guarded = guarded && stream::untouched(guard, guard_bytes);
  }
  fill(EpilogueInputs::random, zero_);
  return verdict(all, guarded);
}

std::unique_ptr<Case> prepare_cuda_epilogue(CudaContext& context, const record::Point& point) {
  constexpr std::int64_t most = std::int64_t{1} << 29;
  const EpilogueShape shape = epilogue_shape(point);
  const std::int64_t operations = 2 * shape.m * shape.n * shape.k;
  if (context.device.driver().modelled && operations > most)
    throw device::Absent(fmt::format(
        "2·m·n·k = {} operations are too many for the reference machine, which takes at most {}: try --m 128",
        operations, most));
  return std::make_unique<CudaEpilogue>(context, shape, nullptr, rf::fused_image);
}

}  // namespace ridge::bench::fusion

#else

namespace ridge::bench::fusion {
std::unique_ptr<Case> prepare_cuda_epilogue(CudaContext&, const record::Point&) {
  throw device::Absent("this build has no cuBLASLt: cublasLt.h was missing");
}
}  // namespace ridge::bench::fusion

#endif
