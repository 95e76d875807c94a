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
