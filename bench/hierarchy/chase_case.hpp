// One point of the chase on the CPU: lines linked to a cycle, a thread that follows k chains, and the proof of both.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bench/hierarchy/prepare.hpp"
#include "kernels/chase/chase.hpp"
#include "kernels/device/cpu/device.hpp"

namespace ridge::bench::hierarchy {

class ChaseCase final : public Case {
 public:
  // `kernel` is the version under test, for that many chains; `hops` are links of each chain in one repetition.
  // `small_pages`: memory of its own instead of the arena's.
  ChaseCase(chase::Chase kernel, std::int64_t chains, std::int64_t hops, std::int64_t lines, bool small_pages,
            CpuContext& context);

  void run(std::int64_t repetitions) override;
  // That the links are one cycle through all lines, then that a repetition follows each chain for exactly its hops.
  record::Verification verify() override;
  device::Stream& stream() override { return team_; }
  void warm() override;
  [[nodiscard]] std::optional<std::int64_t> page_size() const override;
  // For tests, which damage them.
  [[nodiscard]] std::span<chase::Line> lines() const { return lines_; }

 private:
  device::cpu::Team& team_;
  chase::Chase kernel_;
  std::int64_t hops_;
  std::uint64_t seed_;
  std::unique_ptr<device::Arena> small_pages_;  // null: the lines are the arena's
  std::span<chase::Line> lines_;
  std::vector<const chase::Line*> at_;  // (chains), where each got to
};

}  // namespace ridge::bench::hierarchy
