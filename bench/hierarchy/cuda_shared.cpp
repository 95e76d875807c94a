// Runs and checks what measures shared memory.
#include "bench/hierarchy/cuda_shared.hpp"

#include <fmt/format.h>

#include "kernels/chase/chase_image.hpp"
#include "kernels/random/order.hpp"

namespace ridge::bench::hierarchy {

SharedChaseCase::SharedChaseCase(CudaContext& context, std::int64_t words, std::int64_t hops,
                                 const device::cuda::Image& image)
    : stream_(context.device.stream()),
      kernel_(context.device.function(image, chase::chase_shared)),
      words_(words),
      hops_(hops),
      seed_(context.seed),
      next_(context.arena.borrow(words * 4).as<std::uint32_t>()),
      at_(context.device.context(), 4) {
  const random::Order order(seed_, words_);
  std::vector<std::uint32_t> next(static_cast<std::size_t>(words_));
  for (std::int64_t word = 0; word < words_; ++word)
    next[static_cast<std::size_t>(word)] = static_cast<std::uint32_t>(order.next(word) * 4);
  stream_.copy_to_device(next_, next.data(), words_ * 4);
  stream_.fill(at_.as(), 0, 4);
  stream_.synchronize();
}

void SharedChaseCase::run(std::int64_t repetitions) {
  for (std::int64_t i = 0; i < repetitions; ++i)
    kernel_(stream_, {1, 32, 0}, next_, words_, hops_, at_.as<std::uint32_t>());
}

// What is in device memory must be one cycle; then a repetition, which passes all of the copy in shared memory, must
// end where its hops lead.
record::Verification SharedChaseCase::verify() {
  record::Verification result;
  result.checked = words_;
  result.status = record::Check::failed;
  std::vector<std::uint32_t> next(static_cast<std::size_t>(words_));
  stream_.copy_to_host(next.data(), next_, words_ * 4);
  stream_.synchronize();
  std::vector<bool> seen(next.size());
  std::uint32_t at = 0;
  for (std::int64_t step = 0; step < words_; ++step) {
    if (at % 4 != 0 || at / 4 >= next.size() || seen[at / 4]) {
      result.reason = "the links do not make one cycle";
      return result;
    }
    seen[at / 4] = true;
    at = next[at / 4];
  }
  const random::Order order(seed_, words_);
  stream_.fill(at_.as(), 0, 4);
  run(1);
  stream_.copy_to_host(&at, at_.as(), 4);
  stream_.synchronize();
  if (at == static_cast<std::uint32_t>(order.line((order.position(0) + hops_) % words_) * 4))
    result.status = record::Check::passed;
  else
    result.reason = "the chain did not end where following its links leads";
  return result;
}

std::vector<Besides> SharedChaseCase::besides_work() const {
  return {{"the copy into shared memory", 0, words_ * 4, 0}};
}

SharedReadCase::SharedReadCase(CudaContext& context, std::int64_t words, std::int64_t passes,
                               const device::cuda::Image& image)
    : stream_(context.device.stream()),
      kernel_(context.device.function(image, chase::read_shared)),
      words_(words),
      passes_(passes),
      multiprocessors_(context.device.properties().multiprocessors),
      blocks_(context.device.grid(kernel_, chase::shared_threads, std::int64_t{1} << 20)),
      partial_(context.device.context(), std::int64_t{blocks_} * 4) {}

void SharedReadCase::run(std::int64_t repetitions) {
  for (std::int64_t i = 0; i < repetitions; ++i)
    kernel_(stream_, {blocks_, chase::shared_threads, 0}, words_, passes_, partial_.as<std::uint32_t>());
}

record::Verification SharedReadCase::verify() {
  record::Verification result;
  result.checked = words_;
  std::uint32_t once = 0;
  for (std::int64_t word = 0; word < words_; ++word) {
    const std::uint32_t x = static_cast<std::uint32_t>(word + 1) * chase::shared_factor;
    once += x ^ x >> 15;
  }
  const std::uint32_t expected = once * static_cast<std::uint32_t>(passes_);
  stream_.fill(partial_.as(), 0xA5, partial_.bytes());
  run(1);
  std::vector<std::uint32_t> found(blocks_);
  stream_.copy_to_host(found.data(), partial_.as(), partial_.bytes());
  stream_.synchronize();
  result.status = record::Check::passed;
  for (unsigned block = 0; block < blocks_; ++block)
    if (found[block] != expected && result.reason.empty()) {
      result.status = record::Check::failed;
      result.reason = fmt::format("block {} found {}, not {}", block, found[block], expected);
    }
  return result;
}

std::optional<record::Work> SharedReadCase::work() const {
  record::Work work;
  work.bytes_read = std::int64_t{blocks_} * passes_ * words_ * 4;
  work.bytes_written = 0;
  work.items = multiprocessors_;
  work.counting =
      fmt::format("{} blocks, each reading its shared memory {} times; items are multiprocessors", blocks_, passes_);
  return work;
}

// Joining the threads' sums passes through shared memory too: 8 warps write their sum, and as many lanes read it.
std::vector<Besides> SharedReadCase::besides_work() const {
  constexpr std::int64_t warps = chase::shared_threads / 32;
  return {{"filling shared memory", 0, std::int64_t{blocks_} * words_ * 4, 0},
          {"joining the threads' sums", std::int64_t{blocks_} * warps * 4, std::int64_t{blocks_} * warps * 4, 0}};
}

std::unique_ptr<Case> prepare_shared_latency(CudaContext& context, const record::Point& point) {
  return std::make_unique<SharedChaseCase>(context, words_of(point), cuda_loads, chase::chase_image);
}

std::unique_ptr<Case> prepare_shared_bandwidth(CudaContext& context, const record::Point& point) {
  return std::make_unique<SharedReadCase>(context, words_of(point) / 4 * 4, shared_passes, chase::chase_image);
}

}  // namespace ridge::bench::hierarchy
