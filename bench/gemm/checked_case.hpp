// A product's case as far as it is the same wherever the product is computed: what matrices are filled with, and the
// two checks that C must pass.
#pragma once

#include <functional>

#include "bench/harness/definition.hpp"
#include "kernels/gemm/check.hpp"
#include "kernels/gemm_library/library.hpp"

namespace ridge::bench::gemm {

// Products of at most this many multiply-adds are compared with f64 entry by entry; of larger ones rows and columns,
// the last among them. Every entry of any is checked on whole numbers.
inline constexpr std::int64_t most_compared = std::int64_t{1} << 30;

// whole: sums are exact, halves of C among them. random: what is timed, or zero, or ones.
enum class Content { whole, random, zero, ones };

// In the host's memory, one row of all elements each: the batch lies one behind the other.
struct Batches {
  ridge::gemm::Matrix c, a, b;
};

class CheckedCase : public Case {
 public:
  record::Verification verify() override;

 protected:
  // `unit`: the unit roundoff of sums, 0 for that of C's type.
  CheckedCase(const ridge::gemm::Problem& problem, std::uint64_t seed, Fill fill, std::int64_t compare_at_most,
              double unit = 0)
      : problem_(problem),
        seed_(seed),
        timed_(fill == Fill::zero   ? Content::zero
               : fill == Fill::ones ? Content::ones
                                    : Content::random),
        compare_at_most_(compare_at_most),
        unit_(unit) {}

  // A and B, ready to be multiplied; and C where it is added to.
  virtual void fill(Content content) = 0;
  // Runs once on a poisoned C, or where C is added to, on what fill() left there. host() then shows all three, and
  // behind C guard_bytes, poisoned before.
  virtual void multiply_poisoned() = 0;
  virtual Batches host() = 0;
  // What `part` says of shares that make up [0, count), at once or one after the other.
  using Part = std::function<ridge::gemm::Compared(std::int64_t begin, std::int64_t end)>;
  virtual ridge::gemm::Compared spread(std::int64_t count, const Part& part) = 0;

  // Elements [begin, end) of A (`which` 0), B (1) or C (2). `rounded`: what the product will make of a value. Whole
  // numbers are few in a row of A where C is narrower than its sums: sums of at most 16 products of at most 9 are held
  // by 8 bits.
  void fill_range(const ridge::gemm::Matrix& matrix, int which, Content content, std::int64_t begin, std::int64_t end,
                  double (*rounded)(double) = nullptr) const;

  [[nodiscard]] bool adds_to_c() const { return problem_.beta != 0; }

  ridge::gemm::Problem problem_;
  std::uint64_t seed_;
  Content timed_;

 private:
  [[nodiscard]] bool left_out(std::int64_t index_in_a) const;
  [[nodiscard]] double value(ridge::gemm::Type type, int which, Content content, std::int64_t index) const;
  [[nodiscard]] ridge::gemm::Operands operands(const Batches& all, std::int64_t each, Content content) const;
  void check_whole(record::Verification& result);
  std::string compare(record::Verification& result);

  std::int64_t compare_at_most_;
  double unit_;
};

}  // namespace ridge::bench::gemm
