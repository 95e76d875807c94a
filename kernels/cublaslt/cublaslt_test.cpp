// The library opened at run time, reasons where it is not, and the rules that a refusal is explained by.
#include <catch2/catch.hpp>

#include <cstdlib>

#include "kernels/cublaslt/product.hpp"
#include "kernels/cublaslt/table.hpp"
#include "kernels/device/library_search.hpp"
#include "tests/support/skip.hpp"

using namespace ridge;
using cublaslt::Product;
using cublaslt::Scale;
using gemm::Type;

namespace {

std::string reason(const device::LibraryOpener& opener) {
  try {
    cublaslt::load(opener);
    return "";
  } catch (const device::Absent& absent) {
    return absent.what();
  }
}

Product product(Type a, Type b, std::int64_t m, std::int64_t n, std::int64_t k, bool nt = true) {
  Product p;
  p.problem.a = a, p.problem.b = b;
  p.problem.c = a == Type::s8 ? Type::s32 : Type::f32;
  p.problem.m = m, p.problem.n = n, p.problem.k = k;
  p.problem.b_transposed = nt;
  if (a == Type::e2m1) p.scale = Scale::block;
  return p;
}

}  // namespace

// No call that would need a driver.
TEST_CASE("the toolkit's cuBLASLt has every function that is called") {
  const auto opener =
      device::searching_opener(device::library_folders([](const char* name) { return std::getenv(name); }));
  std::shared_ptr<const cublaslt::Table> table;
  try {
    table = cublaslt::load(opener);
  } catch (const device::Absent& absent) {
    test::skip(absent.what());
    return;
  }
  CHECK(table->source.starts_with("cuBLASLt 1"));
  CHECK(std::string(table->GetStatusName(CUBLAS_STATUS_NOT_SUPPORTED)) == "CUBLAS_STATUS_NOT_SUPPORTED");
  // Objects that live on the host: that signatures and sizes are the library's is seen here.
  cublasLtMatmulDesc_t operation = nullptr;
  REQUIRE(table->MatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F) == CUBLAS_STATUS_SUCCESS);
  const std::int32_t transposed = CUBLAS_OP_T;
  CHECK(table->MatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(table->MatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, 1) ==
        CUBLAS_STATUS_INVALID_VALUE);
  const std::int8_t fast = 1;
  CHECK(table->MatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, 1) == CUBLAS_STATUS_SUCCESS);
  const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_GELU_BIAS;
  const void* const bias = &fast;
  CHECK(table->MatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(table->MatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(table->MatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, 4) ==
        CUBLAS_STATUS_INVALID_VALUE);
  CHECK(table->MatmulDescDestroy(operation) == CUBLAS_STATUS_SUCCESS);
  cublasLtMatrixLayout_t layout = nullptr;
  REQUIRE(table->MatrixLayoutCreate(&layout, CUDA_R_16BF, 8, 4, 8) == CUBLAS_STATUS_SUCCESS);
  const std::int32_t batch = 3;
  const std::int64_t stride = 32;
  CHECK(table->MatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, 4) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(table->MatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, 8) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(table->MatrixLayoutDestroy(layout) == CUBLAS_STATUS_SUCCESS);
  cublasLtMatmulPreference_t preference = nullptr;
  REQUIRE(table->MatmulPreferenceCreate(&preference) == CUBLAS_STATUS_SUCCESS);
  const std::uint64_t workspace = 32 << 20;
  CHECK(table->MatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, 8) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(table->MatmulPreferenceDestroy(preference) == CUBLAS_STATUS_SUCCESS);
}

TEST_CASE("a library that is absent, broken or another is a reason") {
  int here = 0;
  device::LibraryOpener opener;
  opener.open = [](const char*) -> device::LibraryOpener::Opened { return {nullptr, "No such file or directory"}; };
  opener.symbol = [](void*, const char*) -> void* { return nullptr; };
  CHECK(reason(opener).starts_with("libcublasLt.so.13 not found, libcublasLt.so.12 not found (CUDA Toolkit, "));
  opener.open = [](const char*) -> device::LibraryOpener::Opened { return {nullptr, "wrong ELF class"}; };
  CHECK(reason(opener).starts_with("libcublasLt.so.13 cannot be opened: wrong ELF class, "));
  opener.open = [&](const char* name) -> device::LibraryOpener::Opened {
    if (std::string(name).ends_with(".12")) return {&here, {}};
    return {nullptr, ""};
  };
  CHECK(reason(opener) == "libcublasLt.so.12 has no cublasLtCreate");
}

TEST_CASE("refusals are explained by the first rule that is broken") {
  using cublaslt::broken_rule;
  CHECK(broken_rule(product(Type::f32, Type::f32, 1, 1, 1, false), 80).empty());
  CHECK(broken_rule(product(Type::e4m3, Type::e4m3, 16, 32, 40), 90) == "k must be a multiple of 16");
  CHECK(broken_rule(product(Type::e4m3, Type::e4m3, 17, 32, 48), 90) == "m must be a multiple of 16");
  CHECK(broken_rule(product(Type::e4m3, Type::e4m3, 16, 30, 48), 90) == "n must be a multiple of 16");
  CHECK(broken_rule(product(Type::e4m3, Type::e4m3, 16, 32, 48), 90).empty());
  CHECK(broken_rule(product(Type::e4m3, Type::e4m3, 16, 32, 48, false), 90).starts_with("layout must be nt"));
  CHECK(broken_rule(product(Type::e4m3, Type::e4m3, 16, 32, 48), 80) ==
        "numbers of 8 bits are multiplied from compute capability 8.9 on, and this GPU has 8.0");
  CHECK(broken_rule(product(Type::e5m2, Type::e5m2, 16, 32, 48), 90).find("must be e4m3") != std::string::npos);
  CHECK(broken_rule(product(Type::s8, Type::s8, 4, 4, 6), 80) == "k must be a multiple of 4");
  CHECK(broken_rule(product(Type::e2m1, Type::e2m1, 16, 16, 48), 100) == "k must be a multiple of 32");
  CHECK(broken_rule(product(Type::e2m1, Type::e2m1, 16, 16, 64), 90).ends_with("this GPU has 9.0"));
  auto outer = product(Type::e4m3, Type::e4m3, 16, 32, 48);
  outer.scale = Scale::outer;
  CHECK(broken_rule(outer, 89).starts_with("rows and columns have scales from compute capability 9.0"));
  CHECK(cublaslt::scale_bytes(outer) == (16 + 32) * 4);
  outer.scale = Scale::block;
  CHECK(broken_rule(outer, 90).starts_with("blocks of 32 have scales from compute capability 10.0"));
  CHECK(cublaslt::scale_bytes(outer) == (128 + 128) * 4);
  CHECK(cublaslt::scale_bytes(product(Type::e2m1, Type::e2m1, 129, 16, 96)) == (256 + 128) * 8);
}
