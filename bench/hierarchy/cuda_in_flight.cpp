// Fills, runs and checks the reads with a stated number of bytes in flight.
#include "bench/hierarchy/cuda_in_flight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "kernels/chase/chase_image.hpp"
#include "kernels/random/counter.hpp"

namespace ridge::bench::hierarchy {
namespace {

constexpr std::int64_t chunk = std::int64_t{1} << 19;  // elements of 8 bytes that are copied at once: 4 MiB

const chase::InFlight& kernel_for(std::int64_t loads) {
  return loads == 1 ? chase::read_in_flight_1 : loads == 2 ? chase::read_in_flight_2 : chase::read_in_flight_4;
}

// Blocks of at most 32 warps, as few of them on each multiprocessor as that takes: a block for each, which the GPU
// spreads evenly while every multiprocessor has room.
device::cuda::Shape shape_for(std::int64_t warps, int multiprocessors) {
  const std::int64_t blocks = (warps + 31) / 32;
  return {static_cast<unsigned>(blocks * multiprocessors), static_cast<unsigned>(warps / blocks * 32), 0};
}

}  // namespace

InFlightCase::InFlightCase(CudaContext& context, std::int64_t bytes, std::int64_t warps, std::int64_t loads,
                           std::int64_t rounds, const device::cuda::Image& image)
    : stream_(context.device.stream()),
      kernel_(context.device.function(image, kernel_for(loads))),
      loads_(loads),
      rounds_(rounds),
      seed_(context.seed),
      shape_(shape_for(warps, context.device.properties().multiprocessors)),
      windows_(bytes / window()) {
  const std::int64_t room = context.device.grid(kernel_, shape_.threads, std::int64_t{1} << 30);
  if (shape_.blocks > room)
    throw device::Absent(
        fmt::format("{} warps on each multiprocessor: this GPU holds {} of its blocks at once, {} are needed", warps,
                    room, shape_.blocks));
  if (windows_ < 1)
    throw device::Absent(fmt::format("{} bytes in flight are more than the {} bytes to read", window(), bytes));
  const std::int64_t count = windows_ * window() / 8;
  data_ = context.arena.borrow(count * 8).as<std::uint64_t>();
  partial_ = std::make_unique<device::cuda::DeviceBuffer>(context.device.context(), std::int64_t{shape_.blocks} * 8);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(std::min(chunk, count)));
  for (std::int64_t begin = 0; begin < count; begin += chunk) {
    const std::int64_t end = std::min(count, begin + chunk);
    for (std::int64_t i = begin; i < end; ++i)
      words[static_cast<std::size_t>(i - begin)] = random::bits(seed_, static_cast<std::uint64_t>(i));
    stream_.copy_to_device(data_ + begin, words.data(), (end - begin) * 8);
    stream_.synchronize();
  }
}

void InFlightCase::run(std::int64_t repetitions) {
  for (std::int64_t i = 0; i < repetitions; ++i)
    kernel_(stream_, shape_, data_, windows_, rounds_, partial_->as<std::uint64_t>());
}

// Windows are read in turn, so that the first ones may be read once more than the others.
std::uint64_t InFlightCase::expected() const {
  std::uint64_t sum = 0;
  for (std::int64_t w = 0; w < windows_; ++w) {
    const auto times = static_cast<std::uint64_t>(rounds_ / windows_ + (w < rounds_ % windows_ ? 1 : 0));
    for (std::int64_t i = w * window() / 8; times > 0 && i < (w + 1) * window() / 8; ++i)
      sum += times * random::bits(seed_, static_cast<std::uint64_t>(i));
  }
  return sum;
}

record::Verification InFlightCase::verify() {
  record::Verification result;
  result.checked = std::min(windows_, rounds_) * window() / 16;
  stream_.fill(partial_->as(), 0xA5, partial_->bytes());
  run(1);
  std::vector<std::uint64_t> found(shape_.blocks);
  stream_.copy_to_host(found.data(), partial_->as(), partial_->bytes());
  stream_.synchronize();
  const bool right = std::accumulate(found.begin(), found.end(), std::uint64_t{0}) == expected();
  result.status = right ? record::Check::passed : record::Check::failed;
  if (!right) result.reason = "the sum of all pieces is wrong";
  return result;
}

std::optional<record::Work> InFlightCase::work() const {
  record::Work work;
  work.bytes_read = rounds_ * window();
  work.bytes_written = 0;
  work.items = rounds_;
  work.counting = fmt::format("{} rounds of {} bytes in flight: {} blocks of {} threads, {} loads of 16 bytes each",
                              rounds_, window(), shape_.blocks, shape_.threads, loads_);
  return work;
}

std::vector<Besides> InFlightCase::besides_work() const {
  return {{"one partial result for each block", 0, std::int64_t{shape_.blocks} * 8, 0}};
}

std::unique_ptr<Case> prepare_in_flight(CudaContext& context, const record::Point& point) {
  return std::make_unique<InFlightCase>(context, point.integer("size"), point.integer("warps"),
                                        std::stoll(point.text("loads")), in_flight_rounds, chase::chase_image);
}

}  // namespace ridge::bench::hierarchy
