// oneDNN 2: its matmul primitive through the C interface.
#include <dnnl.h>
#include <fmt/format.h>

#include <chrono>
#include <vector>

#include "kernels/gemm_library/opened.hpp"

namespace ridge::gemm {
namespace {

static_assert(DNNL_VERSION_MAJOR == 2, "the interface of libdnnl.so.2");

// The functions that are used, under their own names without "dnnl_".
// clang-format off
#define RIDGE_DNNL_FUNCTIONS(X) \
  X(version) X(engine_create) X(engine_destroy) X(stream_create) X(stream_destroy) X(stream_wait) \
  X(memory_desc_init_by_strides) X(memory_desc_init_by_tag) X(memory_desc_equal) \
  X(memory_desc_get_size) X(memory_create) X(memory_destroy) X(matmul_desc_init) \
  X(primitive_desc_create) X(primitive_desc_destroy) X(primitive_desc_query) \
  X(primitive_desc_query_md) X(reorder_primitive_desc_create) X(primitive_create) \
  X(primitive_destroy) X(primitive_execute)
// clang-format on

struct Table {
#define RIDGE_MEMBER(name) decltype(&::dnnl_##name) name = nullptr;
  RIDGE_DNNL_FUNCTIONS(RIDGE_MEMBER)
#undef RIDGE_MEMBER
  void (*set_threads)(int) = nullptr;  // of the OpenMP that the library was built with

  explicit Table(const Opened& library) {
#define RIDGE_TAKE(name) library.take(name, "dnnl_" #name);
    RIDGE_DNNL_FUNCTIONS(RIDGE_TAKE)
#undef RIDGE_TAKE
    library.take_if_there(set_threads, "omp_set_num_threads");
  }
};

dnnl_data_type_t type_of(Type type) {
  switch (type) {
    case Type::f32:
      return dnnl_f32;
    case Type::f16:
      return dnnl_f16;
    case Type::bf16:
      return dnnl_bf16;
    case Type::u8:
      return dnnl_u8;
    case Type::s8:
      return dnnl_s8;
    case Type::s32:
      return dnnl_s32;
    default:
      break;
  }
  return dnnl_data_type_undef;
}

// Why a processor may lack it, as the library's documentation says.
const char* rule_of(const Problem& problem) {
  if (problem.a == Type::bf16) return "bf16 is multiplied from AVX-512 (avx512_core) on";
  if (problem.a == Type::f16) return "f16 is multiplied on no CPU before version 3";
  return "no implementation takes these types and layouts";
}

const char* name_of(dnnl_status_t status) {
  switch (status) {
    case dnnl_out_of_memory:
      return "out_of_memory";
    case dnnl_invalid_arguments:
      return "invalid_arguments";
    case dnnl_unimplemented:
      return "unimplemented";
    case dnnl_runtime_error:
      return "runtime_error";
    default:
      return "not ok";
  }
}

void require(dnnl_status_t status, const char* call) {
  if (status != dnnl_success)
    throw device::Error(fmt::format("{} answered {} ({})", call, name_of(status), static_cast<int>(status)));
}

// An owned handle and the function that gives it back.
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, dnnl_status_t (*)(Handle)>;

class OneDnn final : public Library {
 public:
  OneDnn(const Problem& problem, const Pointers& pointers, Packing packing, const device::LibraryOpener& opener)
      : problem_(problem),
        table_(Opened(opener, "libdnnl.so.2", "libdnnl2")),
        engine_(make<dnnl_engine_t>("dnnl_engine_create", table_.engine_destroy,
                                    [&](dnnl_engine_t* out) { return table_.engine_create(out, dnnl_cpu, 0); })),
        stream_(make<dnnl_stream_t>(
            "dnnl_stream_create", table_.stream_destroy,
            [&](dnnl_stream_t* out) { return table_.stream_create(out, engine_.get(), dnnl_stream_default_flags); })),
        held_back_(
            set_among({"ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA", "ONEDNN_CPU_ISA_HINTS", "DNNL_CPU_ISA_HINTS",
                       "OMP_THREAD_LIMIT", "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "OMP_WAIT_POLICY"},
                      process_environment())) {
    set_threads();
    const dnnl_memory_desc_t a = matrix(problem.a, problem.m, problem.k, problem.a_transposed);
    const dnnl_memory_desc_t c = matrix(problem.c, problem.m, problem.n, false);
    const dnnl_memory_desc_t given = matrix(problem.b, problem.k, problem.n, problem.b_transposed);
    dnnl_memory_desc_t wanted = matrix(problem.b, problem.k, problem.n, !problem.b_transposed);
    if (packing == Packing::as_liked)
      require(table_.memory_desc_init_by_tag(&wanted, wanted.ndims, wanted.dims, wanted.data_type, dnnl_format_tag_any),
              "dnnl_memory_desc_init_by_tag");
    const auto description = describe(a, wanted, c);
    const dnnl_memory_desc_t& packed = *table_.primitive_desc_query_md(description.get(), dnnl_query_weights_md, 0);
    const char* kernel = nullptr;
    require(table_.primitive_desc_query(description.get(), dnnl_query_impl_info_str, 0, &kernel),
            "dnnl_primitive_desc_query");
    kernel_ = kernel;
    product_ = primitive(description.get());
    a_ = memory(a, pointers.a);
    b_ = memory(given, pointers.b);
    c_ = memory(c, pointers.c);
    if (table_.memory_desc_equal(&packed, &given) == 0) prepare_packing(given, packed);
    take_inputs();
  }

  void multiply() override {
    set_threads();
    const dnnl_exec_arg_t arguments[] = {
        {DNNL_ARG_SRC, a_.get()}, {DNNL_ARG_WEIGHTS, packed_ ? packed_.get() : b_.get()}, {DNNL_ARG_DST, c_.get()}};
    execute(product_.get(), arguments, 3);
  }

  void take_inputs() override {
    if (!packed_) return;
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, b_.get()}, {DNNL_ARG_TO, packed_.get()}};
    const auto begin = std::chrono::steady_clock::now();
    execute(packing_.get(), arguments, 2);
    packing_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  [[nodiscard]] std::optional<double> packing_seconds() const override { return packing_seconds_; }

  [[nodiscard]] std::map<std::string, std::string> implementation() const override {
    const dnnl_version_t* const version = table_.version();
    std::map<std::string, std::string> all{
        {"library", fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch)},
        {"kernel", kernel_},
        {"packing", packed_ ? "of B ahead" : "inside"}};
    if (!held_back_.empty()) all["environment"] = held_back_;
    return all;
  }

  // libgomp's threads look for work for some hundred thousand turns.
  [[nodiscard]] double restless_seconds() const override { return problem_.threads > 1 ? 0.005 : 0; }

 private:
  template <class Handle, class Create>
  static Owned<Handle> make(const char* call, dnnl_status_t (*destroy)(Handle), const Create& create) {
    Handle handle = nullptr;
    require(create(&handle), call);
    return Owned<Handle>(handle, destroy);
  }

  void set_threads() const {
    if (table_.set_threads != nullptr) table_.set_threads(problem_.threads);
  }

  // (batch, rows, columns), or without the batch where it is one.
  [[nodiscard]] dnnl_memory_desc_t matrix(Type type, std::int64_t rows, std::int64_t columns, bool transposed) const {
    const int first = problem_.batch > 1 ? 1 : 0;
    dnnl_dims_t extents{}, strides{};
    extents[0] = problem_.batch;
    strides[0] = rows * columns;
    extents[first] = rows;
    extents[first + 1] = columns;
    strides[first] = transposed ? 1 : columns;
    strides[first + 1] = transposed ? rows : 1;
    dnnl_memory_desc_t description;
    require(table_.memory_desc_init_by_strides(&description, first + 2, extents, type_of(type), strides),
            "dnnl_memory_desc_init_by_strides");
    return description;
  }

  [[nodiscard]] Owned<dnnl_primitive_desc_t> describe(const dnnl_memory_desc_t& a, const dnnl_memory_desc_t& b,
                                                      const dnnl_memory_desc_t& c) const {
    dnnl_matmul_desc_t matmul;
    require(table_.matmul_desc_init(&matmul, &a, &b, nullptr, &c), "dnnl_matmul_desc_init");
    dnnl_primitive_desc_t description = nullptr;
    const auto status = table_.primitive_desc_create(&description, &matmul, nullptr, engine_.get(), nullptr);
    if (status == dnnl_unimplemented)
      throw device::Absent(fmt::format("oneDNN {}.{} has no such product on this processor: {}",
                                       table_.version()->major, table_.version()->minor, rule_of(problem_)));
    require(status, "dnnl_primitive_desc_create");
    return {description, table_.primitive_desc_destroy};
  }

  [[nodiscard]] Owned<dnnl_primitive_t> primitive(const_dnnl_primitive_desc_t description) const {
    return make<dnnl_primitive_t>("dnnl_primitive_create", table_.primitive_destroy,
                                  [&](dnnl_primitive_t* out) { return table_.primitive_create(out, description); });
  }

  [[nodiscard]] Owned<dnnl_memory_t> memory(const dnnl_memory_desc_t& description, void* data) const {
    return make<dnnl_memory_t>("dnnl_memory_create", table_.memory_destroy, [&](dnnl_memory_t* out) {
      return table_.memory_create(out, &description, engine_.get(), data);
    });
  }

  void prepare_packing(const dnnl_memory_desc_t& from, const dnnl_memory_desc_t& to) {
    storage_.resize(table_.memory_desc_get_size(&to) + 64);
    void* aligned = storage_.data();
    std::size_t room = storage_.size();
    packed_ = memory(to, std::align(64, room - 64, aligned, room));
    const auto description = make<dnnl_primitive_desc_t>(
        "dnnl_reorder_primitive_desc_create", table_.primitive_desc_destroy, [&](dnnl_primitive_desc_t* out) {
          return table_.reorder_primitive_desc_create(out, &from, engine_.get(), &to, engine_.get(), nullptr);
        });
    packing_ = primitive(description.get());
  }

  void execute(const_dnnl_primitive_t what, const dnnl_exec_arg_t* arguments, int count) const {
    require(table_.primitive_execute(what, stream_.get(), count, arguments), "dnnl_primitive_execute");
    require(table_.stream_wait(stream_.get()), "dnnl_stream_wait");
  }

  Problem problem_;
  Table table_;
  Owned<dnnl_engine_t> engine_;
  Owned<dnnl_stream_t> stream_;
  std::string held_back_;
  std::string kernel_;
  Owned<dnnl_primitive_t> product_{nullptr, nullptr}, packing_{nullptr, nullptr};
  Owned<dnnl_memory_t> a_{nullptr, nullptr}, b_{nullptr, nullptr}, c_{nullptr, nullptr}, packed_{nullptr, nullptr};
  std::vector<char> storage_;
  std::optional<double> packing_seconds_;
};

}  // namespace

std::unique_ptr<Library> open_onednn(const Problem& problem, const Pointers& pointers, Packing packing,
                                     const device::LibraryOpener& opener) {
  if (type_of(problem.a) == dnnl_data_type_undef) throw device::Absent("oneDNN has no f64 product on a CPU");
  return std::make_unique<OneDnn>(problem, pointers, packing, opener);
}

}  // namespace ridge::gemm
