// What is asked for in the library's own words, and in ours for its errors.
#pragma once

#include <cublasLt.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "kernels/cublaslt/asked.hpp"
#include "kernels/device/device.hpp"

namespace ridge::cublaslt {

inline cudaDataType_t data_type(gemm::Type type) {
  switch (type) {
    case gemm::Type::f64:
      return CUDA_R_64F;
    case gemm::Type::f16:
      return CUDA_R_16F;
    case gemm::Type::bf16:
      return CUDA_R_16BF;
    case gemm::Type::s8:
      return CUDA_R_8I;
    case gemm::Type::u8:
      return CUDA_R_8U;
    case gemm::Type::s32:
      return CUDA_R_32I;
    case gemm::Type::e4m3:
      return CUDA_R_8F_E4M3;
    case gemm::Type::e5m2:
      return CUDA_R_8F_E5M2;
    case gemm::Type::e2m1:
      return CUDA_R_4F_E2M1;
    case gemm::Type::f32:
      break;
  }
  return CUDA_R_32F;
}

inline cublasComputeType_t compute_type(const Product& product) {
  if (product.problem.c == gemm::Type::f64) return CUBLAS_COMPUTE_64F;
  if (product.problem.c == gemm::Type::s32) return CUBLAS_COMPUTE_32I;
  if (product.half_sums) return CUBLAS_COMPUTE_16F;
  return product.tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

// Of alpha and beta.
inline cudaDataType_t factor_type(const Product& product) {
  if (product.problem.c == gemm::Type::f64) return CUDA_R_64F;
  if (product.problem.c == gemm::Type::s32) return CUDA_R_32I;
  return product.half_sums ? CUDA_R_16F : CUDA_R_32F;
}

inline cublasLtMatmulMatrixScale_t scale_mode(const Product& product) {
  if (product.scale == Scale::outer) return CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
  if (product.scale == Scale::tensor) return CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
  return product.problem.a == gemm::Type::e2m1 ? CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3
                                               : CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0;
}

// The power of two that an address is a multiple of, as far as the library cares.
inline std::uint32_t alignment_of(const void* address) {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  return static_cast<std::uint32_t>(std::min<std::uintptr_t>(value & (~value + 1), 256));
}

inline cublasLtEpilogue_t epilogue_of(const Product& product) {
  switch (product.activation) {
    case gemm::Activation::relu:
      return product.bias ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_RELU;
    case gemm::Activation::gelu:
      return product.bias ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_GELU;
    case gemm::Activation::none:
      break;
  }
  return product.bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
}

// ", epilogue bias gelu", ", epilogue bias residual"; empty without one.
inline std::string followed_by(const Product& product) {
  std::string text = product.bias ? " bias" : "";
  if (product.residual) text += " residual";
  if (product.activation != gemm::Activation::none)
    text += product.activation == gemm::Activation::relu ? " relu" : " gelu";
  return text.empty() ? text : ", epilogue" + text;
}

// " (fast accumulation)"; empty for sums as they are without asking.
inline std::string summed_by(const Product& product) {
  if (product.fast_accumulation) return " (fast accumulation)";
  return product.half_sums ? " (sums in f16)" : "";
}

// "m 8, n 8, k 8, bf16·bf16 → f32, layout nt, batch 1 on cuda:0"
inline std::string described(const Product& product, const device::Name& device) {
  const gemm::Problem& p = product.problem;
  return fmt::format("{}, {}·{} → {}{}, {}{} on {}", gemm::extents_of(p), product.tf32 ? "tf32" : gemm::name_of(p.a),
                     product.tf32 ? "tf32" : gemm::name_of(p.b), gemm::name_of(p.c), summed_by(product),
                     gemm::arrangement_of(p), followed_by(product), device.text());
}

}  // namespace ridge::cublaslt
