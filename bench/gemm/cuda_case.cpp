// Matrices made on the host and copied to the GPU; C copied back and checked there as on the CPU.
#include "bench/gemm/cuda_case.hpp"

#include <fmt/format.h>

#include "kernels/device/cpu/spread.hpp"
#include "kernels/formats/formats.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::gemm {
namespace {

using ridge::gemm::Compared;
using ridge::gemm::Matrix;
using ridge::gemm::Problem;
using ridge::gemm::size_of;
using ridge::gemm::Type;

// Of one matrix of the problem, the whole batch: in GPU memory, and what is made or looked at of it on the host.
struct Twin {
  Type type;
  std::int64_t elements;
  void* device = nullptr;
  std::vector<char> host;

  Twin(CudaContext& context, Type element, std::int64_t count, std::int64_t more)
      : type(element),
        elements(count),
        device(context.arena.borrow(std::max<std::int64_t>(1, bytes() + more)).data),
        host(static_cast<std::size_t>(bytes() + more)) {}
  [[nodiscard]] std::int64_t bytes() const { return size_of(type, elements); }
  [[nodiscard]] Matrix matrix() { return {host.data(), type, 1, elements, false}; }
};

// What sums of 8 bits keep in the matrix units where no part of them is added up outside: 13 bits behind the point.
constexpr double fast_unit = 0x1p-13;

// The unit roundoff of sums; 0: that of C's type.
double unit_of(const Question& question) {
  if (question.fast_accumulation) return fast_unit;
  return question.half_sums ? ridge::gemm::unit_roundoff(Type::f16) : 0;
}

double as_tf32(double value) {
  return formats::rounded(value, formats::tf32);
}

class CudaGemm final : public CheckedCase {
 public:
  CudaGemm(const Question& question, CudaContext& context, const MakeGpuMultiplier& make, std::int64_t compare_at_most,
           int host_threads)
      : CheckedCase(question.problem, context.seed, context.fill, compare_at_most, unit_of(question)),
        stream_(context.device.stream()),
        host_threads_(host_threads),
        rounded_(question.tf32 ? as_tf32 : nullptr),
        c_(context, problem_.c, problem_.batch * problem_.m * problem_.n, guard_bytes),
        a_(context, problem_.a, problem_.batch * problem_.m * problem_.k, 0),
        b_(context, problem_.b, problem_.batch * problem_.k * problem_.n, 0) {
    fill(timed_);
    multiplier_ = make(question, {c_.device, a_.device, b_.device}, context);
    work_ = work_of(question);
    work_.counting += multiplied_by(multiplier_->implementation());
  }

  void run(std::int64_t repetitions) override {
    for (std::int64_t i = 0; i < repetitions; ++i) multiplier_->multiply(stream_);
  }
  device::Stream& stream() override { return stream_; }
  [[nodiscard]] std::optional<record::Work> work() const override { return work_; }
  [[nodiscard]] std::vector<Besides> besides_work() const override { return multiplier_->besides(); }

 private:
  void fill(Content content) override {
    for (const auto& [twin, which] : {std::pair{&a_, 0}, std::pair{&b_, 1}, std::pair{&c_, 2}}) {
      if (which == 2 && !adds_to_c()) continue;
      double (*const rounded)(double) = which == 2 ? nullptr : rounded_;
      device::cpu::spread(twin->elements, 64, threads_for(twin->elements),
                          [&, matrix = twin->matrix(), which = which](int, device::cpu::Share mine) {
                            fill_range(matrix, which, content, mine.begin, mine.end, rounded);
                          });
      if (twin->bytes() > 0) stream_.copy_to_device(twin->device, twin->host.data(), twin->bytes());
    }
    stream_.synchronize();
  }

  void multiply_poisoned() override {
    const auto bytes = static_cast<std::int64_t>(c_.host.size()), kept = adds_to_c() ? c_.bytes() : 0;
    stream_.fill(static_cast<char*>(c_.device) + kept, stream::poison_byte, bytes - kept);
    run(1);
    stream_.copy_to_host(c_.host.data(), c_.device, bytes);
    stream_.synchronize();
  }

  Batches host() override { return {c_.matrix(), a_.matrix(), b_.matrix()}; }

  // Of rows, each of which is at least read.
  Compared spread(std::int64_t count, const Part& part) override {
    const int threads = threads_for(count * (problem_.n + problem_.k));
    std::vector<Compared> found(static_cast<std::size_t>(threads));
    device::cpu::spread(count, 1, threads, [&](int rank, device::cpu::Share mine) {
      found[static_cast<std::size_t>(rank)] = part(mine.begin, mine.end);
    });
    Compared all;
    for (const Compared& each : found) all.add(each);
    return all;
  }

  [[nodiscard]] int threads_for(std::int64_t elements) const {
    constexpr std::int64_t least = 1 << 15;  // some hundred µs to make, ten times what a thread costs to start
    return host_threads_ > 0 ? host_threads_ : device::cpu::threads_worth(elements, least);
  }

  device::cuda::Stream& stream_;
  int host_threads_;
  double (*rounded_)(double);  // what the product makes of an element, so that it is compared from the same
  Twin c_, a_, b_;
  record::Work work_;
  std::unique_ptr<GpuMultiplier> multiplier_;
};

}  // namespace

std::unique_ptr<Case> make_cuda_case(const Question& question, CudaContext& context, const MakeGpuMultiplier& make,
                                     std::int64_t compare_at_most, int host_threads) {
  return std::make_unique<CudaGemm>(question, context, make, compare_at_most, host_threads);
}

// The reference machine executes each instruction of a kernel, and multiplies plainly where a library would: this many
// operations take it a minute or two.
constexpr std::int64_t most_on_reference = std::int64_t{1} << 31;

std::unique_ptr<Case> prepare_cuda(CudaContext& context, const record::Point& point) {
  const std::int64_t operations = *work(point).operations;
  if (context.device.driver().modelled && operations > most_on_reference)
    throw device::Absent(
        fmt::format("2·m·n·k·batch = {} operations are too many for the reference machine, which takes at "
                    "most {}: try --m 128",
                    operations, most_on_reference));
  return make_cuda_case(question_of(point), context, [](const auto& question, const auto& pointers, auto& gpu) {
    return question.step != nullptr ? make_cuda_step(question, pointers, gpu)
                                    : make_cuda_library(question, pointers, gpu);
  });
}

}  // namespace ridge::bench::gemm
