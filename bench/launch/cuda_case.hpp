// Launches of a kernel that does nothing, as a case.
#pragma once

#include <vector>

#include "bench/launch/points.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/device/cuda/graph.hpp"

namespace ridge::bench::launch {

// A stream that is timed as the way asks: by events around everything as usual, by the host's clock, or by the sum of
// what the case measured itself.
class Clock final : public device::Stream {
 public:
  Clock(device::cuda::Stream& stream, Way way) : stream_(stream), way_(way) {}
  device::Interval time(const std::function<void()>& work) override;
  void flush_caches() override { stream_.flush_caches(); }
  [[nodiscard]] bool has_clock() const override { return stream_.has_clock(); }
  void add(double seconds) { sum_ += seconds; }

 private:
  device::cuda::Stream& stream_;
  Way way_;
  double sum_ = 0;
};

class EmptyCase final : public Case {
 public:
  // `image` holds the kernels, so that tests can hand in wrong ones.
  EmptyCase(CudaContext& context, Way way, std::int64_t arguments, const device::cuda::Image& image);

  void run(std::int64_t repetitions) override { run(repetitions, nullptr, graph_.get()); }
  record::Verification verify() override;
  device::Stream& stream() override { return clock_; }

 private:
  void run(std::int64_t repetitions, std::uint64_t* word, const device::cuda::Graph* graph);
  void launch(std::uint64_t* word);
  void launch_between_events(std::uint64_t* word);
  std::unique_ptr<device::cuda::Graph> record_graph(std::uint64_t* word);

  Way way_;
  std::shared_ptr<const device::cuda::Context> context_;
  std::unique_ptr<device::cuda::Stream> stream_;  // of its own, without a gate: what the host does belongs to it
  Clock clock_;
  std::shared_ptr<const device::cuda::Module> module_;
  CUfunction function_;
  std::uint64_t* first_ = nullptr;     // the address that the next launch takes
  std::vector<std::uint64_t> others_;  // all arguments but that
  std::vector<void*> pointers_;        // to all of them, as the driver wants them
  device::cuda::DeviceBuffer word_;    // one of u64, then guard_bytes
  device::cuda::Event before_;
  device::cuda::Event after_;
  std::unique_ptr<device::cuda::Graph> graph_;  // null: it is not the way
};

}  // namespace ridge::bench::launch
