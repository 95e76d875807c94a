// Filling, checking exactly on whole numbers, and comparing with f64 on the numbers that are timed.
#include "bench/gemm/case.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "bench/harness/told.hpp"
#include "kernels/gemm/check.hpp"
#include "kernels/random/normal.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::gemm {
namespace {

using ridge::gemm::Compared;
using ridge::gemm::Matrix;
using ridge::gemm::Operands;
using ridge::gemm::Problem;
using ridge::gemm::Type;

enum class Content { whole, random, zero, ones };

// normal: mean 0, variance 1. Bytes: A in [0, 255], B in [−64, 63], so that no pair of products exceeds the 16 bits
// that processors without a dot product of bytes add them in.
double random_value(Type type, std::uint64_t seed, std::uint64_t index) {
  if (type == Type::u8) return static_cast<double>(random::bits(seed, index) >> 56);
  if (type == Type::s8) return static_cast<double>(random::bits(seed, index) >> 57) - 64;
  return random::normal(seed, index);
}

class GemmCase final : public Case, public TellsFigures {
 public:
  GemmCase(const Question& question, record::Work work, CpuContext& context, const MakeMultiplier& make,
           std::int64_t compare_at_most)
      : problem_(question.problem),
        team_(context.device.team(question.problem.threads)),
        seed_(context.seed),
        timed_(context.fill == Fill::zero   ? Content::zero
               : context.fill == Fill::ones ? Content::ones
                                            : Content::random),
        compare_at_most_(compare_at_most),
        work_(std::move(work)) {
    const Problem& p = problem_;
    c_ = borrow(context, p.c, p.batch * p.m * p.n, guard_bytes);
    a_ = borrow(context, p.a, p.batch * p.m * p.k, 0);
    b_ = borrow(context, p.b, p.batch * p.k * p.n, 0);
    fill(Content::whole);  // touched first by the threads that use it, before a library packs
    multiplier_ = make(question, {c_.data, a_.data, b_.data}, context);
  }

  void run(std::int64_t repetitions) override { multiplier_->multiply(repetitions); }
  device::Stream& stream() override { return multiplier_->stream(); }

  record::Verification verify() override {
    record::Verification result;
    result.status = record::Check::failed;
    result.bound = 1;
    check_whole(result);
    if (result.reason.empty()) compare(result);
    fill(timed_);
    multiplier_->inputs_changed();
    if (result.reason.empty()) {
      result.status = record::Check::passed;
      result.reason = how_;
    }
    return result;
  }

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
  // One row of all elements: the batch lies one behind the other.
  static Matrix borrow(CpuContext& context, Type type, std::int64_t elements, std::int64_t more) {
    return {context.arena.borrow(elements * ridge::gemm::bytes_of(type) + more).data, type, 1, elements, false};
  }

  void fill(Content content) {
    team_.parallel([&](int rank) {
      for (const auto& [matrix, which] : {std::pair{&a_, 0}, std::pair{&b_, 1}}) {
        const std::uint64_t seed = random::seed_of(seed_, static_cast<std::uint64_t>(which));
        const bool bytes = matrix->type == Type::u8 || matrix->type == Type::s8;
        const auto [begin, end] = device::cpu::share(matrix->elements(), rank, team_.size(), 64);
        for (std::int64_t i = begin; i < end; ++i) {
          double value = content == Content::ones ? 1 : 0;
          if (content == Content::random || (content == Content::whole && bytes))
            value = random_value(matrix->type, seed, static_cast<std::uint64_t>(i));
          else if (content == Content::whole)
            value = ridge::gemm::entry<double>(seed_, which, i);
          ridge::gemm::store(*matrix, i, value);
        }
      }
    });
  }

  void multiply_poisoned() {
    std::memset(c_.data, stream::poison_byte,
                static_cast<std::size_t>(c_.elements() * ridge::gemm::bytes_of(c_.type) + guard_bytes));
    multiplier_->inputs_changed();
    run(1);
  }

  [[nodiscard]] Operands operands(std::int64_t each) const {
    const Problem& p = problem_;
    const auto at = [each](const Matrix& all, std::int64_t rows, std::int64_t columns, bool transposed) {
      char* const data = static_cast<char*>(all.data) + each * rows * columns * ridge::gemm::bytes_of(all.type);
      return Matrix{data, all.type, rows, columns, transposed};
    };
    return {at(a_, p.m, p.k, p.a_transposed), at(b_, p.k, p.n, p.b_transposed), at(c_, p.m, p.n, false)};
  }

  // Sums what `part` answers for each thread's share of `count`.
  Compared spread(std::int64_t count, const std::function<Compared(std::int64_t begin, std::int64_t end)>& part) {
    std::vector<Compared> found(static_cast<std::size_t>(team_.size()));
    team_.parallel([&](int rank) {
      const auto [begin, end] = device::cpu::share(count, rank, team_.size(), 1);
      if (begin < end) found[static_cast<std::size_t>(rank)] = part(begin, end);
    });
    Compared all;
    for (const Compared& each : found) all.add(each);
    return all;
  }

  void check_whole(record::Verification& result) {
    fill(Content::whole);
    multiply_poisoned();
    for (std::int64_t each = 0; each < problem_.batch; ++each) {
      const Operands of_this = operands(each);
      const Compared rows = spread(problem_.m, [&](std::int64_t begin, std::int64_t end) {
        Compared part;
        part.wrong = ridge::gemm::wrong_rows(of_this, seed_, begin, end);
        return part;
      });
      result.checked += problem_.m * problem_.n;
      if (rows.wrong > 0) {
        result.reason = fmt::format("{} of {} rows wrong, on whole numbers, in product {} of {}", rows.wrong,
                                    problem_.m, each + 1, problem_.batch);
        return;
      }
    }
    if (!stream::untouched(static_cast<char*>(c_.data) + c_.elements() * ridge::gemm::bytes_of(c_.type), guard_bytes))
      result.reason = "wrote behind the last entry";
  }

  // Rows where all are compared are one batch after the other; else the first and the last product are looked at.
  void compare(record::Verification& result) {
    const Problem& p = problem_;
    fill(Content::random);
    multiply_poisoned();
    const bool all = p.m * p.n <= compare_at_most_ / p.k / p.batch;
    Compared found;
    if (all) {
      found = spread(p.batch * p.m, [&](std::int64_t begin, std::int64_t end) {
        Compared part;
        for (std::int64_t each = begin / p.m; each * p.m < end; ++each) {
          std::vector<std::int64_t> rows(
              static_cast<std::size_t>(std::min(end, (each + 1) * p.m) - std::max(begin, each * p.m)));
          std::iota(rows.begin(), rows.end(), std::max(begin, each * p.m) - each * p.m);
          part.add(ridge::gemm::compare_rows(operands(each), rows));
        }
        return part;
      });
      how_ = "every entry compared with f64, and exactly on whole numbers";
    } else {
      const auto rows = ridge::gemm::sample(p.m, 7, seed_), columns = ridge::gemm::sample(p.n, 3, seed_ + 1);
      for (const std::int64_t each :
           p.batch > 1 ? std::vector{std::int64_t{0}, p.batch - 1} : std::vector{std::int64_t{0}}) {
        found.add(ridge::gemm::compare_rows(operands(each), rows));
        found.add(ridge::gemm::compare_columns(operands(each), columns));
      }
      how_ = fmt::format(
          "{} rows and {} columns, the last ones among them, compared with f64; every entry exactly on "
          "whole numbers",
          rows.size(), columns.size());
    }
    result.max_error = found.max_error;
    if (found.wrong > 0)
      result.reason = fmt::format("{} of {} entries off by more than rounding can be, the first at {}", found.wrong,
                                  found.checked, found.first_wrong);
  }

  Problem problem_;
  device::cpu::Team& team_;
  std::uint64_t seed_;
  Content timed_;
  std::int64_t compare_at_most_;
  record::Work work_;
  std::string how_;
  Matrix c_, a_, b_;
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
