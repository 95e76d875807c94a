// Filling by the threads that use it, and each result against f64.
#include "bench/fusion/attention_case.hpp"

#include <cmath>
#include <cstring>
#include <optional>

#include "bench/fusion/data.hpp"

namespace ridge::bench::fusion {

namespace ra = ridge::attention;
using ra::Inputs;

AttentionCase::AttentionCase(CpuContext& context, const record::Point& point)
    : shape_(attention_shape(point)),
      team_(context.device.team(static_cast<int>(point.integer("threads")))),
      seed_(context.seed),
      zero_(context.fill == Fill::zero),
      array_(shape_.heads * shape_.sequence * shape_.head),
      checks_(static_cast<std::size_t>(team_.size())) {
  out_ = borrow(context, array_, guard_bytes);
  q_ = borrow(context, array_);
  k_ = borrow(context, array_);
  v_ = borrow(context, array_);
  fill(Inputs::random, zero_);
}

float* AttentionCase::borrow(CpuContext& context, std::int64_t elements, std::int64_t behind) {
  borrowed_ += elements * 4 + behind;
  return context.arena.borrow(elements * 4 + behind).as<float>();
}

record::Verification AttentionCase::verify() {
  stream::Check all;
  bool guarded = true;
  for (const Inputs inputs : {Inputs::even, Inputs::random}) {
    fill(inputs, false);
    run(1);
    team_.parallel([&](int rank) { checks_[static_cast<std::size_t>(rank)].check = check(inputs, rank); });
    for (const Slot& slot : checks_) all.add(slot.check);
    guarded = guarded && stream::untouched(out_ + array_, guard_bytes);
  }
  fill(Inputs::random, zero_);
  return verdict(all, guarded);
}

void AttentionCase::fill(Inputs inputs, bool zero) {
  const ra::Numbers numbers{seed_, inputs};
  team_.parallel([&](int rank) {
    const auto [begin, end] = device::cpu::share(array_, rank, team_.size(), 16);
    for (std::int64_t i = begin; i < end; ++i) {
      q_[i] = zero ? 0 : numbers.at(0, i);
      k_[i] = zero ? 0 : numbers.at(1, i);
      v_[i] = zero ? 0 : numbers.at(2, i);
      out_[i] = NAN;
    }
  });
  std::memset(out_ + array_, stream::poison_byte, guard_bytes);
}

// Queries of all heads in their order.
stream::Check AttentionCase::check(Inputs inputs, int rank) const {
  stream::Check found;
  std::optional<ra::Oracle> oracle;
  std::int64_t of_head = -1;
  const auto [begin, end] = device::cpu::share(shape_.heads * shape_.sequence, rank, team_.size(), 1);
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t head = row / shape_.sequence;
    if (head != of_head) oracle.emplace(shape_, ra::Numbers{seed_, inputs}, of_head = head);
    check_query(found, *oracle, shape_, head, row % shape_.sequence, out_ + row * shape_.head);
  }
  return found;
}

}  // namespace ridge::bench::fusion
