// What the descriptors ask for, and what the library's documentation refuses: written from its tables of supported
// types ("cublasLtMatmul()"), not from the code that calls it.
#include "kernels/ptx/cublaslt/state.hpp"

namespace ridge::ptx {
namespace {

using gemm::Type;

std::optional<Type> element(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_64F:
      return Type::f64;
    case CUDA_R_32F:
      return Type::f32;
    case CUDA_R_16F:
      return Type::f16;
    case CUDA_R_16BF:
      return Type::bf16;
    case CUDA_R_8I:
      return Type::s8;
    case CUDA_R_32I:
      return Type::s32;
    case CUDA_R_8F_E4M3:
      return Type::e4m3;
    case CUDA_R_8F_E5M2:
      return Type::e5m2;
    case CUDA_R_4F_E2M1:
      return Type::e2m1;
    default:
      return std::nullopt;
  }
}

bool types_go_together(const Asked& x, cudaDataType_t scale) {
  switch (x.compute) {
    case CUBLAS_COMPUTE_64F:
      return scale == CUDA_R_64F && x.a == Type::f64 && x.b == Type::f64 && x.d == Type::f64;
    case CUBLAS_COMPUTE_16F:
      return scale == CUDA_R_16F && x.a == Type::f16 && x.b == Type::f16 && x.d == Type::f16;
    case CUBLAS_COMPUTE_32I:
      return scale == CUDA_R_32I && x.a == Type::s8 && x.b == Type::s8 && x.d == Type::s32;
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return scale == CUDA_R_32F && x.a == Type::f32 && x.b == Type::f32 && x.d == Type::f32;
    case CUBLAS_COMPUTE_32F: {
      const bool eight = (x.a == Type::e4m3 || x.a == Type::e5m2) && (x.b == Type::e4m3 || x.b == Type::e5m2) &&
                         !(x.a == Type::e5m2 && x.b == Type::e5m2);
      const bool alike = x.a == x.b && (x.a == Type::f32 || x.a == Type::f16 || x.a == Type::bf16 || x.a == Type::e2m1);
      const bool half = x.d == Type::f16 || x.d == Type::bf16;
      const bool narrowed = half && x.a != Type::f32 && (x.d == x.a || (x.a != Type::f16 && x.a != Type::bf16));
      return scale == CUDA_R_32F && (x.d == Type::f32 || narrowed) && (eight || alike);
    }
    default:
      return false;
  }
}

// 8 bits by 16 bytes, of which 4 bits make 32; integers by four.
bool shape_is_supported(const Asked& x) {
  const auto all = [&](std::int64_t of_extent, std::int64_t of_k) {
    return x.m % of_extent == 0 && x.n % of_extent == 0 && x.k % of_k == 0 && x.a_transposed && !x.b_transposed;
  };
  if (x.a == Type::s8) return all(4, 4);
  if (x.a == Type::e4m3 || x.a == Type::e5m2) return all(16, 16);
  if (x.a == Type::e2m1) return all(16, 32);
  return true;
}

bool gpu_supports(const Asked& x, int capability) {
  const bool scaled_blocks = x.scale_mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0;
  if (x.a == Type::e2m1 || scaled_blocks) return capability >= 100;
  if (x.scale_mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F) return capability >= 90;
  return (x.a != Type::e4m3 && x.a != Type::e5m2) || capability >= 89;
}

bool scales_go_with_types(const Asked& x) {
  const bool eight = x.a == Type::e4m3 || x.a == Type::e5m2;
  switch (x.scale_mode) {
    case CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3:
      return x.a == Type::e2m1 && x.a_scale != nullptr && x.b_scale != nullptr;
    case CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0:
    case CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F:
      return eight && x.a_scale != nullptr && x.b_scale != nullptr;
    default:
      return x.a != Type::e2m1 && (eight || (x.a_scale == nullptr && x.b_scale == nullptr));
  }
}

// Those of the forward pass, without a matrix more.
bool epilogue_is_supported(const Asked& x) {
  switch (x.epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
      return true;
    case CUBLASLT_EPILOGUE_BIAS:
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_RELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU:
    case CUBLASLT_EPILOGUE_GELU_BIAS:
      return x.d == Type::f32;
    default:
      return false;
  }
}

}  // namespace

cublasStatus_t understand(const Operation& operation, const Layout& a, const Layout& b, const Layout& c,
                          const Layout& d, int capability, Asked& asked) {
  const auto of_a = element(a.type), of_b = element(b.type), of_d = element(d.type);
  if (!of_a || !of_b || !of_d || c.type != d.type) return CUBLAS_STATUS_NOT_SUPPORTED;
  Asked& x = asked;
  x.compute = operation.compute;
  x.a = *of_a, x.b = *of_b, x.d = *of_d;
  x.a_transposed =
      attribute<std::int32_t>(operation.attributes, CUBLASLT_MATMUL_DESC_TRANSA).value_or(0) == CUBLAS_OP_T;
  x.b_transposed =
      attribute<std::int32_t>(operation.attributes, CUBLASLT_MATMUL_DESC_TRANSB).value_or(0) == CUBLAS_OP_T;
  x.m = x.a_transposed ? a.columns : a.rows;
  x.k = x.a_transposed ? a.rows : a.columns;
  x.n = x.b_transposed ? b.rows : b.columns;
  const std::int64_t k_of_b = x.b_transposed ? b.columns : b.rows;
  if (k_of_b != x.k || d.rows != x.m || d.columns != x.n || c.rows != x.m || c.columns != x.n)
    return CUBLAS_STATUS_INVALID_VALUE;
  for (const Layout* each : {&a, &b, &c, &d})
    if (each->leading < each->rows) return CUBLAS_STATUS_INVALID_VALUE;
  x.a_leading = a.leading, x.b_leading = b.leading, x.c_leading = c.leading, x.d_leading = d.leading;
  const auto batch = [](const Layout& layout) {
    return std::int64_t{attribute<std::int32_t>(layout.attributes, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT).value_or(1)};
  };
  const auto stride = [](const Layout& layout) {
    return attribute<std::int64_t>(layout.attributes, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET).value_or(0);
  };
  x.batch = batch(d);
  if (batch(a) != x.batch || batch(b) != x.batch || batch(c) != x.batch || x.batch < 1)
    return CUBLAS_STATUS_INVALID_VALUE;
  x.a_stride = stride(a), x.b_stride = stride(b), x.c_stride = stride(c), x.d_stride = stride(d);
  if (x.batch > 1 && (x.d_stride < d.leading * d.columns || x.c_stride < c.leading * c.columns))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto mode = [&](int which) {
    return attribute<std::int32_t>(operation.attributes, which).value_or(CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F);
  };
  x.scale_mode = mode(CUBLASLT_MATMUL_DESC_A_SCALE_MODE);
  if (mode(CUBLASLT_MATMUL_DESC_B_SCALE_MODE) != x.scale_mode) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto pointer = [&](int which) { return attribute<const void*>(operation.attributes, which).value_or(nullptr); };
  x.a_scale = pointer(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER);
  x.b_scale = pointer(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER);
  x.epilogue =
      static_cast<cublasLtEpilogue_t>(attribute<std::uint32_t>(operation.attributes, CUBLASLT_MATMUL_DESC_EPILOGUE)
                                          .value_or(CUBLASLT_EPILOGUE_DEFAULT));
  x.bias = pointer(CUBLASLT_MATMUL_DESC_BIAS_POINTER);
  if (!types_go_together(x, operation.scale) || !epilogue_is_supported(x) || !scales_go_with_types(x) ||
      !shape_is_supported(x) || !gpu_supports(x, capability))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return CUBLAS_STATUS_SUCCESS;
}

// One that splits k and so needs a workspace, where there is enough, and two that do not.
std::vector<Algorithm> algorithms(const Asked& x, std::uint64_t most_workspace) {
  std::vector<Algorithm> all;
  const auto partial_sums = static_cast<std::uint64_t>(4 * x.batch * x.m * x.n * gemm::bytes_of(x.d));
  if (partial_sums <= most_workspace && x.k >= 64) all.push_back({31, 20, 11, 4, partial_sums});
  all.push_back({21, 20, 11, 1, 0});
  all.push_back({10, 15, 8, 1, 0});
  return all;
}

}  // namespace ridge::ptx
