// Primitives of oneDNN made for one problem and called one after the other: products, alone or with what follows them
// inside (post-ops) or behind, and a softmax.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/gemm_library/onednn_engine.hpp"

namespace ridge::gemm::onednn {

// Why a processor may lack it, as the library's documentation says.
inline const char* rule_of(const Problem& problem) {
  if (problem.a == Type::bf16) return "bf16 is multiplied from AVX-512 (avx512_core) on";
  if (problem.a == Type::f16) return "f16 is multiplied on no CPU before version 3";
  return "no implementation takes these types and layouts";
}

// The library's tanh form of GELU is the one of this project.
inline dnnl_alg_kind_t kind_of(Activation activation) {
  return activation == Activation::relu ? dnnl_eltwise_relu : dnnl_eltwise_gelu_tanh;
}

// What `act` answers; an error of the library in it says of which product as well.
template <class Act>
auto naming(const Problem& problem, const Act& act) {
  try {
    return act();
  } catch (const device::Absent&) {
    throw;
  } catch (const device::Error& error) {
    throw device::Error(fmt::format("{}; oneDNN, {}", error.what(), described(problem)));
  }
}

struct Attributes {
  Owned<dnnl_primitive_attr_t> all{nullptr, nullptr};
  std::vector<dnnl_exec_arg_t> arguments;  // that the product takes besides
};

// Calls one after the other.
class OneDnn final : public Library {
 public:
  OneDnn(const Problem& problem, const device::LibraryOpener& opener)
      : problem_(problem),
        engine_(opener, problem.threads),
        held_back_(
            set_among({"ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA", "ONEDNN_CPU_ISA_HINTS", "DNNL_CPU_ISA_HINTS",
                       "OMP_THREAD_LIMIT", "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "OMP_WAIT_POLICY"},
                      process_environment())) {}

  // A matrix of the problem: (batch, rows, columns), or without the batch where it is one.
  [[nodiscard]] dnnl_memory_desc_t matrix(Type type, std::int64_t rows, std::int64_t columns, bool transposed) const {
    const std::int64_t down = transposed ? 1 : columns, across = transposed ? rows : 1;
    if (problem_.batch == 1) return engine_.described(type_of(type), {rows, columns}, {down, across});
    return engine_.described(type_of(type), {problem_.batch, rows, columns}, {rows * columns, down, across});
  }

  // A part of a matrix of the batch that lies in a larger one: elements from one of the batch to the next, from one row
  // to the next, from one column to the next.
  [[nodiscard]] dnnl_memory_desc_t part(std::int64_t rows, std::int64_t columns, std::int64_t apart, std::int64_t down,
                                        std::int64_t across = 1) const {
    return engine_.described(dnnl_f32, {problem_.batch, rows, columns}, {apart, down, across});
  }

  // C = A·B, + bias where there is one. `b` is packed ahead where the library likes it otherwise.
  void add_product(const dnnl_memory_desc_t& a, void* a_at, const dnnl_memory_desc_t& b, void* b_at,
                   const dnnl_memory_desc_t& c, void* c_at, Packing packing, Attributes attributes = {},
                   const dnnl_memory_desc_t* bias = nullptr) {
    dnnl_memory_desc_t wanted = b;
    if (packing == Packing::as_liked)
      require(engine_.table.memory_desc_init_by_tag(&wanted, b.ndims, b.dims, b.data_type, dnnl_format_tag_any),
              "dnnl_memory_desc_init_by_tag");
    if (packing == Packing::transposed) wanted = matrix(problem_.b, problem_.k, problem_.n, !problem_.b_transposed);
    dnnl_matmul_desc_t matmul;
    require(engine_.table.matmul_desc_init(&matmul, &a, &wanted, bias, &c), "dnnl_matmul_desc_init");
    const auto description = chosen(&matmul, rule_of(problem_), attributes.all.get());
    const dnnl_memory_desc_t& liked =
        *engine_.table.primitive_desc_query_md(description.get(), dnnl_query_weights_md, 0);
    auto arguments = std::move(attributes.arguments);
    dnnl_memory_t weights = keep(b, b_at);
    if (engine_.table.memory_desc_equal(&liked, &b) == 0) weights = pack(b, weights, liked);
    arguments.push_back({DNNL_ARG_SRC, keep(a, a_at)});
    arguments.push_back({DNNL_ARG_WEIGHTS, weights});
    arguments.push_back({DNNL_ARG_DST, keep(c, c_at)});
    add_call(description, std::move(arguments));
  }

  // What becomes of C inside of the product: bias, activation, residual, as far as there are any.
  Attributes inside(const Epilogue& epilogue, const dnnl_memory_desc_t& bias, const dnnl_memory_desc_t& c) {
    Attributes made;
    if (epilogue.bias != nullptr) made.arguments.push_back({DNNL_ARG_BIAS, keep(bias, epilogue.bias)});
    const auto steps = post_ops();
    int count = 0;
    if (epilogue.activation != Activation::none) {
      require(engine_.table.post_ops_append_eltwise(steps.get(), 1, kind_of(epilogue.activation), 0, 0),
              "dnnl_post_ops_append_eltwise");
      ++count;
    }
    if (epilogue.residual != nullptr) {
      require(engine_.table.post_ops_append_binary(steps.get(), dnnl_binary_add, &c), "dnnl_post_ops_append_binary");
      made.arguments.push_back({DNNL_ARG_ATTR_MULTIPLE_POST_OP(count) | DNNL_ARG_SRC_1, keep(c, epilogue.residual)});
    }
    made.all = attributes_of(steps);
    return made;
  }

  // beta·C added inside of the product.
  Attributes adding(double beta) {
    Attributes made;
    const auto steps = post_ops();
    require(engine_.table.post_ops_append_sum(steps.get(), static_cast<float>(beta)), "dnnl_post_ops_append_sum");
    made.all = attributes_of(steps);
    return made;
  }

  Attributes scaled(float by) {
    Attributes made;
    made.all = attributes();
    require(engine_.table.primitive_attr_set_output_scales(made.all.get(), 1, 0, &by),
            "dnnl_primitive_attr_set_output_scales");
    return made;
  }

  // The same as passes over C, in place.
  void add_passes(const Epilogue& epilogue, const dnnl_memory_desc_t& bias, const dnnl_memory_desc_t& c, void* c_at) {
    if (epilogue.bias != nullptr) add_addition(c, c_at, bias, epilogue.bias);
    if (epilogue.activation != Activation::none) {
      dnnl_eltwise_desc_t eltwise;
      require(engine_.table.eltwise_forward_desc_init(&eltwise, dnnl_forward_inference, kind_of(epilogue.activation),
                                                      &c, 0, 0),
              "dnnl_eltwise_forward_desc_init");
      add_in_place(chosen(&eltwise, "no such activation"), c, c_at);
    }
    if (epilogue.residual != nullptr) add_addition(c, c_at, c, epilogue.residual);
  }

  // Over the last axis, in place.
  void add_softmax(const dnnl_memory_desc_t& c, void* c_at) {
    dnnl_softmax_desc_t softmax;
    require(engine_.table.softmax_forward_desc_init(&softmax, dnnl_forward_inference, &c, c.ndims - 1),
            "dnnl_softmax_forward_desc_init");
    add_in_place(chosen(&softmax, "no such softmax"), c, c_at);
  }

  void multiply() override {
    engine_.set_threads();
    execute(calls_);
  }

  void take_inputs() override {
    if (packings_.empty()) return;
    const auto begin = std::chrono::steady_clock::now();
    execute(packings_);
    packing_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  [[nodiscard]] std::optional<double> packing_seconds() const override { return packing_seconds_; }

  [[nodiscard]] std::map<std::string, std::string> implementation() const override {
    const dnnl_version_t* const version = engine_.table.version();
    std::map<std::string, std::string> all{
        {"library", fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch)},
        {"kernel", kernels_},
        {"factors", fmt::format("alpha 1, beta {}", problem_.beta)},
        {"packing", packings_.empty() ? "inside" : "of B ahead"}};
    if (!held_back_.empty()) all["environment"] = held_back_;
    return all;
  }

  // libgomp's threads look for work for some hundred thousand turns.
  [[nodiscard]] double restless_seconds() const override { return problem_.threads > 1 ? 0.005 : 0; }

 private:
  struct Call {
    Owned<dnnl_primitive_t> primitive;
    std::vector<dnnl_exec_arg_t> arguments;
  };

  void execute(const std::vector<Call>& calls) const {
    naming(problem_, [&] {
      for (const Call& call : calls) engine_.execute(call.primitive.get(), call.arguments);
    });
  }

  [[nodiscard]] Owned<dnnl_primitive_desc_t> chosen(const_dnnl_op_desc_t operation, const char* rule,
                                                    const_dnnl_primitive_attr_t attributes = nullptr) const {
    auto description = engine_.chosen(operation, attributes);
    if (!description)
      throw device::Absent(fmt::format("oneDNN {}.{} has no such product on this processor: {}",
                                       engine_.table.version()->major, engine_.table.version()->minor, rule));
    return description;
  }

  [[nodiscard]] Owned<dnnl_primitive_attr_t> attributes() const {
    return Engine::make<dnnl_primitive_attr_t>("dnnl_primitive_attr_create", engine_.table.primitive_attr_destroy,
                                               engine_.table.primitive_attr_create);
  }

  [[nodiscard]] Owned<dnnl_post_ops_t> post_ops() const {
    return Engine::make<dnnl_post_ops_t>("dnnl_post_ops_create", engine_.table.post_ops_destroy,
                                         engine_.table.post_ops_create);
  }

  [[nodiscard]] Owned<dnnl_primitive_attr_t> attributes_of(const Owned<dnnl_post_ops_t>& steps) const {
    auto all = attributes();
    require(engine_.table.primitive_attr_set_post_ops(all.get(), steps.get()), "dnnl_primitive_attr_set_post_ops");
    return all;
  }

  dnnl_memory_t keep(const dnnl_memory_desc_t& description, void* data) {
    memories_.push_back(engine_.memory(description, data));
    return memories_.back().get();
  }

  void add_call(const Owned<dnnl_primitive_desc_t>& description, std::vector<dnnl_exec_arg_t> arguments) {
    const std::string kernel = engine_.kernel_of(description.get());
    if (kernel != last_kernel_) kernels_ += (kernels_.empty() ? "" : ", ") + kernel;
    last_kernel_ = kernel;
    calls_.push_back({engine_.primitive(description.get()), std::move(arguments)});
  }

  void add_in_place(const Owned<dnnl_primitive_desc_t>& description, const dnnl_memory_desc_t& c, void* c_at) {
    dnnl_memory_t const at = keep(c, c_at);
    add_call(description, {{DNNL_ARG_SRC, at}, {DNNL_ARG_DST, at}});
  }

  void add_addition(const dnnl_memory_desc_t& c, void* c_at, const dnnl_memory_desc_t& other, void* other_at) {
    dnnl_binary_desc_t binary;
    require(engine_.table.binary_desc_init(&binary, dnnl_binary_add, &c, &other, &c), "dnnl_binary_desc_init");
    dnnl_memory_t const at = keep(c, c_at);
    add_call(chosen(&binary, "no such addition"),
             {{DNNL_ARG_SRC_0, at}, {DNNL_ARG_SRC_1, keep(other, other_at)}, {DNNL_ARG_DST, at}});
  }

  dnnl_memory_t pack(const dnnl_memory_desc_t& from, dnnl_memory_t given, const dnnl_memory_desc_t& to) {
    std::vector<char>& storage = storages_.emplace_back(engine_.table.memory_desc_get_size(&to) + 64);
    void* aligned = storage.data();
    std::size_t room = storage.size();
    dnnl_memory_t const packed = keep(to, std::align(64, room - 64, aligned, room));
    packings_.push_back(
        {engine_.primitive(engine_.reorder(from, to).get()), {{DNNL_ARG_FROM, given}, {DNNL_ARG_TO, packed}}});
    return packed;
  }

  Problem problem_;
  Engine engine_;
  std::string held_back_;
  std::string kernels_, last_kernel_;  // each once where several in turn are the same
  std::vector<std::vector<char>> storages_;
  std::vector<Owned<dnnl_memory_t>> memories_;
  std::vector<Call> packings_, calls_;
  std::optional<double> packing_seconds_;
};

}  // namespace ridge::gemm::onednn
