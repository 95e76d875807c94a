// The inside of the stand-in: objects as attributes that were set, and the product that they describe together.
#pragma once

#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "kernels/gemm/matrix.hpp"
#include "kernels/ptx/cublaslt/stand_in.hpp"

namespace ridge::ptx {

using Attributes = std::map<int, std::vector<std::uint8_t>>;

struct Operation {
  cublasComputeType_t compute{};
  cudaDataType_t scale{};
  Attributes attributes;
};
struct Layout {
  cudaDataType_t type{};
  std::int64_t rows = 0, columns = 0, leading = 0;  // column-major
  Attributes attributes;
};
struct Preference {
  Attributes attributes;
};

// Nothing where it was not set.
template <class T>
std::optional<T> attribute(const Attributes& all, int which) {
  const auto found = all.find(which);
  if (found == all.end() || found->second.size() != sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, found->second.data(), sizeof(T));
  return value;
}

// D (m, n) = alpha · op(A) (m, k) · op(B) (k, n) + beta · C (m, n), column-major, `batch` of them; C has D's type.
struct Asked {
  cublasComputeType_t compute{};
  gemm::Type a{}, b{}, d{};
  std::int64_t m = 0, n = 0, k = 0, batch = 1;
  bool a_transposed = false, b_transposed = false;
  std::int64_t a_leading = 0, b_leading = 0, c_leading = 0, d_leading = 0;
  std::int64_t a_stride = 0, b_stride = 0, c_stride = 0, d_stride = 0;  // from one of the batch to the next
  int scale_mode = 0;
  const void *a_scale = nullptr, *b_scale = nullptr;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;  // (m), of D's type

  [[nodiscard]] bool has_bias() const { return (epilogue & CUBLASLT_EPILOGUE_BIAS) != 0; }
};

// CUBLAS_STATUS_INVALID_VALUE where the descriptions contradict each other, NOT_SUPPORTED where the library's
// documentation has no such product on a GPU of that capability.
cublasStatus_t understand(const Operation& operation, const Layout& a, const Layout& b, const Layout& c,
                          const Layout& d, int capability, Asked& asked);

// What an algorithm of this stand-in needs; nothing for one that it did not offer.
struct Algorithm {
  std::uint32_t id, tile, stages, split;
  std::uint64_t workspace;
};
std::vector<Algorithm> algorithms(const Asked& asked, std::uint64_t most_workspace);

struct Given {
  double alpha = 1, beta = 0;
  const void *a = nullptr, *b = nullptr, *c = nullptr;  // C is not read where beta is 0
  void* d = nullptr;
};

// Queues it on the stream.
cublasStatus_t compute(const device::cuda::Driver& driver, const Asked& asked, const Given& given, CUstream stream);

}  // namespace ridge::ptx
