// One side of a pair on the CPU: rows shared out over a team, each thread all passes of its own rows.
#include <cmath>
#include <cstring>
#include <vector>

#include "bench/fusion/data.hpp"
#include "bench/fusion/points.hpp"
#include "kernels/device/cpu/device.hpp"

namespace ridge::bench::fusion {
namespace {

using ridge::fused::Operands;
using ridge::fused::Pair;

class FusionCase final : public Case {
 public:
  FusionCase(const Facts& facts, CpuContext& context, const record::Point& point, const ridge::fused::Sides& kernels)
      : facts_(facts),
        team_(context.device.team(static_cast<int>(point.integer("threads")))),
        kernels_(kernels),
        fused_(is_fused(point)),
        rows_(rows_of(point)),
        data_{facts.pair, context.seed, columns_of(point), ops_of(point), dropout_of(point)},
        zero_(context.fill == Fill::zero),
        checks_(static_cast<std::size_t>(team_.size())) {
    o_.columns = columns_of(point);
    o_.ops = ops_of(point);
    o_.dropout = data_.dropout();
    o_.x = context.arena.borrow(rows_ * o_.columns * 4 + guard_bytes).as<float>();
    if (facts.has_residual) o_.residual = residual_ = context.arena.borrow(rows_ * o_.columns * 4).as<float>();
    o_.bias = bias_ = context.arena.borrow(o_.columns * 4).as<float>();
    beta_ = context.arena.borrow(o_.columns * 4).as<float>();
    if (facts.pair == Pair::layernorm) o_.beta = beta_;
    o_.stats = context.arena.borrow(rows_ * 8).as<float>();
    o_.loss = context.arena.borrow(rows_ * 4).as<float>();
    o_.labels = labels_ = context.arena.borrow(rows_ * 4).as<std::int32_t>();
    fill(zero_);
  }

  void run(std::int64_t repetitions) override {
    const int passes = facts_.pair == Pair::chain ? o_.ops : facts_.passes;
    team_.parallel([this, repetitions, passes](int rank) {
      const auto [begin, end] = mine(rank);
      for (std::int64_t i = 0; i < repetitions; ++i) {
        if (fused_) kernels_.fused(o_, 0, begin, end);
        for (int pass = 0; !fused_ && pass < passes; ++pass) kernels_.unfused(o_, pass, begin, end);
      }
    });
  }

  record::Verification verify() override {
    fill(false);
    run(1);
    team_.parallel([this](int rank) { checks_[static_cast<std::size_t>(rank)].check = check(rank); });
    stream::Check all;
    for (const Slot& slot : checks_) all.add(slot.check);
    const auto result = verdict(all, stream::untouched(o_.x + rows_ * o_.columns, guard_bytes));
    fill(zero_);
    return result;
  }

  device::Stream& stream() override { return team_; }

 private:
  struct alignas(64) Slot {
    stream::Check check;
  };

  [[nodiscard]] device::cpu::Share mine(int rank) const { return device::cpu::share(rows_, rank, team_.size(), 1); }

  void fill(bool zero) {
    team_.parallel([&](int rank) {
      const auto [begin, end] = mine(rank);
      for (std::int64_t i = begin * o_.columns; i < end * o_.columns; ++i) {
        o_.x[i] = zero ? 0 : data_.element(i);
        if (residual_ != nullptr) residual_[i] = zero ? 0 : data_.number(1, i);
      }
      for (std::int64_t row = begin; row < end; ++row) {
        labels_[row] = data_.label(row);
        o_.loss[row] = o_.stats[2 * row] = o_.stats[2 * row + 1] = NAN;
      }
    });
    for (std::int64_t j = 0; j < o_.columns; ++j) {
      bias_[j] = zero ? 0 : data_.number(2, j);
      beta_[j] = zero ? 0 : data_.number(3, j);
    }
    std::memset(o_.x + rows_ * o_.columns, stream::poison_byte, guard_bytes);
  }

  stream::Check check(int rank) const {
    stream::Check found;
    const auto [begin, end] = mine(rank);
    for (std::int64_t row = begin; row < end; ++row)
      data_.check_row(found, row, facts_.pair == Pair::cross_entropy ? o_.loss + row : o_.x + row * o_.columns);
    return found;
  }

  const Facts& facts_;
  device::cpu::Team& team_;
  ridge::fused::Sides kernels_;
  bool fused_;
  std::int64_t rows_;
  Data data_;
  bool zero_;
  Operands o_;
  float* residual_ = nullptr;
  float* bias_ = nullptr;
  float* beta_ = nullptr;
  std::int32_t* labels_ = nullptr;
  std::vector<Slot> checks_;
};

}  // namespace

std::unique_ptr<Case> prepare_cpu(const Facts& facts, CpuContext& context, const record::Point& point) {
  const Facts& here = facts_at(facts, point);
  return make_cpu(here, context, point, ridge::fused::cpu_kernels(here.pair));
}

std::unique_ptr<Case> make_cpu(const Facts& facts, CpuContext& context, const record::Point& point,
                               const ridge::fused::Sides& kernels) {
  return std::make_unique<FusionCase>(facts, context, point, kernels);
}

}  // namespace ridge::bench::fusion
