// A product and what follows it: C = activation(A·B + bias) + residual, as one call of a library and as its product
// with passes over C behind it. What points mean, their work, and the numbers that matrices hold.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/harness/definition.hpp"
#include "kernels/gemm_library/library.hpp"
#include "kernels/stream/check.hpp"
#include "reports/record/report.hpp"

namespace ridge::bench::fusion {

inline constexpr const char* epilogue_name = "fusion.epilogue";

Definition epilogue_definition();

// Passes behind the product: unfused by kernels of ours, library by the library's own.
enum class EpilogueSide { product, unfused, library, fused };

struct EpilogueShape {
  std::int64_t m = 0, n = 0, k = 0;
  bool bias = false;
  ridge::gemm::Activation activation = ridge::gemm::Activation::none;
  bool residual = false;
  EpilogueSide side = EpilogueSide::fused;

  // Nothing follows where the product alone is asked for.
  [[nodiscard]] bool has_bias() const { return bias && side != EpilogueSide::product; }
  [[nodiscard]] bool has_residual() const { return residual && side != EpilogueSide::product; }
  [[nodiscard]] ridge::gemm::Activation applied() const {
    return side == EpilogueSide::product ? ridge::gemm::Activation::none : activation;
  }
  [[nodiscard]] ridge::gemm::Problem problem(int threads) const;
};
EpilogueShape epilogue_shape(const record::Point& point);

// Of the passes behind the product, and of the operations that follow it for each element.
record::Work epilogue_work(const EpilogueShape& shape);
std::vector<std::int64_t> epilogue_buffers(const record::Point& point);

// exact: A and B of rank one and of whole numbers, so that every sum is exact and every entry is known without
// multiplying; near 0, where gelu bends. random: full mantissas, to try the arithmetic.
enum class EpilogueInputs { exact, random };

class EpilogueNumbers {
 public:
  // `loose`: gelu may be off as far as a GPU's approximate instructions are.
  EpilogueNumbers(const EpilogueShape& shape, std::uint64_t seed, EpilogueInputs inputs, bool loose = false);

  [[nodiscard]] float a(std::int64_t i, std::int64_t l) const;
  [[nodiscard]] float b(std::int64_t l, std::int64_t j) const;
  [[nodiscard]] float bias(std::int64_t j) const;
  [[nodiscard]] float residual(std::int64_t i, std::int64_t j) const;

  // have: C (m, n). Rows [begin, end), every entry; of random inputs some columns only, but for some rows.
  void check(stream::Check& check, const float* have, std::int64_t begin, std::int64_t end) const;

 private:
  void check_entry(stream::Check& check, const float* have, std::int64_t i, std::int64_t j) const;
  [[nodiscard]] double small_number(std::uint64_t which, std::int64_t index) const;
  [[nodiscard]] double left(std::int64_t l) const;
  [[nodiscard]] double right(std::int64_t l) const;

  EpilogueShape shape_;
  std::uint64_t seed_;
  EpilogueInputs inputs_;
  bool loose_;
  double sum_ = 0;                            // exact: Σ left · right
  double factor_ = 1;                         // a power of two that B is multiplied by, or A
  double first_ = 1;                          // of right: so that the sum is not 0
  std::vector<std::int64_t> rows_, columns_;  // random: those that are looked at, ascending
};

std::unique_ptr<Case> prepare_cpu_epilogue(CpuContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_cuda_epilogue(CudaContext& context, const record::Point& point);

// Adds predictions and speed-ups to the family's records of this benchmark.
std::vector<record::Finding> conclude_epilogue(std::span<record::Record> records);

}  // namespace ridge::bench::fusion
