// Copies from one GPU to another, by copy engine or by a kernel that writes into the other's memory.
#include <fmt/format.h>

#include <vector>

#include "bench/transfer/pattern.hpp"
#include "bench/transfer/prepare.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/device/cuda/together.hpp"
#include "kernels/stream/cuda_tuning.hpp"
#include "kernels/stream/stream_image.hpp"
#include "kernels/stream/stream_kernels.hpp"

namespace ridge::bench::transfer {
namespace {

namespace cuda = device::cuda;
using CopyFunction = cuda::Function<const double*, double*, std::int64_t>;

// One way between two GPUs.
struct Way {
  cuda::Device* from = nullptr;
  cuda::Device* to = nullptr;
  cuda::Stream* stream = nullptr;  // of `from`
  std::unique_ptr<cuda::Stream> own;
  std::unique_ptr<cuda::Event> begun, done;  // of its part of an interval
  void* src = nullptr;                       // (bytes) on `from`
  void* dst = nullptr;                       // (bytes) on `to`
  Pattern pattern{0, 0};
  std::unique_ptr<CopyFunction> kernel;  // null: by copy engine
  cuda::Shape shape;

  void copy(std::int64_t bytes) const {
    if (kernel)
      (*kernel)(*stream, shape, static_cast<const double*>(src), static_cast<double*>(dst), bytes / 8);
    else
      stream->copy_to_peer(dst, *to->context(), src, bytes);
  }
};

class PeerCase : public Case {
 public:
  PeerCase(CudaContext& context, cuda::Device& other, const record::Point& point)
      : stream_(context.device.stream()),
        bytes_(point.integer("size")),
        begun_(std::make_unique<cuda::Event>(context.device.context(), false)) {
    const bool by_kernel = point.text("by") == "kernel";
    add(context, context.device, other, by_kernel);
    if (point.text("direction") == "both") add(context, other, context.device, by_kernel);
    for (Way& way : ways_) prepare(way);
  }

  void run(std::int64_t repetitions) override {
    cuda::run_together(stream_, *begun_, ways_, repetitions, [this](const Way& way) { way.copy(bytes_); });
    last_repetitions_ = repetitions;
  }

  std::vector<Part> parts() override {
    if (ways_.size() < 2) return {};
    std::vector<Part> all;
    for (const Way& way : ways_)
      all.push_back({&way == &ways_.front() ? "out" : "back", bytes_,
                     way.done->seconds_since(*way.begun) / static_cast<double>(last_repetitions_)});
    return all;
  }

  // At the destination, through a stream of the destination's own.
  record::Verification verify() override {
    for (Way& way : ways_) prepare(way);
    run(1);
    stream_.synchronize();
    record::Verification result;
    result.status = record::Check::passed;
    result.bound = 0;
    result.max_error = 0;
    for (const Way& way : ways_) {
      std::vector<unsigned char> arrived(static_cast<std::size_t>(bytes_));
      auto& there = way.to->stream();
      there.copy_to_host(arrived.data(), way.dst, bytes_);
      there.synchronize();
      result.checked += bytes_;
      const auto wrong = way.pattern.first_wrong(arrived.data(), bytes_);
      if (!wrong) continue;
      result.status = record::Check::failed;
      result.reason = fmt::format("byte {} of {} is wrong on {}, copied from {}", *wrong, bytes_, way.to->name().text(),
                                  way.from->name().text());
      break;
    }
    return result;
  }

  device::Stream& stream() override { return stream_; }

 private:
  // The measured GPU's memory is the arena's, the other's is this case's own.
  void* memory_on(CudaContext& context, cuda::Device& device) {
    if (&device == &context.device) return context.arena.borrow(bytes_).data;
    return buffers_.emplace_back(device.context(), bytes_).as();
  }

  void add(CudaContext& context, cuda::Device& from, cuda::Device& to, bool by_kernel) {
    const auto number =
        static_cast<std::uint64_t>(from.name().index) << 20 | static_cast<std::uint64_t>(to.name().index);
    Way way;
    way.from = &from;
    way.to = &to;
    way.stream = &stream_;
    way.src = memory_on(context, from);
    way.dst = memory_on(context, to);
    way.pattern = Pattern(context.seed, number);
    way.begun = std::make_unique<cuda::Event>(from.context());
    way.done = std::make_unique<cuda::Event>(from.context());
    if (!ways_.empty()) {
      way.own = from.make_stream();
      way.stream = way.own.get();
    }
    const bool direct = from.enable_peer(to);
    if (by_kernel) {
      if (!direct)
        throw device::Absent(
            fmt::format("{} cannot write into the memory of {}", from.name().text(), to.name().text()));
      way.kernel = std::make_unique<CopyFunction>(from.function(stream::stream_image, stream::cuda_f64.copy));
      const std::int64_t pieces = bytes_ / 16 + 1;
      way.shape = {
          from.grid(*way.kernel, stream::cuda_threads, (pieces + stream::cuda_threads - 1) / stream::cuda_threads),
          stream::cuda_threads, 0};
    }
    ways_.push_back(std::move(way));
  }

  void prepare(Way& way) const {
    std::vector<unsigned char> source(static_cast<std::size_t>(bytes_));
    way.pattern.write(source.data(), bytes_);
    way.stream->copy_to_device(way.src, source.data(), bytes_);
    way.stream->synchronize();
    auto& there = way.to->stream();
    there.fill(way.dst, poison, bytes_);
    there.synchronize();
  }

  cuda::Stream& stream_;
  std::int64_t bytes_;
  std::int64_t last_repetitions_ = 1;
  std::unique_ptr<cuda::Event> begun_;
  std::vector<cuda::DeviceBuffer> buffers_;
  std::vector<Way> ways_;
};

}  // namespace

std::unique_ptr<Case> prepare_peer(CudaContext& context, const record::Point& point) {
  cuda::Devices& devices = context.device.all();
  const std::string& peer = point.text("peer");
  const auto name = device::parse_name(peer);
  if (!name || name->kind != context.device.name().kind || name->index >= devices.count())
    throw device::Absent(fmt::format("there is no {} beside {}: the machine has {} GPU{}", peer,
                                     context.device.name().text(), devices.count(), devices.count() == 1 ? "" : "s"));
  return std::make_unique<PeerCase>(context, devices.open(name->index), point);
}

}  // namespace ridge::bench::transfer
