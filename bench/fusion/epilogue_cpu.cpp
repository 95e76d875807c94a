// A product with what follows it on the CPU: oneDNN on its own threads, passes of ours on a team.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "bench/fusion/data.hpp"
#include "bench/fusion/epilogue.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/fused/fused.hpp"
#include "kernels/gemm_library/library_stream.hpp"

namespace ridge::bench::fusion {
namespace {

using ridge::gemm::Library;
using ridge::gemm::LibraryStream;

class EpilogueCase final : public Case {
 public:
  EpilogueCase(CpuContext& context, const record::Point& point)
      : shape_(epilogue_shape(point)),
        team_(context.device.team(static_cast<int>(point.integer("threads")))),
        seed_(context.seed),
        zero_(context.fill == Fill::zero),
        checks_(static_cast<std::size_t>(team_.size())) {
    const auto borrow = [&](std::int64_t elements, std::int64_t behind = 0) {
      return context.arena.borrow(elements * 4 + behind).as<float>();
    };
    c_ = borrow(shape_.m * shape_.n, guard_bytes);
    a_ = borrow(shape_.m * shape_.k);
    b_ = borrow(shape_.k * shape_.n);
    bias_ = borrow(shape_.n);
    if (shape_.residual) residual_ = borrow(shape_.m * shape_.n);
    fill(EpilogueInputs::random, zero_);
    ridge::gemm::Epilogue epilogue;
    if (shape_.side == EpilogueSide::unfused)
      add_passes();
    else
      epilogue = {shape_.has_bias() ? bias_ : nullptr, shape_.applied(), shape_.has_residual() ? residual_ : nullptr};
    library_ = ridge::gemm::open_onednn_epilogue(
        shape_.problem(team_.size()), {c_, a_, b_}, epilogue,
        shape_.side == EpilogueSide::library ? ridge::gemm::Steps::behind : ridge::gemm::Steps::inside);
    stream_.emplace(team_, *library_);
  }

  void run(std::int64_t repetitions) override {
    stream_->used(repetitions);
    for (std::int64_t i = 0; i < repetitions; ++i) {
      library_->multiply();
      if (passes_.empty()) continue;
      team_.parallel([this](int rank) {
        const auto [begin, end] = mine(rank);
        for (const Pass& pass : passes_) pass.kernel(o_, pass.number, begin, end);
      });
    }
  }

  record::Verification verify() override {
    stream::Check all;
    bool guarded = true;
    for (const EpilogueInputs inputs : {EpilogueInputs::exact, EpilogueInputs::random}) {
      fill(inputs, false);
      run(1);
      const EpilogueNumbers numbers(shape_, seed_, inputs);
      team_.parallel([&](int rank) {
        const auto [begin, end] = mine(rank);
        Slot& slot = checks_[static_cast<std::size_t>(rank)];
        slot.check = {};
        numbers.check(slot.check, c_, begin, end);
      });
      for (const Slot& slot : checks_) all.add(slot.check);
      guarded = guarded && stream::untouched(c_ + shape_.m * shape_.n, guard_bytes);
    }
    fill(EpilogueInputs::random, zero_);
    return verdict(all, guarded);
  }

  device::Stream& stream() override { return *stream_; }

  [[nodiscard]] std::optional<record::Work> work() const override {
    record::Work work = epilogue_work(shape_);
    const auto by = library_->implementation();
    work.counting += fmt::format("; by {}, kernels {}", by.at("library"), by.at("kernel"));
    if (const auto held = by.find("environment"); held != by.end()) work.counting += ", held back by " + held->second;
    return work;
  }

 private:
  struct alignas(64) Slot {
    stream::Check check;
  };
  struct Pass {
    ridge::fused::Kernel kernel;
    int number;  // as the kernel counts them
  };

  // Those of bias, GELU and residual, and one for relu.
  void add_passes() {
    const ridge::fused::Kernel kernel = ridge::fused::cpu_kernels(ridge::fused::Pair::bias_gelu).unfused;
    o_.x = c_, o_.bias = bias_, o_.residual = residual_, o_.columns = shape_.n;
    if (shape_.has_bias()) passes_.push_back({kernel, 0});
    if (shape_.applied() == ridge::gemm::Activation::gelu) passes_.push_back({kernel, 1});
    if (shape_.applied() == ridge::gemm::Activation::relu) passes_.push_back({ridge::fused::cpu_relu_pass(), 0});
    if (shape_.has_residual()) passes_.push_back({kernel, 2});
  }

  [[nodiscard]] device::cpu::Share mine(int rank) const { return device::cpu::share(shape_.m, rank, team_.size(), 1); }

  void fill(EpilogueInputs inputs, bool zero) {
    const EpilogueNumbers numbers(shape_, seed_, inputs);
    team_.parallel([&](int rank) {
      const auto [begin, end] = mine(rank);
      for (std::int64_t i = begin; i < end; ++i) {
        for (std::int64_t l = 0; l < shape_.k; ++l) a_[i * shape_.k + l] = zero ? 0 : numbers.a(i, l);
        for (std::int64_t j = 0; j < shape_.n; ++j) {
          c_[i * shape_.n + j] = NAN;
          if (residual_ != nullptr) residual_[i * shape_.n + j] = zero ? 0 : numbers.residual(i, j);
        }
      }
      const auto [from, to] = device::cpu::share(shape_.k, rank, team_.size(), 1);
      for (std::int64_t l = from; l < to; ++l)
        for (std::int64_t j = 0; j < shape_.n; ++j) b_[l * shape_.n + j] = zero ? 0 : numbers.b(l, j);
    });
    for (std::int64_t j = 0; j < shape_.n; ++j) bias_[j] = zero ? 0 : numbers.bias(j);
    std::memset(c_ + shape_.m * shape_.n, stream::poison_byte, guard_bytes);
    if (library_) library_->take_inputs();
  }

  EpilogueShape shape_;
  device::cpu::Team& team_;
  std::uint64_t seed_;
  bool zero_;
  float *c_ = nullptr, *a_ = nullptr, *b_ = nullptr, *bias_ = nullptr, *residual_ = nullptr;
  std::vector<Pass> passes_;  // of ours, behind the product
  ridge::fused::Operands o_;  // theirs
  std::unique_ptr<Library> library_;
  std::optional<LibraryStream> stream_;
  std::vector<Slot> checks_;
};

}  // namespace

std::unique_ptr<Case> prepare_cpu_epilogue(CpuContext& context, const record::Point& point) {
  return std::make_unique<EpilogueCase>(context, point);
}

}  // namespace ridge::bench::fusion
