// A product on the CPU: matrices touched first by the threads that use them, and whoever multiplies them.
#include "bench/gemm/case.hpp"

#include <cstring>

#include "bench/harness/told.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::gemm {
namespace {

using ridge::gemm::Compared;
using ridge::gemm::Matrix;
using ridge::gemm::Problem;
using ridge::gemm::Type;

class GemmCase final : public CheckedCase, public TellsFigures {
 public:
  GemmCase(const Question& question, record::Work work, CpuContext& context, const MakeMultiplier& make,
           std::int64_t compare_at_most)
      : CheckedCase(question.problem, context.seed, context.fill, compare_at_most),
        team_(context.device.team(question.problem.threads)),
        work_(std::move(work)) {
    const Problem& p = problem_;
    all_.c = borrow(context, p.c, p.batch * p.m * p.n, guard_bytes);
    all_.a = borrow(context, p.a, p.batch * p.m * p.k, 0);
    all_.b = borrow(context, p.b, p.batch * p.k * p.n, 0);
    fill(Content::whole);  // touched first by the threads that use it, before a library packs
    multiplier_ = make(question, {all_.c.data, all_.a.data, all_.b.data}, context);
  }

  void run(std::int64_t repetitions) override { multiplier_->multiply(repetitions); }
  device::Stream& stream() override { return multiplier_->stream(); }

  std::vector<Figure> figures() override {
    const auto packing = multiplier_->packing_seconds();
    if (!packing) return {};
    return {{"packing_time", *packing}};
  }
  // Who multiplies is found out here, and is part of the counting rule: packing inside a call is counted with it.
  [[nodiscard]] std::optional<record::Work> work() const override {
    record::Work all = work_;
    all.counting += multiplied_by(multiplier_->implementation());
    return all;
  }

 private:
  static Matrix borrow(CpuContext& context, Type type, std::int64_t elements, std::int64_t more) {
    return {context.arena.borrow(elements * ridge::gemm::bytes_of(type) + more).data, type, 1, elements, false};
  }

  void fill(Content content) override {
    team_.parallel([&](int rank) {
      for (const auto& [matrix, which] : {std::pair{&all_.a, 0}, std::pair{&all_.b, 1}}) {
        const auto [begin, end] = device::cpu::share(matrix->elements(), rank, team_.size(), 64);
        fill_range(*matrix, which, content, begin, end);
      }
      if (!adds_to_c()) return;
      const auto [begin, end] = device::cpu::share(all_.c.elements(), rank, team_.size(), 64);
      fill_range(all_.c, 2, content, begin, end);
    });
    if (multiplier_) multiplier_->inputs_changed();
  }

  // By all threads: where C was never touched before, its pages come to lie beside the threads that use them.
  void multiply_poisoned() override {
    const std::int64_t bytes = ridge::gemm::size_of(all_.c.type, all_.c.elements()), kept = adds_to_c() ? bytes : 0;
    team_.parallel([&](int rank) {
      const auto [begin, end] = device::cpu::share(bytes + guard_bytes - kept, rank, team_.size(), 64);
      std::memset(static_cast<char*>(all_.c.data) + kept + begin, stream::poison_byte,
                  static_cast<std::size_t>(end - begin));
    });
    run(1);
  }

  Batches host() override { return all_; }

  // Each thread its share.
  Compared spread(std::int64_t count, const Part& part) override {
    std::vector<Compared> found(static_cast<std::size_t>(team_.size()));
    team_.parallel([&](int rank) {
      const auto [begin, end] = device::cpu::share(count, rank, team_.size(), 1);
      if (begin < end) found[static_cast<std::size_t>(rank)] = part(begin, end);
    });
    Compared all;
    for (const Compared& each : found) all.add(each);
    return all;
  }

  device::cpu::Team& team_;
  record::Work work_;
  Batches all_;
  std::unique_ptr<Multiplier> multiplier_;
};

}  // namespace

std::unique_ptr<Case> make_case(const record::Point& point, CpuContext& context, const MakeMultiplier& make,
                                std::int64_t compare_at_most) {
  return std::make_unique<GemmCase>(question_of(point), work(point), context, make, compare_at_most);
}

std::unique_ptr<Case> prepare_cpu(CpuContext& context, const record::Point& point) {
  return make_case(point, context, make_multiplier);
}

}  // namespace ridge::bench::gemm
