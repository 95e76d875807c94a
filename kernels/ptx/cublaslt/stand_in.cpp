// The table of functions over objects that are kept here.
#include "kernels/ptx/cublaslt/stand_in.hpp"

#include <algorithm>

#include "kernels/formats/formats.hpp"
#include "kernels/ptx/cublaslt/state.hpp"

namespace ridge::ptx {

struct CublasLt::State {
  State(const device::cuda::Driver& table, int gpu_capability) : driver(table), capability(gpu_capability) {}

  device::cuda::Driver driver;  // a copy, which keeps the reference GPUs
  int capability;
  std::recursive_mutex mutex;
  std::map<std::string, std::map<int, cublasStatus_t>> failures;  // call → which → status
  std::map<std::string, int> calls;
  std::map<cublasLtHandle_t, std::unique_ptr<int>> handles;
  std::map<cublasLtMatmulDesc_t, std::unique_ptr<Operation>> operations;
  std::map<cublasLtMatrixLayout_t, std::unique_ptr<Layout>> layouts;
  std::map<cublasLtMatmulPreference_t, std::unique_ptr<Preference>> preferences;

  template <class Handle, class T>
  static cublasStatus_t add(std::map<Handle, std::unique_ptr<T>>& all, Handle* out, std::unique_ptr<T> object) {
    if (out == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *out = reinterpret_cast<Handle>(object.get());
    all[*out] = std::move(object);
    return CUBLAS_STATUS_SUCCESS;
  }
  template <class Handle, class T>
  static cublasStatus_t remove(std::map<Handle, std::unique_ptr<T>>& all, Handle handle) {
    return all.erase(handle) == 1 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
  }
  // `bytes` of the attribute as the header's table of them says; another length is refused, as there.
  template <class Handle, class T>
  static cublasStatus_t set(std::map<Handle, std::unique_ptr<T>>& all, Handle handle, int which, const void* value,
                            std::size_t bytes, std::size_t expected) {
    const auto found = all.find(handle);
    if (found == all.end() || value == nullptr || bytes != expected) return CUBLAS_STATUS_INVALID_VALUE;
    const auto* const begin = static_cast<const std::uint8_t*>(value);
    found->second->attributes[which].assign(begin, begin + bytes);
    return CUBLAS_STATUS_SUCCESS;
  }
  template <class Handle, class T>
  static const T* find(const std::map<Handle, std::unique_ptr<T>>& all, Handle handle) {
    const auto found = all.find(handle);
    return found == all.end() ? nullptr : found->second.get();
  }

  // One call at a time; failures on request.
  template <class F>
  auto entry(const char* name, F body) {
    return [this, call = std::string(name), body = std::move(body)](auto... arguments) -> cublasStatus_t {
      const std::lock_guard lock(mutex);
      const int nth = ++calls[call];
      if (const auto planned = failures.find(call); planned != failures.end())
        if (const auto now = planned->second.find(nth); now != planned->second.end()) return now->second;
      return body(arguments...);
    };
  }

  cublasStatus_t understood(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, cublasLtMatrixLayout_t a,
                            cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                            Asked& asked) const {
    const Operation* const how = find(operations, operation);
    const Layout* const of[] = {find(layouts, a), find(layouts, b), find(layouts, c), find(layouts, d)};
    if (find(handles, handle) == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (how == nullptr || std::find(std::begin(of), std::end(of), nullptr) != std::end(of))
      return CUBLAS_STATUS_INVALID_VALUE;
    return understand(*how, *of[0], *of[1], *of[2], *of[3], capability, asked);
  }

  void fill_objects(cublaslt::Table& table);
  void fill_product(cublaslt::Table& table);
};

namespace {

const char* status_name(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
  }
}

std::size_t bytes_of_operation_attribute(int which) {
  switch (which) {
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
      return 1;
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
      return sizeof(void*);
    default:
      return 4;
  }
}

// An algorithm as the opaque structure holds it.
cublasLtMatmulAlgo_t packed(const Algorithm& algorithm) {
  return {{algorithm.id, algorithm.tile, algorithm.stages, algorithm.split, algorithm.workspace}};
}

double number(const void* at, cudaDataType_t type) {
  if (type == CUDA_R_64F) return *static_cast<const double*>(at);
  if (type == CUDA_R_32I) return *static_cast<const std::int32_t*>(at);
  if (type == CUDA_R_16F) return formats::decode(*static_cast<const std::uint16_t*>(at), formats::f16);
  return static_cast<double>(*static_cast<const float*>(at));
}

}  // namespace

void CublasLt::State::fill_objects(cublaslt::Table& table) {
  table.Create =
      entry("cublasLtCreate", [this](cublasLtHandle_t* out) { return add(handles, out, std::make_unique<int>(0)); });
  table.Destroy = entry("cublasLtDestroy", [this](cublasLtHandle_t handle) { return remove(handles, handle); });
  table.MatmulDescCreate = entry(
      "cublasLtMatmulDescCreate", [this](cublasLtMatmulDesc_t* out, cublasComputeType_t compute, cudaDataType_t scale) {
        return add(operations, out, std::make_unique<Operation>(Operation{compute, scale, {}}));
      });
  table.MatmulDescDestroy =
      entry("cublasLtMatmulDescDestroy", [this](cublasLtMatmulDesc_t handle) { return remove(operations, handle); });
  table.MatmulDescSetAttribute = entry(
      "cublasLtMatmulDescSetAttribute",
      [this](cublasLtMatmulDesc_t handle, cublasLtMatmulDescAttributes_t which, const void* value, std::size_t bytes) {
        return set(operations, handle, which, value, bytes, bytes_of_operation_attribute(which));
      });
  table.MatrixLayoutCreate =
      entry("cublasLtMatrixLayoutCreate", [this](cublasLtMatrixLayout_t* out, cudaDataType_t type, std::uint64_t rows,
                                                 std::uint64_t columns, std::int64_t leading) {
        return add(layouts, out,
                   std::make_unique<Layout>(
                       Layout{type, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns), leading, {}}));
      });
  table.MatrixLayoutDestroy =
      entry("cublasLtMatrixLayoutDestroy", [this](cublasLtMatrixLayout_t handle) { return remove(layouts, handle); });
  table.MatrixLayoutSetAttribute = entry(
      "cublasLtMatrixLayoutSetAttribute", [this](cublasLtMatrixLayout_t handle, cublasLtMatrixLayoutAttribute_t which,
                                                 const void* value, std::size_t bytes) {
        return set(layouts, handle, which, value, bytes, which == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET ? 8 : 4);
      });
  table.MatmulPreferenceCreate = entry("cublasLtMatmulPreferenceCreate", [this](cublasLtMatmulPreference_t* out) {
    return add(preferences, out, std::make_unique<Preference>());
  });
  table.MatmulPreferenceDestroy = entry("cublasLtMatmulPreferenceDestroy", [this](cublasLtMatmulPreference_t handle) {
    return remove(preferences, handle);
  });
  table.MatmulPreferenceSetAttribute =
      entry("cublasLtMatmulPreferenceSetAttribute", [this](cublasLtMatmulPreference_t handle,
                                                           cublasLtMatmulPreferenceAttributes_t which,
                                                           const void* value, std::size_t bytes) {
        return set(preferences, handle, which, value, bytes, which == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES ? 8 : 4);
      });
}

void CublasLt::State::fill_product(cublaslt::Table& table) {
  table.MatmulAlgoGetHeuristic = entry(
      "cublasLtMatmulAlgoGetHeuristic",
      [this](cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, cublasLtMatrixLayout_t a,
             cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
             cublasLtMatmulPreference_t preference, int most, cublasLtMatmulHeuristicResult_t* results, int* count) {
        Asked asked;
        if (const auto status = understood(handle, operation, a, b, c, d, asked); status != CUBLAS_STATUS_SUCCESS)
          return status;
        const Preference* const preferred = find(preferences, preference);
        if (preferred == nullptr || most < 1) return CUBLAS_STATUS_INVALID_VALUE;
        const auto workspace =
            attribute<std::uint64_t>(preferred->attributes, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES).value_or(0);
        *count = 0;
        for (const Algorithm& each : algorithms(asked, workspace)) {
          if (*count == most) break;
          auto& result = results[(*count)++];
          result = {};
          result.algo = packed(each);
          result.workspaceSize = each.workspace;
          result.state = CUBLAS_STATUS_SUCCESS;
        }
        return CUBLAS_STATUS_SUCCESS;
      });
  table.MatmulAlgoConfigGetAttribute =
      entry("cublasLtMatmulAlgoConfigGetAttribute",
            [](const cublasLtMatmulAlgo_t* algorithm, cublasLtMatmulAlgoConfigAttributes_t which, void* value,
               std::size_t bytes, std::size_t* written) {
              const std::map<int, int> at{{CUBLASLT_ALGO_CONFIG_ID, 0},
                                          {CUBLASLT_ALGO_CONFIG_TILE_ID, 1},
                                          {CUBLASLT_ALGO_CONFIG_STAGES_ID, 2},
                                          {CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 3}};
              const auto found = at.find(which);
              if (found == at.end() || bytes != 4) return CUBLAS_STATUS_INVALID_VALUE;
              const auto number = static_cast<std::uint32_t>(algorithm->data[found->second]);
              std::memcpy(value, &number, sizeof number);
              if (written != nullptr) *written = sizeof number;
              return CUBLAS_STATUS_SUCCESS;
            });
  table.Matmul = entry(
      "cublasLtMatmul",
      [this](cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, const void* alpha, const void* a,
             cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout, const void* beta,
             const void* c, cublasLtMatrixLayout_t c_layout, void* d, cublasLtMatrixLayout_t d_layout,
             const cublasLtMatmulAlgo_t* algorithm, void* workspace, std::size_t workspace_bytes, cudaStream_t stream) {
        Asked asked;
        if (const auto status = understood(handle, operation, a_layout, b_layout, c_layout, d_layout, asked);
            status != CUBLAS_STATUS_SUCCESS)
          return status;
        const cudaDataType_t scale = find(operations, operation)->scale;
        if (alpha == nullptr || beta == nullptr || a == nullptr || b == nullptr || d == nullptr || algorithm == nullptr)
          return CUBLAS_STATUS_INVALID_VALUE;
        if (asked.has_bias() && asked.bias == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
        const Given given{number(alpha, scale), number(beta, scale), a, b, c, d};
        if (given.beta != 0 && c == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
        if (c == d && (asked.c_leading != asked.d_leading || asked.c_stride != asked.d_stride))
          return CUBLAS_STATUS_INVALID_VALUE;  // in place, C must lie as D does
        const auto known = algorithms(asked, workspace_bytes);
        const bool offered = std::any_of(known.begin(), known.end(), [&](const Algorithm& each) {
          return each.id == algorithm->data[0] && each.workspace == algorithm->data[4];
        });
        if (!offered || (algorithm->data[4] > 0 && workspace == nullptr)) return CUBLAS_STATUS_INVALID_VALUE;
        return compute(driver, asked, given, reinterpret_cast<CUstream>(stream));
      });
}

CublasLt::CublasLt(const device::cuda::Driver& driver, int capability)
    : state_(std::make_shared<State>(driver, capability)) {}

std::shared_ptr<const cublaslt::Table> CublasLt::table() const {
  struct Kept {
    std::shared_ptr<State> state;
    cublaslt::Table table;
  };
  const auto kept = std::make_shared<Kept>();
  kept->state = state_;
  kept->table.source = "the stand-in for cuBLASLt";
  kept->table.GetStatusName = status_name;
  kept->table.GetVersion = [] { return std::size_t{130000}; };
  state_->fill_objects(kept->table);
  state_->fill_product(kept->table);
  return {kept, &kept->table};
}

void CublasLt::fail(const std::string& call, int nth, cublasStatus_t status) {
  const std::lock_guard lock(state_->mutex);
  state_->failures[call][state_->calls[call] + nth] = status;
}

std::map<std::string, int> CublasLt::calls() const {
  const std::lock_guard lock(state_->mutex);
  return state_->calls;
}

std::string CublasLt::left() const {
  const std::lock_guard lock(state_->mutex);
  std::string text;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  };
  add(state_->handles.size(), "handles");
  add(state_->operations.size(), "operations");
  add(state_->layouts.size(), "layouts");
  add(state_->preferences.size(), "preferences");
  return text;
}

}  // namespace ridge::ptx
