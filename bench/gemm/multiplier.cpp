// Sharing out our own kernels, and timing a library's calls.
#include "bench/gemm/multiplier.hpp"

#include <vector>

#include "kernels/device/cpu/instr/dot.hpp"
#include "kernels/gemm_library/library_stream.hpp"

namespace ridge::bench::gemm {
namespace {

using ridge::gemm::Kernel;
using ridge::gemm::Library;
using ridge::gemm::LibraryStream;
using ridge::gemm::Pointers;
using ridge::gemm::Problem;
using ridge::gemm::Product;
using ridge::gemm::Type;

template <class T, class In>
class Own final : public Multiplier {
 public:
  Own(Kernel<T, In> kernel, std::string name, const Problem& problem, const Pointers& pointers, bool workspace,
      CpuContext& context)
      : kernel_(kernel),
        name_(std::move(name)),
        problem_(problem),
        pointers_(pointers),
        team_(context.device.team(problem.threads)),
        workspaces_(static_cast<std::size_t>(problem.threads), nullptr) {
    if (!workspace) return;
    for (T*& each : workspaces_)
      each = context.arena.borrow(ridge::gemm::workspace_elements<T>() * std::int64_t{sizeof(T)}).template as<T>();
  }

  // Threads write different parts of C, so none waits for another between repetitions.
  void multiply(std::int64_t repetitions) override {
    team_.parallel([&](int rank) {
      for (std::int64_t i = 0; i < repetitions; ++i)
        for (std::int64_t each = 0; each < problem_.batch; ++each) part(product(each), rank);
    });
  }
  device::Stream& stream() override { return team_; }
  [[nodiscard]] std::map<std::string, std::string> implementation() const override {
    return {{"library", "none"}, {"kernel", name_}};
  }

 private:
  [[nodiscard]] Product<T, In> product(std::int64_t each) const {
    const Problem& p = problem_;
    Product<T, In> product;
    product.c = static_cast<T*>(pointers_.c) + each * p.m * p.n;
    product.a = static_cast<const In*>(pointers_.a) + each * p.m * p.k;
    product.b = static_cast<const In*>(pointers_.b) + each * p.k * p.n;
    product.m = p.m, product.n = p.n, product.k = p.k;
    product.a_transposed = p.a_transposed, product.b_transposed = p.b_transposed;
    return product;
  }

  // Columns, or rows where there are too few columns for all threads.
  void part(const Product<T, In>& product, int rank) {
    using ridge::gemm::column_block;
    const int size = team_.size();
    T* const workspace = workspaces_[static_cast<std::size_t>(rank)];
    if (size == 1) return kernel_(product, workspace, 0, product.n);
    if (product.n >= size * column_block) {
      const auto [begin, end] = device::cpu::share(product.n, rank, size, column_block);
      if (begin < end) kernel_(product, workspace, begin, end);
    } else {
      const auto [begin, end] = device::cpu::share(product.m, rank, size, 1);
      if (begin < end) kernel_(rows_of(product, begin, end), workspace, 0, product.n);
    }
  }

  Kernel<T, In> kernel_;
  std::string name_;
  Problem problem_;
  Pointers pointers_;
  device::cpu::Team& team_;
  std::vector<T*> workspaces_;
};

class ByLibrary final : public Multiplier {
 public:
  ByLibrary(std::unique_ptr<Library> library, device::Stream& team)
      : library_(std::move(library)), stream_(team, *library_) {}
  void multiply(std::int64_t repetitions) override {
    stream_.used(repetitions);
    for (std::int64_t i = 0; i < repetitions; ++i) library_->multiply();
  }
  device::Stream& stream() override { return stream_; }
  void inputs_changed() override { library_->take_inputs(); }
  [[nodiscard]] std::map<std::string, std::string> implementation() const override {
    return library_->implementation();
  }
  [[nodiscard]] std::optional<double> packing_seconds() const override { return library_->packing_seconds(); }

 private:
  std::unique_ptr<Library> library_;
  LibraryStream stream_;
};

template <class T>
std::unique_ptr<Multiplier> own(const Question& question, const Pointers& pointers, CpuContext& context) {
  const auto made = [&](Kernel<T> kernel, const char* name, bool workspace) {
    return make_own<T>(kernel, name, question.problem, pointers, workspace, context);
  };
  switch (question.engine) {
    case Engine::naive:
      return made(ridge::gemm::naive_kernel<T>(), "naive", false);
    case Engine::loop_order:
      return made(ridge::gemm::loop_order_kernel<T>(), "loop_order", false);
    case Engine::cached:
      return made(ridge::gemm::cached_kernel<T>(), "cached", false);
    default:
      return made(ridge::gemm::blocked_kernel<T>(), "blocked", true);
  }
}

}  // namespace

template <class T, class In>
std::unique_ptr<Multiplier> make_own(Kernel<T, In> kernel, const std::string& name, const Problem& problem,
                                     const Pointers& pointers, bool workspace, CpuContext& context) {
  return std::make_unique<Own<T, In>>(kernel, name, problem, pointers, workspace, context);
}
template std::unique_ptr<Multiplier> make_own<float>(Kernel<float>, const std::string&, const Problem&, const Pointers&,
                                                     bool, CpuContext&);
template std::unique_ptr<Multiplier> make_own<double>(Kernel<double>, const std::string&, const Problem&,
                                                      const Pointers&, bool, CpuContext&);
template std::unique_ptr<Multiplier> make_own(Kernel<float, std::uint16_t>, const std::string&, const Problem&,
                                              const Pointers&, bool, CpuContext&);

std::unique_ptr<Multiplier> make_multiplier(const Question& question, const Pointers& pointers, CpuContext& context) {
  device::cpu::Team& team = context.device.team(question.problem.threads);
  if (question.engine == Engine::onednn)
    return std::make_unique<ByLibrary>(ridge::gemm::open_onednn(question.problem, pointers), team);
  if (question.engine == Engine::openblas)
    return std::make_unique<ByLibrary>(ridge::gemm::open_openblas(question.problem, pointers), team);
  if (question.engine == Engine::bf16_dot) {
    const auto kernel = ridge::gemm::bf16_dot_kernel();
    if (kernel == nullptr) throw device::Absent(device::cpu::no_bf16_dot);
    const auto* const instruction = device::cpu::bf16_dot(device::cpu::dot_features());
    return make_own(kernel, std::string("blocked by ") + instruction->name, question.problem, pointers, true, context);
  }
  if (question.problem.a == Type::f64) return own<double>(question, pointers, context);
  return own<float>(question, pointers, context);
}

}  // namespace ridge::bench::gemm
