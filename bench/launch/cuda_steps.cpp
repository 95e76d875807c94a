// Launches the steps one by one, at once, or as one kernel, and checks them bit by bit.
#include "bench/launch/cuda_steps.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <vector>

#include "kernels/launch/launch_image.hpp"
#include "kernels/launch/launch_kernels.hpp"
#include "kernels/random/counter.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::launch {
namespace {

namespace rl = ridge::launch;

constexpr std::int64_t guard_bytes = 64;
constexpr std::int64_t array_bytes = 4 * rl::step_elements;

std::vector<float> numbers(std::uint64_t seed) {
  std::vector<float> all;
  for (std::uint64_t i = 0; i < rl::step_elements; ++i)
    all.push_back(std::fabs(random::full_mantissa<float>(random::bits(seed, i))));
  return all;
}

std::vector<float> expected(std::vector<float> from, int steps) {
  for (int step = 0; step < steps; ++step) {
    const std::vector<float> before = from;
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = rl::stepped(before[i], before[(i + 1) % before.size()]);
  }
  return from;
}

}  // namespace

StepsCase::StepsCase(CudaContext& context, StepWay way, int steps, const device::cuda::Image& image)
    : way_(way),
      steps_(steps),
      seed_(context.seed),
      stream_(context.device.make_stream()),
      function_(context.device.function(image, rl::steps)),
      even_(context.arena.borrow(array_bytes + guard_bytes).as<float>()),
      odd_(context.arena.borrow(array_bytes + guard_bytes).as<float>()) {
  const std::vector<float> first = numbers(seed_);
  stream_->copy_to_device(even_, first.data(), array_bytes);
  stream_->synchronize();
  if (way == StepWay::graph)
    graph_ = std::make_unique<device::cuda::Graph>(context.device.context(), *stream_, [&] {
      for (int step = 0; step < steps_; ++step) launch(step, 1);
    });
}

void StepsCase::launch(int first, int count) {
  function_(*stream_, {1, rl::step_threads, 0}, even_, odd_, first, count);
}

void StepsCase::run(std::int64_t repetitions) {
  for (std::int64_t i = 0; i < repetitions; ++i) switch (way_) {
      case StepWay::stream:
        for (int step = 0; step < steps_; ++step) launch(step, 1);
        break;
      case StepWay::graph:
        graph_->launch(*stream_);
        break;
      case StepWay::persistent:
        launch(0, steps_);
        break;
    }
}

record::Verification StepsCase::verify() {
  const std::vector<float> first = numbers(seed_), want = expected(first, steps_);
  for (float* const array : {even_, odd_}) stream_->fill(array, stream::poison_byte, array_bytes + guard_bytes);
  stream_->copy_to_device(even_, first.data(), array_bytes);
  run(1);
  std::vector<float> have(want.size());
  stream_->copy_to_host(have.data(), steps_ % 2 == 0 ? even_ : odd_, array_bytes);
  unsigned char guards[2][guard_bytes];
  stream_->copy_to_host(guards[0], even_ + rl::step_elements, guard_bytes);
  stream_->copy_to_host(guards[1], odd_ + rl::step_elements, guard_bytes);
  stream_->synchronize();
  record::Verification result;
  result.checked = rl::step_elements;
  result.max_error = 0;
  result.bound = 0;
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < want.size(); ++i)
    wrong += std::bit_cast<std::uint32_t>(have[i]) != std::bit_cast<std::uint32_t>(want[i]) ? 1 : 0;
  if (wrong > 0) result.reason = fmt::format("{} of {} elements wrong after {} steps", wrong, want.size(), steps_);
  if (wrong == 0 && !stream::untouched(guards, sizeof guards)) result.reason = "wrote behind the last element";
  result.status = result.reason.empty() ? record::Check::passed : record::Check::failed;
  return result;
}

std::unique_ptr<Case> prepare_steps(CudaContext& context, const record::Point& point) {
  return std::make_unique<StepsCase>(context, step_way_of(point), static_cast<int>(point.integer("steps")),
                                     rl::launch_image);
}

}  // namespace ridge::bench::launch
