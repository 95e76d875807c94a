// oneDNN's engine and stream with what is made in them: descriptions, memory, primitives, each given back by its owner.
#pragma once

#include <dnnl.h>
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <vector>

#include "kernels/gemm_library/opened.hpp"

namespace ridge::gemm::onednn {

static_assert(DNNL_VERSION_MAJOR == 2, "the interface of libdnnl.so.2");

// The functions that are used, under their own names without "dnnl_".
// clang-format off
#define RIDGE_DNNL_FUNCTIONS(X) \
  X(version) X(engine_create) X(engine_destroy) X(stream_create) X(stream_destroy) X(stream_wait) \
  X(memory_desc_init_by_strides) X(memory_desc_init_by_tag) X(memory_desc_equal) \
  X(memory_desc_get_size) X(memory_create) X(memory_destroy) X(matmul_desc_init) \
  X(primitive_desc_create) X(primitive_desc_destroy) X(primitive_desc_query) \
  X(primitive_desc_query_md) X(reorder_primitive_desc_create) X(primitive_create) \
  X(primitive_destroy) X(primitive_execute) X(primitive_attr_create) X(primitive_attr_destroy) \
  X(primitive_attr_set_post_ops) X(primitive_attr_set_output_scales) X(post_ops_create) X(post_ops_destroy) \
  X(post_ops_append_eltwise) X(post_ops_append_binary) X(post_ops_append_sum) X(binary_desc_init) \
  X(eltwise_forward_desc_init) X(softmax_forward_desc_init)
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

inline dnnl_data_type_t type_of(Type type) {
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

inline const char* name_of(dnnl_status_t status) {
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

inline void require(dnnl_status_t status, const char* call) {
  if (status != dnnl_success)
    throw device::Error(fmt::format("{} answered {} ({})", call, name_of(status), static_cast<int>(status)));
}

// An owned handle and the function that gives it back.
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, dnnl_status_t (*)(Handle)>;

class Engine {
 public:
  Engine(const device::LibraryOpener& opener, int threads)
      : table(Opened(opener, "libdnnl.so.2", "libdnnl2")),
        threads_(threads),
        engine_(make<dnnl_engine_t>("dnnl_engine_create", table.engine_destroy,
                                    [&](dnnl_engine_t* out) { return table.engine_create(out, dnnl_cpu, 0); })),
        stream_(make<dnnl_stream_t>("dnnl_stream_create", table.stream_destroy, [&](dnnl_stream_t* out) {
          return table.stream_create(out, engine_.get(), dnnl_stream_default_flags);
        })) {
    set_threads();
  }

  const Table table;

  void set_threads() const {
    if (table.set_threads != nullptr) table.set_threads(threads_);
  }

  template <class Handle, class Create>
  static Owned<Handle> make(const char* call, dnnl_status_t (*destroy)(Handle), const Create& create) {
    Handle handle = nullptr;
    require(create(&handle), call);
    return Owned<Handle>(handle, destroy);
  }

  // (extents) with a stride for each, in elements.
  [[nodiscard]] dnnl_memory_desc_t described(dnnl_data_type_t type, std::initializer_list<std::int64_t> extents,
                                             std::initializer_list<std::int64_t> strides) const {
    dnnl_dims_t of{}, apart{};
    std::copy(extents.begin(), extents.end(), of);
    std::copy(strides.begin(), strides.end(), apart);
    dnnl_memory_desc_t description;
    require(table.memory_desc_init_by_strides(&description, static_cast<int>(extents.size()), of, type, apart),
            "dnnl_memory_desc_init_by_strides");
    return description;
  }

  [[nodiscard]] Owned<dnnl_memory_t> memory(const dnnl_memory_desc_t& description, void* data) const {
    return make<dnnl_memory_t>("dnnl_memory_create", table.memory_destroy, [&](dnnl_memory_t* out) {
      return table.memory_create(out, &description, engine_.get(), data);
    });
  }

  // Of an operation's description; null where the library has no such implementation.
  [[nodiscard]] Owned<dnnl_primitive_desc_t> chosen(const_dnnl_op_desc_t operation,
                                                    const_dnnl_primitive_attr_t attributes = nullptr) const {
    dnnl_primitive_desc_t description = nullptr;
    const auto status = table.primitive_desc_create(&description, operation, attributes, engine_.get(), nullptr);
    if (status != dnnl_unimplemented) require(status, "dnnl_primitive_desc_create");
    return {description, table.primitive_desc_destroy};
  }

  [[nodiscard]] Owned<dnnl_primitive_desc_t> reorder(const dnnl_memory_desc_t& from,
                                                     const dnnl_memory_desc_t& to) const {
    return make<dnnl_primitive_desc_t>(
        "dnnl_reorder_primitive_desc_create", table.primitive_desc_destroy, [&](dnnl_primitive_desc_t* out) {
          return table.reorder_primitive_desc_create(out, &from, engine_.get(), &to, engine_.get(), nullptr);
        });
  }

  [[nodiscard]] Owned<dnnl_primitive_t> primitive(const_dnnl_primitive_desc_t description) const {
    return make<dnnl_primitive_t>("dnnl_primitive_create", table.primitive_destroy,
                                  [&](dnnl_primitive_t* out) { return table.primitive_create(out, description); });
  }

  [[nodiscard]] std::string kernel_of(const_dnnl_primitive_desc_t description) const {
    const char* kernel = nullptr;
    require(table.primitive_desc_query(description, dnnl_query_impl_info_str, 0, &kernel), "dnnl_primitive_desc_query");
    return kernel;
  }

  void execute(const_dnnl_primitive_t what, const std::vector<dnnl_exec_arg_t>& arguments) const {
    require(table.primitive_execute(what, stream_.get(), static_cast<int>(arguments.size()), arguments.data()),
            "dnnl_primitive_execute");
    require(table.stream_wait(stream_.get()), "dnnl_stream_wait");
  }

 private:
  int threads_;
  Owned<dnnl_engine_t> engine_;
  Owned<dnnl_stream_t> stream_;
};

}  // namespace ridge::gemm::onednn
