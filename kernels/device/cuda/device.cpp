// Opening GPUs, and what their kernels run with.
#include "kernels/device/cuda/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "kernels/device/cuda/arena.hpp"
#include "kernels/device/cuda/flush.hpp"
#include "kernels/device/cuda/timing_image.hpp"

namespace ridge::device::cuda {
namespace {

constexpr std::int64_t most_reserve = std::int64_t{512} << 20;
constexpr std::uint64_t spin_nanoseconds = 200'000;

}  // namespace

Device::Device(Devices& all, std::shared_ptr<const Driver> driver, int ordinal, Kind kind,
               const Environment& environment)
    : all_(all),
      context_(std::make_shared<const Context>(driver, ordinal, Name{kind, ordinal})),
      properties_(read_properties(*driver, ordinal)) {
  const auto forbidden = gate_forbidden(environment, kind == Kind::ptx);
  gated_ = !forbidden;
  if (forbidden && kind != Kind::ptx)
    notes_.push_back(fmt::format("{}: launch gaps are inside of the intervals, for {}", name().text(), *forbidden));
}

std::int64_t Device::available_bytes() const {
  const std::int64_t free = memory_state(*context_).free;
  return free - std::min(free / 8, most_reserve);
}

std::unique_ptr<Arena> Device::make_arena(std::int64_t bytes) {
  if (name().kind == Kind::ptx) return std::make_unique<ExactArena>(context_, bytes);
  return std::make_unique<PooledArena>(context_, bytes);
}

Stream& Device::stream() {
  if (stream_) return *stream_;
  auto stream = std::make_unique<Stream>(context_);
  const auto timing = module(timing_image);
  if (properties_.l2_bytes > 0)
    stream->set_flusher(
        std::make_unique<Flusher>(context_, timing, properties_.l2_bytes, properties_.multiprocessors, *stream));
  if (gated_) stream->set_gate(std::make_unique<Gate>(context_, timing));
  stream->synchronize();
  stream_ = std::move(stream);
  return *stream_;
}

std::shared_ptr<const Module> Device::module(const Image& image) {
  auto& module = modules_[&image];
  if (!module) module = std::make_shared<const Module>(context_, image.begin, image.source);
  return module;
}

std::optional<double> Device::effective_clock() {
  if (name().kind == Kind::ptx) return std::nullopt;
  const auto spin = function(timing_image, spin_clock_kernel);
  PinnedBuffer result(context_, 16);
  Stream& on = stream();
  spin(on, {}, spin_nanoseconds, result.on_device<std::uint64_t>());
  on.synchronize();
  const auto* const counted = result.as<const std::uint64_t>();
  if (counted[1] == 0) return std::nullopt;
  return static_cast<double>(counted[0]) / (static_cast<double>(counted[1]) * 1e-9);
}

bool Device::enable_peer(Device& other) {
  if (!all_.can_access(name().index, other.name().index)) return false;
  context_->make_current();
  const CUresult status = driver().cuCtxEnablePeerAccess(other.context_->handle(), 0);
  if (status == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) return true;
  if (status == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED || status == CUDA_ERROR_TOO_MANY_PEERS) return false;
  context_->check(status, "cuCtxEnablePeerAccess");
  return true;
}

unsigned Device::grid_for(int resident, std::int64_t most, int waves) const {
  const std::int64_t full = std::int64_t{std::max(resident, 1)} * properties_.multiprocessors * waves;
  return static_cast<unsigned>(std::clamp<std::int64_t>(most, 1, full));
}

Devices::Devices(std::shared_ptr<const Driver> driver, Kind kind, Environment environment)
    : driver_(std::move(driver)), kind_(kind), environment_(std::move(environment)) {
  const CUresult status = driver_->cuDeviceGetCount(&count_);
  if (status != CUDA_SUCCESS) throw StatusError(describe(*driver_, "cuDeviceGetCount", status), status);
}

Device& Devices::open(int index) {
  const Name name{kind_, index};
  if (index < 0 || index >= count_)
    throw Error(fmt::format("there is no device {}: {} has {} GPU{}", name.text(), driver_->source, count_,
                            count_ == 1 ? "" : "s"));
  auto& device = opened_[index];
  if (!device) device = std::make_unique<Device>(*this, driver_, index, kind_, environment_);
  return *device;
}

const Device* Devices::opened(int index) const {
  const auto found = opened_.find(index);
  return found == opened_.end() ? nullptr : found->second.get();
}

bool Devices::can_access(int from, int to) const {
  CUdevice a = 0;
  CUdevice b = 0;
  int can = 0;
  return from != to && driver_->cuDeviceGet(&a, from) == CUDA_SUCCESS && driver_->cuDeviceGet(&b, to) == CUDA_SUCCESS &&
         driver_->cuDeviceCanAccessPeer(&can, a, b) == CUDA_SUCCESS && can != 0;
}

Environment process_environment() {
  return [](const char* name) -> const char* {
    return std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here writes the environment
  };
}

}  // namespace ridge::device::cuda
