// Dot-product instructions on the CPU: each thread repeats one on registers of its own.
#include "bench/roofline/dot_case.hpp"

#include <fmt/format.h>

#include <cstring>
#include <type_traits>

#include "bench/roofline/points.hpp"
#include "bench/roofline/team_case.hpp"

namespace ridge::bench::roofline {
namespace {

using device::cpu::dot_chains;
using device::cpu::DotInstruction;
using device::cpu::most_dot_lanes;

// bf16 by its upper half, which whole numbers below 256 fill.
std::uint16_t bf16_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<std::uint16_t>(bits >> 16);
}

// Sum is float for bf16, std::int32_t for int8.
template <class Sum>
class DotCase final : public TeamCase {
 public:
  DotCase(const DotInstruction& instruction, std::int64_t steps, int threads, CpuContext& context)
      : TeamCase(context, threads),
        instruction_(instruction),
        steps_(steps),
        slots_(static_cast<std::size_t>(team_.size())) {
    fill(false);
  }
  [[nodiscard]] std::optional<record::Work> work() const override {
    record::Work work;
    work.items = std::int64_t{team_.size()} * dot_chains * instruction_.lanes;
    work.operations = *work.items * instruction_.products * 2 * steps_;
    work.counting = fmt::format("two operations for each product, {} products in each of {} lanes of {}",
                                instruction_.products, instruction_.lanes, instruction_.name);
    return work;
  }

 private:
  // One thread's registers, on cache lines of its own. Operands as raw bytes: pairs of 16 bits or four of 8.
  struct alignas(64) Slot {
    Sum sums[dot_chains * most_dot_lanes + guard_bytes / static_cast<std::int64_t>(sizeof(Sum))];
    unsigned char a[64];
    unsigned char b[64];
  };

  // Whole numbers to be checked, each within what its type holds; what is timed has full mantissas.
  [[nodiscard]] int whole(int rank, int which, int i) const {
    const auto random = random::bits(random::seed_of(numbers_.seed, static_cast<std::uint64_t>(2 * rank + which)),
                                     static_cast<std::uint64_t>(i));
    if constexpr (std::is_same_v<Sum, float>) return static_cast<int>(random % 9) - 4;
    return which == 0 ? static_cast<int>(random % 256) : static_cast<int>(random % 256) - 128;
  }
  [[nodiscard]] Sum start(int chain, int lane) const { return static_cast<Sum>(chain * most_dot_lanes + lane); }

  void put(unsigned char* operand, int rank, int which, bool for_check) {
    for (int i = 0; i < instruction_.lanes * instruction_.products; ++i) {
      const bool zero = numbers_.zero && !for_check;
      if constexpr (std::is_same_v<Sum, float>) {
        const float value = for_check ? static_cast<float>(whole(rank, which, i)) : numbers_.at<float>(which, i, false);
        const std::uint16_t word = bf16_of(value);
        std::memcpy(operand + 2 * i, &word, sizeof word);
      } else {
        operand[i] = zero ? 0 : static_cast<unsigned char>(whole(rank, which, i));
      }
    }
  }
  void fill(bool for_check) override {
    team_.parallel([&](int rank) {
      Slot& slot = slots_[static_cast<std::size_t>(rank)];
      put(slot.a, rank, 0, for_check);
      put(slot.b, rank, 1, for_check);
      for (int chain = 0; chain < dot_chains; ++chain)
        for (int lane = 0; lane < instruction_.lanes; ++lane)
          slot.sums[chain * instruction_.lanes + lane] = start(chain, lane);
    });
  }
  void repeat(int rank) override {
    Slot& slot = slots_[static_cast<std::size_t>(rank)];
    instruction_.repeat(slot.sums, slot.a, slot.b, steps_);
  }
  // The sums are read and written, so they cannot be poisoned; they start from numbers that each step changes.
  void poison(int rank) override {
    Slot& slot = slots_[static_cast<std::size_t>(rank)];
    std::memset(slot.sums + dot_chains * instruction_.lanes, stream::poison_byte, guard_bytes);
  }
  stream::Check check(int rank) override {
    const Slot& slot = slots_[static_cast<std::size_t>(rank)];
    stream::Check result;
    for (int chain = 0; chain < dot_chains; ++chain)
      for (int lane = 0; lane < instruction_.lanes; ++lane) {
        std::int64_t step = 0;
        for (int p = 0; p < instruction_.products; ++p) {
          const int at = lane * instruction_.products + p;
          step += std::int64_t{whole(rank, 0, at)} * whole(rank, 1, at);
        }
        const std::int64_t want = static_cast<std::int64_t>(start(chain, lane)) + steps_ * step;
        const Sum have = slot.sums[chain * instruction_.lanes + lane];
        const bool right = have == (std::is_same_v<Sum, float> ? static_cast<Sum>(want)
                                                               : static_cast<Sum>(static_cast<std::int32_t>(want)));
        ++result.checked;
        if (!right && result.wrong++ == 0) result.first_wrong = (rank * dot_chains + chain) * instruction_.lanes + lane;
      }
    const bool guarded = stream::untouched(slot.sums + dot_chains * instruction_.lanes, guard_bytes);
    if (!guarded && result.wrong++ == 0) result.first_wrong = result.checked;
    return result;
  }
  // Of the last thread; each checks its own as well.
  void* behind() override { return slots_.back().sums + dot_chains * instruction_.lanes; }

  const DotInstruction& instruction_;
  std::int64_t steps_;
  std::vector<Slot> slots_;
};

}  // namespace

std::unique_ptr<Case> make_dot(const DotInstruction& instruction, const std::string& dtype, std::int64_t steps,
                               int threads, CpuContext& context) {
  if (dtype == "int8") return std::make_unique<DotCase<std::int32_t>>(instruction, steps, threads, context);
  return std::make_unique<DotCase<float>>(instruction, steps, threads, context);
}

std::unique_ptr<Case> prepare_dot_cpu(CpuContext& context, const record::Point& point) {
  const std::string dtype = point.text("dtype");
  const auto features = device::cpu::dot_features();
  const DotInstruction* const found =
      dtype == "int8" ? device::cpu::int8_dot(features) : device::cpu::bf16_dot(features);
  if (found == nullptr)
    throw device::Absent(dtype == "int8" ? "this processor has no int8 dot product (AVX512_VNNI, AVX_VNNI)"
                                         : device::cpu::no_bf16_dot);
  return make_dot(*found, dtype, dot_steps, static_cast<int>(point.integer("threads")), context);
}

}  // namespace ridge::bench::roofline
