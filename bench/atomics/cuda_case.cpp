// Runs and checks the atomic kernels.
#include "bench/atomics/cuda_case.hpp"

#include <fmt/format.h>

#include "kernels/atomics/atomics_image.hpp"
#include "kernels/atomics/atomics_kernels.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::atomics {
namespace {

namespace ra = ridge::atomics;
using ra::Counters;

constexpr std::int64_t most_blocks = 1 << 20;
constexpr std::int64_t block_threads = ra::threads;

std::int64_t words_of(const ra::Layout& layout, std::int64_t threads) {
  return (threads - 1) / layout.sharing * layout.apart + 1;
}

// Side by side whatever the counters: a line apart would put all of a block's into one bank.
ra::Layout shared_layout(Counters counters) {
  return {ra::gpu_layout(counters, block_threads).sharing, 1};
}

}  // namespace

CudaCase::CudaCase(CudaContext& context, unsigned blocks, ra::Layout layout, int times, std::int64_t words)
    : stream_(context.device.stream()),
      shape_{blocks, ra::threads, 0},
      threads_(blocks * block_threads),
      layout_(layout),
      times_(times),
      words_(words),
      counters_(context.device.context(), words * 4 + guard_bytes),
      found_(context.device.context(), threads_ * 8 + guard_bytes) {
  stream_.fill(counters_.as(), 0, counters_.bytes());
  stream_.synchronize();
}

// Counters must end at the additions made on them, other words be untouched, and what was found on each counter must be
// each number below its end once.
record::Verification CudaCase::verify() {
  stream_.fill(counters_.as(), 0, words_ * 4);
  stream_.fill(counters_.as<std::uint32_t>() + words_, stream::poison_byte, guard_bytes);
  stream_.fill(found_.as(), stream::poison_byte, found_.bytes());
  run(1);
  std::vector<std::uint32_t> counters(static_cast<std::size_t>(words_ + guard_bytes / 4));
  std::vector<std::uint64_t> found(static_cast<std::size_t>(threads_ + guard_bytes / 8));
  stream_.copy_to_host(counters.data(), counters_.as(), counters_.bytes());
  stream_.copy_to_host(found.data(), found_.as(), found_.bytes());
  stream_.synchronize();
  record::Verification result;
  result.status = record::Check::failed;
  result.max_error = 0;
  result.bound = 0;
  result.checked = words_ + threads_;
  for (std::int64_t word = 0; word < words_; ++word)
    if (counters[static_cast<std::size_t>(word)] != expected(word)) {
      result.reason =
          fmt::format("word {} is {}, not {}", word, counters[static_cast<std::size_t>(word)], expected(word));
      return result;
    }
  const std::uint64_t want = ra::found_by(static_cast<std::uint64_t>(layout_.sharing * times_));
  for (std::int64_t first = 0; first < threads_; first += layout_.sharing) {
    std::uint64_t sum = 0;
    for (std::int64_t thread = first; thread < first + layout_.sharing; ++thread)
      sum += found[static_cast<std::size_t>(thread)];
    if (sum == want) continue;
    result.reason =
        fmt::format("additions by threads {} to {} did not find each number once", first, first + layout_.sharing - 1);
    return result;
  }
  if (stream::untouched(counters.data() + words_, guard_bytes) &&
      stream::untouched(found.data() + threads_, guard_bytes))
    result.status = record::Check::passed;
  else
    result.reason = "wrote behind the last counter or thread";
  return result;
}

std::optional<record::Work> CudaCase::work() const {
  return work_of(threads_, times_, 4);
}

AddCase::AddCase(CudaContext& context, Counters counters, int times, const device::cuda::Image& image)
    : AddCase(context, counters, times, context.device.function(image, ra::cuda_add),
              context.device.grid(context.device.function(image, ra::cuda_add), ra::threads, most_blocks)) {}

AddCase::AddCase(CudaContext& context, Counters counters, int times, const Function& kernel, unsigned blocks)
    : CudaCase(context, blocks, ra::gpu_layout(counters, blocks * block_threads), times,
               words_of(ra::gpu_layout(counters, blocks * block_threads), blocks * block_threads)),
      kernel_(kernel) {}

void AddCase::run(std::int64_t repetitions) {
  for (std::int64_t i = 0; i < repetitions; ++i)
    kernel_(stream_, shape_, counters_.as<std::uint32_t>(), static_cast<unsigned>(layout_.sharing),
            static_cast<unsigned>(layout_.apart), times_, found_.as<std::uint64_t>());
}

std::vector<Besides> AddCase::besides_work() const {
  return {{"what each thread found", 0, threads_ * 8, 0}};
}

std::uint32_t AddCase::expected(std::int64_t word) const {
  return word % layout_.apart == 0 ? static_cast<std::uint32_t>(layout_.sharing * times_) : 0;
}

SharedCase::SharedCase(CudaContext& context, Counters counters, int times, const device::cuda::Image& image)
    : SharedCase(context, counters, times, context.device.function(image, ra::cuda_shared),
                 context.device.grid(context.device.function(image, ra::cuda_shared), ra::threads, most_blocks)) {}

SharedCase::SharedCase(CudaContext& context, Counters counters, int times, const Function& kernel, unsigned blocks)
    : CudaCase(context, blocks, shared_layout(counters), times, blocks * block_threads), kernel_(kernel) {}

void SharedCase::run(std::int64_t repetitions) {
  for (std::int64_t i = 0; i < repetitions; ++i)
    kernel_(stream_, shape_, static_cast<unsigned>(layout_.sharing), times_, found_.as<std::uint64_t>(),
            counters_.as<std::uint32_t>());
}

std::vector<Besides> SharedCase::besides_work() const {
  return {{"clearing the counters", 0, threads_ * 4, 0}, {"reading them back", threads_ * 4, 0, 0}};
}

// Each block leaves as many words as it has threads, of which the first are counters.
std::uint32_t SharedCase::expected(std::int64_t word) const {
  const bool counter = word % block_threads < block_threads / layout_.sharing;
  return counter ? static_cast<std::uint32_t>(layout_.sharing * times_) : 0;
}

std::unique_ptr<Case> prepare_add_cuda(CudaContext& context, const record::Point& point) {
  return std::make_unique<AddCase>(context, counters_of(point), cuda_times, ra::atomics_image);
}

std::unique_ptr<Case> prepare_shared_cuda(CudaContext& context, const record::Point& point) {
  return std::make_unique<SharedCase>(context, counters_of(point), cuda_times, ra::atomics_image);
}

}  // namespace ridge::bench::atomics
