// Several GPUs in one interval.
#include "bench/bandwidth/cuda_together.hpp"

#include <fmt/format.h>

namespace ridge::bench::bandwidth {

namespace cuda = device::cuda;

TogetherCase::TogetherCase(CudaContext& context, std::int64_t gpus, std::int64_t bytes_needed, std::int64_t bytes_moved,
                           const Make& make)
    : measured_(context.device.stream()), bytes_moved_(bytes_moved) {
  cuda::Devices& devices = context.device.all();
  if (gpus > devices.count())
    throw device::Absent(fmt::format("needs {} GPUs; the machine has {}", gpus, devices.count()));
  begun_ = std::make_unique<cuda::Event>(context.device.context(), false);
  std::vector<cuda::Stream*> others;
  for (int i = 0; i < static_cast<int>(gpus); ++i) {
    cuda::Device& device = devices.open((context.device.name().index + i) % devices.count());
    try {
      add(context, device, bytes_needed, make);
    } catch (const device::OutOfMemory& error) {
      throw device::Error(fmt::format("{} on {}", error.what(), device.name().text()));
    }
    if (i > 0) others.push_back(ways_.back().stream);
  }
  stream_ = std::make_unique<cuda::TogetherStream>(measured_, std::move(others));
}

void TogetherCase::add(CudaContext& context, cuda::Device& device, std::int64_t bytes_needed, const Make& make) {
  Way way;
  way.device = &device;
  way.own = &device != &context.device;
  way.stream = &device.stream();
  way.begun = std::make_unique<cuda::Event>(device.context());
  way.done = std::make_unique<cuda::Event>(device.context());
  if (way.own) way.arena = device.make_arena(bytes_needed);
  CudaContext own{device, way.own ? *way.arena : context.arena, context.seed, context.fill};
  way.work = make(own);
  ways_.push_back(std::move(way));
}

void TogetherCase::run(std::int64_t repetitions) {
  cuda::run_together(measured_, *begun_, ways_, repetitions, [](Way& way) { way.work->run(1); });
  last_repetitions_ = repetitions;
}

record::Verification TogetherCase::verify() {
  record::Verification all;
  for (Way& way : ways_) {
    const auto one = way.work->verify_by([this] {
      run(1);
      measured_.synchronize();  // all of it, so that nothing is left queued
    });
    const std::int64_t checked = all.checked + one.checked;
    if (&way == &ways_.front() || one.max_error > all.max_error) all = one;
    all.checked = checked;
    if (one.status == record::Check::passed) continue;
    all.status = one.status;
    all.reason = fmt::format("{} on {}", one.reason, way.device->name().text());
    break;
  }
  return all;
}

std::vector<Besides> TogetherCase::besides_work() const {
  std::vector<Besides> all;
  for (const Way& way : ways_)
    for (Besides& each : way.work->besides_work()) all.push_back(std::move(each));
  return all;
}

std::vector<Part> TogetherCase::parts() {
  std::vector<Part> all;
  for (const Way& way : ways_)
    all.push_back({way.device->name().text(), bytes_moved_,
                   way.done->seconds_since(*way.begun) / static_cast<double>(last_repetitions_)});
  return all;
}

}  // namespace ridge::bench::bandwidth
