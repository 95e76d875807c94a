// What every way to compute attention on the CPU shares: queries, keys, values and results, and their check.
#pragma once

#include <vector>

#include "bench/fusion/attention.hpp"
#include "bench/harness/told.hpp"
#include "kernels/device/cpu/device.hpp"

namespace ridge::bench::fusion {

class AttentionCase : public Case, public TellsFigures {
 public:
  record::Verification verify() override;
  std::vector<Figure> figures() override { return {{"memory", static_cast<double>(borrowed_)}}; }

 protected:
  AttentionCase(CpuContext& context, const record::Point& point);

  // Calls body(head, block) for each block of queries of that rank. Long and short ones of a causal form take turns, so
  // that neighbours in the order take as long as each other two by two.
  template <class Body>
  void each_block(int rank, const Body& body) const {
    const std::int64_t blocks = ridge::attention::query_blocks(shape_);
    const auto [begin, end] = device::cpu::share(shape_.heads * blocks, rank, team_.size(), 1);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t in_head = i % blocks;
      body(i / blocks, in_head % 2 == 0 ? in_head / 2 : blocks - 1 - in_head / 2);
    }
  }

  // Memory of the context's, which counts.
  float* borrow(CpuContext& context, std::int64_t elements, std::int64_t behind = 0);

  ridge::attention::Shape shape_;
  device::cpu::Team& team_;
  float* out_ = nullptr;  // (heads, sequence, head), then guard_bytes
  float* q_ = nullptr;    // (heads, sequence, head)
  float* k_ = nullptr;
  float* v_ = nullptr;

 private:
  struct alignas(64) Slot {
    stream::Check check;
  };
  void fill(ridge::attention::Inputs inputs, bool zero);
  [[nodiscard]] stream::Check check(ridge::attention::Inputs inputs, int rank) const;

  std::uint64_t seed_;
  bool zero_;
  std::int64_t array_;  // elements of q, k, v, out each
  std::int64_t borrowed_ = 0;
  std::vector<Slot> checks_;  // of each rank
};

}  // namespace ridge::bench::fusion
