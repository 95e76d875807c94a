// Copies between the host and one GPU, or all of them at once: one direction or both, pinned or pageable.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "bench/transfer/pattern.hpp"
#include "bench/transfer/prepare.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/device/cuda/together.hpp"
#include "kernels/device/numa.hpp"

namespace ridge::bench::transfer {
namespace {

namespace cuda = device::cuda;

// Host memory of either kind.
class HostBuffer {
 public:
  HostBuffer(const std::shared_ptr<const cuda::Context>& context, std::int64_t bytes, bool pinned) {
    if (pinned)
      pinned_ = std::make_unique<cuda::PinnedBuffer>(context, bytes);
    else
      pageable_.resize(static_cast<std::size_t>(bytes));
  }
  [[nodiscard]] unsigned char* data() { return pinned_ ? pinned_->as<unsigned char>() : pageable_.data(); }

 private:
  std::unique_ptr<cuda::PinnedBuffer> pinned_;
  std::vector<unsigned char> pageable_;
};

// One direction of one GPU: buffers on both sides and the stream that copies.
struct Lane {
  cuda::Device* device = nullptr;
  cuda::Stream* stream = nullptr;  // the measured one, or `own`
  bool to_device = true;
  std::unique_ptr<cuda::Stream> own;
  std::unique_ptr<cuda::DeviceBuffer> memory;  // null: borrowed
  void* on_device = nullptr;
  std::unique_ptr<HostBuffer> host;
  std::unique_ptr<cuda::Event> begun, done;  // of its part of an interval
  Pattern pattern{0, 0};

  void copy(std::int64_t bytes) const {
    if (to_device)
      stream->copy_to_device(on_device, host->data(), bytes);
    else
      stream->copy_to_host(host->data(), on_device, bytes);
  }
};

class HostCase : public Case {
 public:
  HostCase(CudaContext& context, const record::Point& point, const device::NodeSystem& nodes)
      : nodes_(nodes),
        stream_(context.device.stream()),
        bytes_(point.integer("size")),
        pageable_(point.text("memory") != "pinned") {
    const std::string& direction = point.text("direction");
    place_ = placed(context.device, point.text("place") == "far");
    const device::OnNode near_memory(place_, nodes_);
    cuda::Devices& devices = context.device.all();
    for (int i = 0; i < point.integer("gpus"); ++i) {
      cuda::Device& device = devices.open((context.device.name().index + i) % devices.count());
      if (direction != "to_host") add(context, device, true, !pageable_);
      if (direction != "to_device") add(context, device, false, !pageable_);
    }
    begun_ = std::make_unique<cuda::Event>(context.device.context(), false);
    for (Lane& lane : lanes_) prepare(lane);
    for (Lane& lane : lanes_) require_placed(lane);
  }

  void run(std::int64_t repetitions) override {
    const device::OnNode near_memory(place_, nodes_);
    if (pageable_) stream_.open_gate();  // such a copy waits until it is done
    cuda::run_together(stream_, *begun_, lanes_, repetitions, [this](const Lane& lane) { lane.copy(bytes_); });
    last_repetitions_ = repetitions;
  }

  // With both directions one part each, the slowest GPU's time for all; with several GPUs one for each of them too.
  std::vector<Part> parts() override {
    if (lanes_.size() < 2) return {};
    std::vector<Part> all;
    for (const bool to_device : {true, false}) {
      Part together{to_device ? "to_device" : "to_host", 0, 0};
      int gpus = 0;
      for (const Lane& lane : lanes_) {
        if (lane.to_device != to_device) continue;
        const double seconds = lane.done->seconds_since(*lane.begun) / static_cast<double>(last_repetitions_);
        all.push_back({together.name + "_" + lane.device->name().text(), bytes_, seconds});
        together.bytes += bytes_;
        together.seconds = std::max(together.seconds, seconds);
        ++gpus;
      }
      if (gpus == 1) all.pop_back();
      if (gpus > 0) all.push_back(together);
    }
    return all;
  }

  record::Verification verify() override;
  device::Stream& stream() override { return stream_; }

 private:
  void add(CudaContext& context, cuda::Device& device, bool to_device, bool pinned) {
    Lane lane;
    lane.device = &device;
    lane.to_device = to_device;
    lane.pattern = Pattern(context.seed, lanes_.size());
    lane.host = std::make_unique<HostBuffer>(device.context(), bytes_, pinned);
    const bool here = &device == &context.device;
    if (here) {
      lane.on_device = context.arena.borrow(bytes_).data;
    } else {
      lane.memory = std::make_unique<cuda::DeviceBuffer>(device.context(), bytes_);
      lane.on_device = lane.memory->as();
    }
    lane.stream = &stream_;
    lane.begun = std::make_unique<cuda::Event>(device.context());
    lane.done = std::make_unique<cuda::Event>(device.context());
    if (!lanes_.empty() || !here) {
      lane.own = device.make_stream();
      lane.stream = lane.own.get();
    }
    lanes_.push_back(std::move(lane));
  }

  // The pattern at the source, poison at the destination.
  void prepare(Lane& lane) const {
    unsigned char* const host = lane.host->data();
    const auto size = static_cast<std::size_t>(bytes_);
    if (lane.to_device) {
      lane.stream->fill(lane.on_device, poison, bytes_);
      lane.stream->synchronize();
      lane.pattern.write(host, bytes_);
      return;
    }
    std::vector<unsigned char> source(size);
    lane.pattern.write(source.data(), bytes_);
    lane.stream->copy_to_device(lane.on_device, source.data(), bytes_);
    lane.stream->synchronize();
    std::fill_n(host, size, poison);
  }

  // The memory node to take, which is that of the first GPU: of several, some may be on another. Nothing where the
  // driver does not tell and none is asked for.
  [[nodiscard]] std::optional<int> placed(const cuda::Device& device, bool far) const {
    const std::optional<int> near = device.properties().numa_node;
    if (!far) return near;
    if (!near) throw device::Absent("the driver does not tell which memory node is nearest to " + device.name().text());
    const auto other = device::farthest_node(*near, nodes_.folder);
    if (!other) throw device::Absent("the machine has one memory node");
    return other;
  }

  void require_placed(Lane& lane) const {
    if (!place_) return;
    for (const std::int64_t at : {std::int64_t{0}, bytes_ / 2, bytes_ - 1})
      if (const auto node = device::node_of(lane.host->data() + at, nodes_); node && node != place_)
        throw device::Absent(fmt::format("host memory was asked for on node {} and given on node {}", *place_, *node));
  }

  const device::NodeSystem& nodes_;
  cuda::Stream& stream_;
  std::int64_t bytes_;
  std::int64_t last_repetitions_ = 1;
  bool pageable_;
  std::optional<int> place_;  // the memory node
  std::vector<Lane> lanes_;
  std::unique_ptr<cuda::Event> begun_;
};

record::Verification HostCase::verify() {
  for (Lane& lane : lanes_) prepare(lane);
  run(1);
  stream_.synchronize();
  record::Verification result;
  result.status = record::Check::passed;
  result.bound = 0;
  result.max_error = 0;
  for (Lane& lane : lanes_) {
    std::vector<unsigned char> back;
    const unsigned char* arrived = lane.host->data();
    if (lane.to_device) {
      back.resize(static_cast<std::size_t>(bytes_));
      lane.stream->copy_to_host(back.data(), lane.on_device, bytes_);
      lane.stream->synchronize();
      arrived = back.data();
    }
    result.checked += bytes_;
    const auto wrong = lane.pattern.first_wrong(arrived, bytes_);
    if (!wrong) continue;
    result.status = record::Check::failed;
    result.reason = fmt::format("byte {} of {} is wrong {} {}", *wrong, bytes_, lane.to_device ? "on" : "from",
                                lane.device->name().text());
    break;
  }
  return result;
}

}  // namespace

std::unique_ptr<Case> prepare_host(CudaContext& context, const record::Point& point) {
  return prepare_host_on(context, point, device::node_system());
}

std::unique_ptr<Case> prepare_host_on(CudaContext& context, const record::Point& point,
                                      const device::NodeSystem& nodes) {
  if (const int count = context.device.all().count(); point.integer("gpus") > count)
    throw device::Absent(fmt::format("needs {} GPUs; the machine has {}", point.integer("gpus"), count));
  return std::make_unique<HostCase>(context, point, nodes);
}

}  // namespace ridge::bench::transfer
