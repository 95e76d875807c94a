// One side of a pair on the CPU: rows shared out over a team, each thread all passes of its own rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "bench/fusion/points.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/fused/reference.hpp"
#include "kernels/random/counter.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::fusion {
namespace {

using ridge::fused::Operands;
using ridge::fused::Pair;

constexpr std::size_t guard_bytes = 64;

class FusionCase final : public Case {
 public:
  FusionCase(const Facts& facts, CpuContext& context, const record::Point& point)
      : facts_(facts),
        team_(context.device.team(static_cast<int>(point.integer("threads")))),
        kernels_(ridge::fused::cpu_kernels(facts.pair)),
        fused_(is_fused(point)),
        rows_(rows_of(point)),
        seed_(context.seed),
        zero_(context.fill == Fill::zero),
        checks_(static_cast<std::size_t>(team_.size())) {
    o_.columns = columns_of(point);
    o_.ops = ops_of(point);
    o_.x = context.arena.borrow(rows_ * o_.columns * 4 + std::int64_t{guard_bytes}).as<float>();
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
    record::Verification result;
    result.checked = all.checked;
    result.max_error = all.max_error;
    result.bound = 1;
    result.status = all.wrong == 0 ? record::Check::passed : record::Check::failed;
    if (all.wrong > 0)
      result.reason = fmt::format("{} of {} results wrong, the first at {}", all.wrong, all.checked, all.first_wrong);
    if (all.wrong == 0 && !stream::untouched(o_.x + rows_ * o_.columns, guard_bytes)) {
      result.status = record::Check::failed;
      result.reason = "wrote behind the last element";
    }
    fill(zero_);
    return result;
  }

  device::Stream& stream() override { return team_; }

 private:
  struct alignas(64) Slot {
    stream::Check check;
  };

  [[nodiscard]] device::cpu::Share mine(int rank) const { return device::cpu::share(rows_, rank, team_.size(), 1); }

  // In ±[1, 2) with a random mantissa.
  [[nodiscard]] float number(int which, std::int64_t index) const {
    return random::full_mantissa<float>(
        random::bits(random::seed_of(seed_, static_cast<std::uint64_t>(which)), static_cast<std::uint64_t>(index)));
  }
  [[nodiscard]] std::int32_t label(std::int64_t row) const {
    return static_cast<std::int32_t>(random::bits(random::seed_of(seed_, 4), static_cast<std::uint64_t>(row)) %
                                     static_cast<std::uint64_t>(o_.columns));
  }

  void fill(bool zero) {
    team_.parallel([&](int rank) {
      const auto [begin, end] = mine(rank);
      for (std::int64_t i = begin * o_.columns; i < end * o_.columns; ++i) {
        o_.x[i] = zero ? 0 : number(0, i);
        if (residual_ != nullptr) residual_[i] = zero ? 0 : number(1, i);
      }
      for (std::int64_t row = begin; row < end; ++row) {
        labels_[row] = label(row);
        o_.loss[row] = o_.stats[2 * row] = o_.stats[2 * row + 1] = NAN;
      }
    });
    for (std::int64_t j = 0; j < o_.columns; ++j) {
      bias_[j] = zero ? 0 : number(2, j);
      beta_[j] = zero ? 0 : number(3, j);
    }
    std::memset(o_.x + rows_ * o_.columns, stream::poison_byte, guard_bytes);
  }

  stream::Check check(int rank) const {
    stream::Check found;
    const auto [begin, end] = mine(rank);
    std::vector<float> residual(static_cast<std::size_t>(o_.columns));
    for (std::int64_t r = begin; r < end; ++r) {
      ridge::fused::Row row;
      for (std::int64_t j = 0; j < o_.columns; ++j) {
        row.x.push_back(number(0, r * o_.columns + j));
        residual[static_cast<std::size_t>(j)] = number(1, r * o_.columns + j);
      }
      row.residual = residual.data();
      row.bias = bias_;
      row.beta = o_.beta;
      row.label = label(r);
      row.ops = o_.ops;
      const auto want = ridge::fused::reference(facts_.pair, std::move(row));
      const float* const have = facts_.pair == Pair::cross_entropy ? o_.loss + r : o_.x + r * o_.columns;
      for (std::size_t j = 0; j < want.size(); ++j) {
        ++found.checked;
        const double error = std::abs(static_cast<double>(have[j]) - want[j]) /
                             ridge::fused::bound(facts_.pair, want[j], o_.columns, o_.ops);
        if (!(error <= 1) && found.wrong++ == 0) found.first_wrong = r * o_.columns + static_cast<std::int64_t>(j);
        if (std::isfinite(error)) found.max_error = std::max(found.max_error, error);
      }
    }
    return found;
  }

  const Facts& facts_;
  device::cpu::Team& team_;
  ridge::fused::Sides kernels_;
  bool fused_;
  std::int64_t rows_;
  std::uint64_t seed_;
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
  return std::make_unique<FusionCase>(facts, context, point);
}

}  // namespace ridge::bench::fusion
