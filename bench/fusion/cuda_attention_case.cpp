// What every way to compute attention on a GPU shares: its arrays filled, and each result against f64.
#include <fmt/format.h>

#include <algorithm>

#include "bench/fusion/cuda_attention.hpp"
#include "bench/fusion/data.hpp"

namespace ridge::bench::fusion {

namespace ra = ridge::attention;
using ra::Inputs;

CudaAttentionCase::CudaAttentionCase(CudaContext& context, const ra::Shape& shape, bool materialised)
    : shape_(shape),
      stream_(context.device.stream()),
      array_(shape.heads * shape.sequence * shape.head),
      seed_(context.seed),
      zero_(context.fill == Fill::zero) {
  if (materialised && shape.sequence > ra::most_softmax)
    throw device::Absent(
        fmt::format("the softmax kernel holds a row of at most {} scores, not {}", ra::most_softmax, shape.sequence));
  out_ = borrow(context, array_ * 4 + guard_bytes);
  q_ = borrow(context, array_ * 4);
  k_ = borrow(context, array_ * 4);
  v_ = borrow(context, array_ * 4);
  if (materialised) scores_at_ = borrow(context, shape.heads * shape.sequence * shape.sequence * 4);
  fill(Inputs::random, zero_);
}

float* CudaAttentionCase::borrow(CudaContext& context, std::int64_t bytes) {
  borrowed_ += bytes;
  return context.arena.borrow(bytes).as<float>();
}

void CudaAttentionCase::fill(Inputs inputs, bool zero) {
  const ra::Numbers numbers{seed_, inputs};
  constexpr std::int64_t piece = std::int64_t{1} << 20;
  std::vector<float> host(static_cast<std::size_t>(std::min(array_, piece)));
  float* const into[] = {q_, k_, v_};
  for (int which = 0; which < 3; ++which)
    for (std::int64_t begin = 0; begin < array_; begin += piece) {
      const std::int64_t end = std::min(array_, begin + piece);
      for (std::int64_t i = begin; i < end; ++i)
        host[static_cast<std::size_t>(i - begin)] = zero ? 0 : numbers.at(which, i);
      stream_.copy_to_device(into[which] + begin, host.data(), (end - begin) * 4);
      stream_.synchronize();
    }
  stream_.fill(out_, stream::poison_byte, array_ * 4 + guard_bytes);
  if (scores_at_ != nullptr)
    stream_.fill(scores_at_, stream::poison_byte, shape_.heads * shape_.sequence * shape_.sequence * 4);
  stream_.synchronize();
}

record::Verification CudaAttentionCase::verify() {
  stream::Check all;
  bool guarded = true;
  for (const Inputs inputs : {Inputs::even, Inputs::random}) {
    fill(inputs, false);
    run(1);
    all.add(check(inputs));
    unsigned char guard[guard_bytes];
    stream_.copy_to_host(guard, out_ + array_, guard_bytes);
    stream_.synchronize();
    guarded = guarded && stream::untouched(guard, guard_bytes);
  }
  fill(Inputs::random, zero_);
  return verdict(all, guarded);
}

stream::Check CudaAttentionCase::check(Inputs inputs) {
  stream::Check found;
  const std::int64_t of_head = shape_.sequence * shape_.head;
  std::vector<float> have(static_cast<std::size_t>(of_head));
  for (std::int64_t head = 0; head < shape_.heads; ++head) {
    stream_.copy_to_host(have.data(), out_ + head * of_head, of_head * 4);
    stream_.synchronize();
    const ra::Oracle oracle(shape_, {seed_, inputs}, head);
    for (std::int64_t i = 0; i < shape_.sequence; ++i)
      check_query(found, oracle, shape_, head, i, have.data() + i * shape_.head);
  }
  return found;
}

}  // namespace ridge::bench::fusion
