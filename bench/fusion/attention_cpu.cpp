// Attention by kernels of our own: blocks of queries dealt out to a team, after all of it has packed keys and values.
#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/fusion/attention_case.hpp"
#include "bench/fusion/points.hpp"

namespace ridge::bench::fusion {
namespace {

namespace ra = ridge::attention;

class OwnAttention final : public AttentionCase {
 public:
  OwnAttention(CpuContext& context, const record::Point& point, const ra::Kernels& kernels)
      : AttentionCase(context, point), kernels_(kernels), fused_(is_fused(point)) {
    o_.out = out_, o_.q = q_, o_.k = k_, o_.v = v_;
    o_.keys = borrow(context, ra::packed_elements(shape_));
    o_.values = borrow(context, ra::packed_elements(shape_));
    for (int rank = 0; rank < team_.size(); ++rank)
      workspaces_.push_back(borrow(context, ra::workspace_elements(shape_)));
    if (!fused_) o_.scores = borrow(context, ra::score_elements(shape_));
    // First touched by who uses them.
    team_.parallel([this](int rank) {
      std::fill_n(workspaces_[static_cast<std::size_t>(rank)], ra::workspace_elements(shape_), NAN);
      if (fused_) return;
      const std::int64_t of_block = ra::query_block * ra::score_columns(shape_);
      each_block(rank, [&](std::int64_t head, std::int64_t block) {
        std::fill_n(o_.scores + (head * ra::query_blocks(shape_) + block) * of_block, of_block, NAN);
      });
    });
  }

  void run(std::int64_t repetitions) override {
    team_.parallel([this, repetitions](int rank) {
      for (std::int64_t i = 0; i < repetitions; ++i) repetition(rank);
    });
  }

  device::Stream& stream() override { return team_; }

 private:
  void step(ra::OnQueries kernel, int rank) const {
    float* const workspace = workspaces_[static_cast<std::size_t>(rank)];
    each_block(rank, [&](std::int64_t head, std::int64_t block) { kernel(shape_, o_, workspace, head, block); });
  }

  void repetition(int rank) {
    const std::int64_t blocks = ra::key_blocks(shape_);
    const auto [begin, end] = device::cpu::share(shape_.heads * blocks, rank, team_.size(), 1);
    for (std::int64_t i = begin; i < end; ++i) kernels_.pack(shape_, o_, i / blocks, i % blocks);
    team_.barrier();
    if (fused_) {
      step(kernels_.tiled, rank);
    } else {
      step(kernels_.scores, rank);
      step(kernels_.softmax, rank);
      step(kernels_.values, rank);
    }
    team_.barrier();  // before a next repetition packs
  }

  ra::Kernels kernels_;
  bool fused_;
  ra::Operands o_;
  std::vector<float*> workspaces_;  // of each rank
};

}  // namespace

std::unique_ptr<Case> make_attention(CpuContext& context, const record::Point& point, const ra::Kernels& kernels) {
  return std::make_unique<OwnAttention>(context, point, kernels);
}

}  // namespace ridge::bench::fusion
