// One side of attention on the CPU: blocks of queries dealt out to a team, after all of it has packed keys and values.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "bench/fusion/attention.hpp"
#include "bench/fusion/data.hpp"
#include "bench/fusion/points.hpp"
#include "bench/harness/told.hpp"
#include "kernels/device/cpu/device.hpp"

namespace ridge::bench::fusion {
namespace {

namespace ra = ridge::attention;
using ra::Inputs;

class AttentionCase final : public Case, public TellsFigures {
 public:
  AttentionCase(CpuContext& context, const record::Point& point, const ra::Kernels& kernels)
      : shape_(attention_shape(point)),
        kernels_(kernels),
        fused_(is_fused(point)),
        team_(context.device.team(static_cast<int>(point.integer("threads")))),
        seed_(context.seed),
        zero_(context.fill == Fill::zero),
        array_(shape_.heads * shape_.sequence * shape_.head),
        checks_(static_cast<std::size_t>(team_.size())) {
    const auto borrow = [&](std::int64_t elements, std::int64_t behind = 0) {
      borrowed_ += elements * 4 + behind;
      return context.arena.borrow(elements * 4 + behind).as<float>();
    };
    o_.out = borrow(array_, guard_bytes);
    o_.q = q_ = borrow(array_);
    o_.k = k_ = borrow(array_);
    o_.v = v_ = borrow(array_);
    o_.keys = borrow(ra::packed_elements(shape_));
    o_.values = borrow(ra::packed_elements(shape_));
    for (int rank = 0; rank < team_.size(); ++rank) workspaces_.push_back(borrow(ra::workspace_elements(shape_)));
    if (!fused_) o_.scores = borrow(ra::score_elements(shape_));
    // First touched by who uses them.
    team_.parallel([this](int rank) {
      std::fill_n(workspaces_[static_cast<std::size_t>(rank)], ra::workspace_elements(shape_), NAN);
      if (fused_) return;
      const std::int64_t of_block = ra::query_block * ra::score_columns(shape_);
      each_block(rank, [&](std::int64_t head, std::int64_t block) {
        std::fill_n(o_.scores + (head * ra::query_blocks(shape_) + block) * of_block, of_block, NAN);
      });
    });
    fill(Inputs::random, zero_);
  }

  void run(std::int64_t repetitions) override {
    team_.parallel([this, repetitions](int rank) {
      for (std::int64_t i = 0; i < repetitions; ++i) repetition(rank);
    });
  }

  record::Verification verify() override {
    stream::Check all;
    bool guarded = true;
    for (const Inputs inputs : {Inputs::even, Inputs::random}) {
      fill(inputs, false);
      run(1);
      team_.parallel([&](int rank) { checks_[static_cast<std::size_t>(rank)].check = check(inputs, rank); });
      for (const Slot& slot : checks_) all.add(slot.check);
      guarded = guarded && stream::untouched(o_.out + array_, guard_bytes);
    }
    fill(Inputs::random, zero_);
    return verdict(all, guarded);
  }

  device::Stream& stream() override { return team_; }
  std::vector<Figure> figures() override { return {{"memory", static_cast<double>(borrowed_)}}; }

 private:
  struct alignas(64) Slot {
    stream::Check check;
  };

  // Calls body(head, block) for each block of queries of that rank. Long and short ones of a causal form take turns, so
  // that neighbours in the order take as long as each other two by two.
  template <class Body>
  void each_block(int rank, const Body& body) const {
    const std::int64_t blocks = ra::query_blocks(shape_);
    const auto [begin, end] = device::cpu::share(shape_.heads * blocks, rank, team_.size(), 1);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t in_head = i % blocks;
      body(i / blocks, in_head % 2 == 0 ? in_head / 2 : blocks - 1 - in_head / 2);
    }
  }

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

  void fill(Inputs inputs, bool zero) {
    const ra::Numbers numbers{seed_, inputs};
    team_.parallel([&](int rank) {
      const auto [begin, end] = device::cpu::share(array_, rank, team_.size(), 16);
      for (std::int64_t i = begin; i < end; ++i) {
        q_[i] = zero ? 0 : numbers.at(0, i);
        k_[i] = zero ? 0 : numbers.at(1, i);
        v_[i] = zero ? 0 : numbers.at(2, i);
        o_.out[i] = NAN;
      }
    });
    std::memset(o_.out + array_, stream::poison_byte, guard_bytes);
  }

  stream::Check check(Inputs inputs, int rank) const {
    stream::Check found;
    std::optional<ra::Oracle> oracle;
    std::int64_t of_head = -1;
    each_block(rank, [&](std::int64_t head, std::int64_t block) {
      if (head != of_head) oracle.emplace(shape_, ra::Numbers{seed_, inputs}, of_head = head);
      const std::int64_t end = std::min(shape_.sequence, (block + 1) * ra::query_block);
      for (std::int64_t i = block * ra::query_block; i < end; ++i)
        check_query(found, *oracle, shape_, head, i, o_.out + (head * shape_.sequence + i) * shape_.head);
    });
    return found;
  }

  ra::Shape shape_;
  ra::Kernels kernels_;
  bool fused_;
  device::cpu::Team& team_;
  std::uint64_t seed_;
  bool zero_;
  std::int64_t array_;  // elements of q, k, v, out each
  std::int64_t borrowed_ = 0;
  ra::Operands o_;
  float* q_ = nullptr;
  float* k_ = nullptr;
  float* v_ = nullptr;
  std::vector<float*> workspaces_;  // of each rank
  std::vector<Slot> checks_;
};

}  // namespace

std::unique_ptr<Case> make_attention(CpuContext& context, const record::Point& point, const ra::Kernels& kernels) {
  return std::make_unique<AttentionCase>(context, point, kernels);
}

}  // namespace ridge::bench::fusion
