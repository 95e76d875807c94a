// Descriptors, the choice of an algorithm, and the call.
//
// cuBLASLt's matrices are column-major. A row-major matrix is its transpose in column-major, so that C = A·B, all
// row-major, is asked for as Cᵀ = Bᵀ·Aᵀ: the library's first operand is our B, its m is our n.
#include "kernels/cublaslt/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/cublaslt/descriptions.hpp"
#include "kernels/cublaslt/table.hpp"
#include "kernels/formats/formats.hpp"

namespace ridge::cublaslt {
namespace {

using gemm::Problem;
using gemm::Type;

constexpr int most_candidates = 8;
constexpr int timed_runs = 3;
constexpr double scale_of_a = 0.25, scale_of_b = 0.5;

// One of the library's objects, given back to it.
template <class Handle>
class Owned {
 public:
  Owned() = default;
  ~Owned() {
    if (destroy_) destroy_(handle_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  void take(Handle handle, std::function<cublasStatus_t(Handle)> destroy) {
    handle_ = handle;
    destroy_ = std::move(destroy);
  }
  [[nodiscard]] Handle get() const { return handle_; }

 private:
  Handle handle_{};
  std::function<cublasStatus_t(Handle)> destroy_;
};

// alpha or beta as the library reads it.
class Factor {
 public:
  Factor(double value, cudaDataType_t type) {
    if (type == CUDA_R_64F) put(value);
    if (type == CUDA_R_32F) put(static_cast<float>(value));
    if (type == CUDA_R_32I) put(static_cast<std::int32_t>(value));
    if (type == CUDA_R_16F) put(static_cast<std::uint16_t>(formats::encode(value, formats::f16)));
  }
  [[nodiscard]] const void* at() const { return room_; }

 private:
  template <class T>
  void put(T value) {
    std::memcpy(room_, &value, sizeof value);
  }
  alignas(double) unsigned char room_[sizeof(double)]{};
};

}  // namespace

struct Gemm::Parts {
  std::shared_ptr<const Table> table;
  Product product;
  Memory memory;
  std::string what;
  Owned<cublasLtHandle_t> handle;
  Owned<cublasLtMatmulDesc_t> operation;
  Owned<cublasLtMatrixLayout_t> a, b, c;  // ours
  Owned<cublasLtMatmulPreference_t> preference;
  std::vector<cublasLtMatmulHeuristicResult_t> candidates;
  cublasLtMatmulHeuristicResult_t chosen{};
  bool timed = false;

  void require(cublasStatus_t status, const char* call) const {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    const char* const name = table->GetStatusName(status);
    throw device::Error(
        fmt::format("{}: {} ({}): {}", call, name == nullptr ? "status" : name, static_cast<int>(status), what));
  }

  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, const T& value) const {
    require(table->MatmulDescSetAttribute(operation.get(), attribute, &value, sizeof value),
            "cublasLtMatmulDescSetAttribute");
  }
  template <class T>
  void prefer(cublasLtMatmulPreferenceAttributes_t attribute, const T& value) const {
    require(table->MatmulPreferenceSetAttribute(preference.get(), attribute, &value, sizeof value),
            "cublasLtMatmulPreferenceSetAttribute");
  }

  void make_operation(device::cuda::Stream& stream) {
    const Problem& p = product.problem;
    cublasLtHandle_t library = nullptr;
    require(table->Create(&library), "cublasLtCreate");
    handle.take(library, table->Destroy);
    cublasLtMatmulDesc_t made = nullptr;
    require(table->MatmulDescCreate(&made, compute_type(product), factor_type(product)), "cublasLtMatmulDescCreate");
    operation.take(made, table->MatmulDescDestroy);
    set(CUBLASLT_MATMUL_DESC_TRANSA, static_cast<std::int32_t>(p.b_transposed ? CUBLAS_OP_T : CUBLAS_OP_N));
    set(CUBLASLT_MATMUL_DESC_TRANSB, static_cast<std::int32_t>(p.a_transposed ? CUBLAS_OP_T : CUBLAS_OP_N));
    if (product.fast_accumulation) set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
    if (product.scale != Scale::none) make_scales(stream);
    if (epilogue_of(product) != CUBLASLT_EPILOGUE_DEFAULT) {
      set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue_of(product));
      // Down the library's columns, which are our rows.
      if (product.bias) set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(memory.bias));
    }
    // (rows, columns) in memory is (columns, rows) to the library
    make_layout(a, p.a, p.a_transposed ? p.k : p.m, p.a_transposed ? p.m : p.k);
    make_layout(b, p.b, p.b_transposed ? p.n : p.k, p.b_transposed ? p.k : p.n);
    make_layout(c, p.c, p.m, p.n);
  }

  void make_layout(Owned<cublasLtMatrixLayout_t>& layout, Type type, std::int64_t rows, std::int64_t columns) const {
    cublasLtMatrixLayout_t made = nullptr;
    require(table->MatrixLayoutCreate(&made, data_type(type), static_cast<std::uint64_t>(columns),
                                      static_cast<std::uint64_t>(rows), columns),
            "cublasLtMatrixLayoutCreate");
    layout.take(made, table->MatrixLayoutDestroy);
    const auto attribute = [&](cublasLtMatrixLayoutAttribute_t which, const auto& value) {
      require(table->MatrixLayoutSetAttribute(made, which, &value, sizeof value), "cublasLtMatrixLayoutSetAttribute");
    };
    if (product.problem.batch == 1) return;
    attribute(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<std::int32_t>(product.problem.batch));
    attribute(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, rows * columns);
  }

  // Scales of A first, then those of B, in one piece of memory.
  void make_scales(device::cuda::Stream& stream) {
    Product only_a = product;
    only_a.problem.n = 0;
    const std::int64_t all = scale_bytes(product);
    const std::int64_t of_a = product.scale == Scale::tensor ? 4 : scale_bytes(only_a);
    std::vector<std::uint8_t> host(static_cast<std::size_t>(all));
    const auto fill = [&](std::int64_t begin, std::int64_t end, double value) {
      if (product.scale == Scale::block) {
        const std::uint32_t code = product.problem.a == Type::e2m1
                                       ? formats::encode(value, formats::e4m3)
                                       : static_cast<std::uint32_t>(127 + std::ilogb(value));  // an exponent alone
        std::fill(host.begin() + begin, host.begin() + end, static_cast<std::uint8_t>(code));
        return;
      }
      auto* const floats = reinterpret_cast<float*>(host.data() + begin);
      std::fill(floats, floats + (end - begin) / 4, static_cast<float>(value));
    };
    fill(0, of_a, scale_of_a);
    fill(of_a, all, scale_of_b);
    stream.copy_to_device(memory.scales, host.data(), all);
    stream.synchronize();
    auto* const begin = static_cast<std::uint8_t*>(memory.scales);
    const auto mode = static_cast<std::int32_t>(scale_mode(product));
    set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, mode);
    set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, mode);
    set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, static_cast<const void*>(begin + of_a));  // the library's A is our B
    set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, static_cast<const void*>(begin));
  }

  void find_candidates(int capability) {
    cublasLtMatmulPreference_t made = nullptr;
    require(table->MatmulPreferenceCreate(&made), "cublasLtMatmulPreferenceCreate");
    preference.take(made, table->MatmulPreferenceDestroy);
    prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<std::uint64_t>(workspace_bytes));
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_of(memory.matrices.b));
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_of(memory.matrices.a));
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_of(added()));
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_of(memory.matrices.c));
    candidates.resize(most_candidates);
    int count = 0;
    const auto status = table->MatmulAlgoGetHeuristic(handle.get(), operation.get(), b.get(), a.get(), c.get(), c.get(),
                                                      preference.get(), most_candidates, candidates.data(), &count);
    if (status != CUBLAS_STATUS_NOT_SUPPORTED) require(status, "cublasLtMatmulAlgoGetHeuristic");
    candidates.resize(status == CUBLAS_STATUS_SUCCESS ? static_cast<std::size_t>(count) : 0);
    std::erase_if(candidates, [](const auto& each) { return each.state != CUBLAS_STATUS_SUCCESS; });
    if (!candidates.empty()) return;
    const std::string rule = broken_rule(product, capability);
    throw device::Absent(fmt::format("{} has no such product ({}): {}", table->source, what,
                                     rule.empty() ? "no rule of its documentation that is known here says why" : rule));
  }

  // Undoes the scales.
  [[nodiscard]] double alpha() const {
    return product.scale == Scale::none ? product.alpha : 1 / (scale_of_a * scale_of_b);
  }
  [[nodiscard]] double beta() const { return product.residual ? 1 : product.problem.beta; }
  // The matrix that is added, times beta.
  [[nodiscard]] void* added() const { return product.residual ? memory.residual : memory.matrices.c; }

  void queue(device::cuda::Stream& stream) const {
    stream.before_enqueue();
    const Factor factor(alpha(), factor_type(product)), of_added(beta(), factor_type(product));
    require(table->Matmul(handle.get(), operation.get(), factor.at(), memory.matrices.b, b.get(), memory.matrices.a,
                          a.get(), of_added.at(), added(), c.get(), memory.matrices.c, c.get(), &chosen.algo,
                          memory.workspace, static_cast<std::size_t>(workspace_bytes),
                          reinterpret_cast<cudaStream_t>(stream.handle())),
            "cublasLtMatmul");
  }

  void choose(device::cuda::Stream& stream) {
    chosen = candidates.front();
    timed = stream.has_clock() && candidates.size() > 1;
    if (!timed) return;
    double best = std::numeric_limits<double>::infinity();
    auto fastest = chosen;
    for (const auto& candidate : candidates) {
      chosen = candidate;
      queue(stream);  // what is loaded at first use is loaded here
      stream.synchronize();
      const double seconds = stream
                                 .time([&] {
                                   for (int i = 0; i < timed_runs; ++i) queue(stream);
                                 })
                                 .seconds;
      if (seconds < best) {
        best = seconds;
        fastest = candidate;
      }
    }
    chosen = fastest;
  }

  [[nodiscard]] std::string algorithm() const {
    std::string text;
    for (const auto& [name, attribute] :
         {std::pair{"algorithm", CUBLASLT_ALGO_CONFIG_ID}, std::pair{"tile", CUBLASLT_ALGO_CONFIG_TILE_ID},
          std::pair{"stages", CUBLASLT_ALGO_CONFIG_STAGES_ID}, std::pair{"split k", CUBLASLT_ALGO_CONFIG_SPLITK_NUM}}) {
      std::uint32_t value = 0;
      std::size_t written = 0;
      if (table->MatmulAlgoConfigGetAttribute(&chosen.algo, attribute, &value, sizeof value, &written) ==
          CUBLAS_STATUS_SUCCESS)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
    }
    return text + fmt::format(", {} of {}; alpha {}, beta {}; workspace of {} B allowed, {} B used",
                              timed ? "the fastest" : "the first", candidates.size(), alpha(), beta(), workspace_bytes,
                              chosen.workspaceSize);
  }
};

Gemm::Gemm(std::shared_ptr<const Table> table, device::cuda::Stream& stream, int capability, const Product& product,
           const Memory& memory)
    : parts_(std::make_unique<Parts>()) {
  parts_->table = std::move(table);
  parts_->product = product;
  parts_->memory = memory;
  parts_->what = described(product, stream.context().name());
  stream.context().make_current();
  parts_->make_operation(stream);
  parts_->find_candidates(capability);
  parts_->choose(stream);
}

Gemm::~Gemm() = default;

void Gemm::multiply(device::cuda::Stream& stream) {
  parts_->queue(stream);
}

std::map<std::string, std::string> Gemm::implementation() const {
  return {{"library", parts_->table->source}, {"kernel", parts_->algorithm()}};
}

}  // namespace ridge::cublaslt
