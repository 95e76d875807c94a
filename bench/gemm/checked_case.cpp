// Filling, checking exactly on whole numbers, and comparing with f64 on the numbers that are timed.
#include "bench/gemm/checked_case.hpp"

#include <fmt/format.h>

#include <numeric>

#include "bench/gemm/points.hpp"
#include "kernels/random/normal.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::gemm {
namespace {

using ridge::gemm::Compared;
using ridge::gemm::Matrix;
using ridge::gemm::Operands;
using ridge::gemm::Problem;
using ridge::gemm::Type;

// normal: mean 0, variance 1. Bytes: A in [0, 255], B in [−64, 63], so that no pair of products exceeds the 16 bits
// that processors without a dot product of bytes add them in. C of 32 bits: even, in [−2^20, 2^20), so that half of it
// is whole, and f32, in which some libraries multiply it, holds it with the sum.
double random_value(Type type, std::uint64_t seed, std::uint64_t index) {
  if (type == Type::s32)
    return 2 * static_cast<double>(static_cast<std::int64_t>(random::bits(seed, index) >> 44) - most_whole_before / 2);
  if (type == Type::u8) return static_cast<double>(random::bits(seed, index) >> 56);
  if (type == Type::s8) return static_cast<double>(random::bits(seed, index) >> 57) - 64;
  return random::normal(seed, index);
}

}  // namespace

record::Verification CheckedCase::verify() {
  record::Verification result;
  result.status = record::Check::failed;
  result.bound = 1;
  std::string how = "there is nothing to compute";
  if (problem_.batch * problem_.m * problem_.n > 0) {
    check_whole(result);
    if (result.reason.empty()) how = compare(result);
  }
  fill(timed_);
  if (result.reason.empty()) {
    result.status = record::Check::passed;
    result.reason = std::move(how);
  }
  return result;
}

void CheckedCase::fill_range(const Matrix& matrix, int which, Content content, std::int64_t begin, std::int64_t end,
                             double (*rounded)(double)) const {
  for (std::int64_t i = begin; i < end; ++i) {
    const double number = value(matrix.type, which, content, i);
    ridge::gemm::store(matrix, i, rounded != nullptr ? rounded(number) : number);
  }
}

double CheckedCase::value(Type type, int which, Content content, std::int64_t index) const {
  if (content == Content::zero || content == Content::ones) return content == Content::ones ? 1 : 0;
  const bool whole_anyway = type == Type::u8 || type == Type::s8 || type == Type::s32;
  if (content == Content::random || whole_anyway)
    return random_value(type, random::seed_of(seed_, static_cast<std::uint64_t>(which)),
                        static_cast<std::uint64_t>(index));
  const bool few = which == 0 && ridge::gemm::sums_of(problem_.c) != problem_.c;
  if (few && left_out(index)) return 0;
  return ridge::gemm::entry<double>(seed_, which, index) * (which == 2 ? 2 : 1);
}

// Every stride-th element of a row stays, from one on that differs from row to row, so that all of k matter somewhere.
bool CheckedCase::left_out(std::int64_t index) const {
  constexpr std::int64_t most_terms = 16;
  const Problem& p = problem_;
  const std::int64_t stride = (p.k + most_terms - 1) / most_terms, each = index / (p.m * p.k),
                     within = index % (p.m * p.k);
  const std::int64_t row = p.a_transposed ? within % p.m : within / p.k,
                     l = p.a_transposed ? within / p.m : within % p.k;
  const std::uint64_t first = random::bits(random::seed_of(seed_, 7), static_cast<std::uint64_t>(each * p.m + row));
  return l % stride != static_cast<std::int64_t>(first % static_cast<std::uint64_t>(stride));
}

Operands CheckedCase::operands(const Batches& all, std::int64_t each, Content content) const {
  const Problem& p = problem_;
  const auto at = [each](const Matrix& batch, std::int64_t rows, std::int64_t columns, bool transposed) {
    char* const data = static_cast<char*>(batch.data) + ridge::gemm::size_of(batch.type, each * rows * columns);
    return Matrix{data, batch.type, rows, columns, transposed};
  };
  // What C held is not kept: each element follows from the seed, and is as wide as C made it.
  const auto before = [this, content, first = each * p.m * p.n](std::int64_t index) {
    char room[sizeof(double)];
    const Matrix one{room, problem_.c, 1, 1, false};
    ridge::gemm::store(one, 0, value(problem_.c, 2, content, first + index));
    return ridge::gemm::load(one, 0);
  };
  return {at(all.a, p.m, p.k, p.a_transposed),
          at(all.b, p.k, p.n, p.b_transposed),
          at(all.c, p.m, p.n, false),
          unit_,
          p.beta,
          before};
}

void CheckedCase::check_whole(record::Verification& result) {
  fill(Content::whole);
  multiply_poisoned();
  const Batches all = host();
  for (std::int64_t each = 0; each < problem_.batch; ++each) {
    const Operands of_this = operands(all, each, Content::whole);
    const Compared rows = spread(problem_.m, [&](std::int64_t begin, std::int64_t end) {
      Compared part;
      part.wrong = ridge::gemm::wrong_rows(of_this, seed_, begin, end);
      return part;
    });
    result.checked += problem_.m * problem_.n;
    if (rows.wrong > 0) {
      result.reason = fmt::format("{} of {} rows wrong, on whole numbers, in product {} of {}", rows.wrong, problem_.m,
                                  each + 1, problem_.batch);
      return;
    }
  }
  if (!stream::untouched(static_cast<char*>(all.c.data) + ridge::gemm::size_of(all.c.type, all.c.elements()),
                         guard_bytes))
    result.reason = "wrote behind the last entry";
}

// Rows where all are compared are one batch after the other; else the first and the last product are looked at.
std::string CheckedCase::compare(record::Verification& result) {
  const Problem& p = problem_;
  fill(Content::random);
  multiply_poisoned();
  const Batches all = host();
  const bool every = p.m * p.n <= compare_at_most_ / std::max<std::int64_t>(p.k, 1) / p.batch;
  std::string how;
  Compared found;
  if (every) {
    found = spread(p.batch * p.m, [&](std::int64_t begin, std::int64_t end) {
      Compared part;
      for (std::int64_t each = begin / p.m; each * p.m < end; ++each) {
        std::vector<std::int64_t> rows(
            static_cast<std::size_t>(std::min(end, (each + 1) * p.m) - std::max(begin, each * p.m)));
        std::iota(rows.begin(), rows.end(), std::max(begin, each * p.m) - each * p.m);
        part.add(ridge::gemm::compare_rows(operands(all, each, Content::random), rows));
      }
      return part;
    });
    how = "every entry compared with f64, and exactly on whole numbers";
  } else {
    const auto rows = ridge::gemm::sample(p.m, 7, seed_), columns = ridge::gemm::sample(p.n, 3, seed_ + 1);
    for (const std::int64_t each :
         p.batch > 1 ? std::vector{std::int64_t{0}, p.batch - 1} : std::vector{std::int64_t{0}}) {
      const Operands of_this = operands(all, each, Content::random);
      found.add(ridge::gemm::compare_rows(of_this, rows));
      found.add(ridge::gemm::compare_columns(of_this, columns));
    }
    how = fmt::format(
        "{} rows and {} columns, the last ones among them, compared with f64; every entry exactly on "
        "whole numbers",
        rows.size(), columns.size());
  }
  result.max_error = found.max_error;
  if (found.wrong > 0)
    result.reason = fmt::format("{} of {} entries off by more than rounding can be, the first at {}", found.wrong,
                                found.checked, found.first_wrong);
  return how;
}

}  // namespace ridge::bench::gemm
