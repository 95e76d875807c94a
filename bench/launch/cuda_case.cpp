// Launching nothing in four ways, and checking that it was launched.
#include "bench/launch/cuda_case.hpp"

#include <fmt/format.h>

#include "kernels/launch/launch_image.hpp"
#include "kernels/launch/launch_kernels.hpp"
#include "kernels/random/counter.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::launch {
namespace {

namespace rl = ridge::launch;

constexpr std::int64_t guard_bytes = 64;

std::vector<std::uint64_t> words(std::uint64_t seed, std::int64_t count) {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = random::bits(seed, i);
  return all;
}

}  // namespace

device::Interval Clock::time(const std::function<void()>& work) {
  sum_ = 0;
  const device::Interval whole = stream_.time(work);
  if (way_ == Way::wall) return {whole.host_seconds, whole.host_seconds};
  if (way_ == Way::event) return {sum_, whole.host_seconds};
  return whole;
}

EmptyCase::EmptyCase(CudaContext& context, Way way, std::int64_t arguments, const device::cuda::Image& image)
    : way_(way),
      context_(context.device.context()),
      stream_(context.device.make_stream()),
      clock_(*stream_, way),
      module_(context.device.module(image)),
      function_(module_->find(rl::kernel_name(arguments))),
      others_(words(context.seed, arguments - 1)),
      word_(context_, 8 + guard_bytes),
      before_(context_),
      after_(context_) {
  pointers_.push_back(static_cast<void*>(&first_));
  for (std::uint64_t& other : others_) pointers_.push_back(&other);
  if (way == Way::graph) graph_ = record_graph(nullptr);
}

void EmptyCase::launch(std::uint64_t* word) {
  first_ = word;
  device::cuda::launch(*stream_, function_, {}, pointers_.data());
}

void EmptyCase::launch_between_events(std::uint64_t* word) {
  stream_->record(before_);
  launch(word);
  stream_->record(after_);
  after_.synchronize();
  if (clock_.has_clock()) clock_.add(after_.seconds_since(before_));
}

std::unique_ptr<device::cuda::Graph> EmptyCase::record_graph(std::uint64_t* word) {
  return std::make_unique<device::cuda::Graph>(context_, *stream_, [&] {
    for (std::int64_t i = 0; i < graph_launches; ++i) launch(word);
  });
}

void EmptyCase::run(std::int64_t repetitions, std::uint64_t* word, const device::cuda::Graph* graph) {
  for (std::int64_t i = 0; i < repetitions; ++i) switch (way_) {
      case Way::event:
        launch_between_events(word);
        break;
      case Way::wall:
        launch(word);
        stream_->synchronize();
        break;
      case Way::queued:
        launch(word);
        break;
      case Way::graph:
        graph->launch(*stream_);
        break;
    }
}

// With the word's address each launch adds a digest of the arguments to it: after three repetitions it must hold as
// many digests as there were launches.
record::Verification EmptyCase::verify() {
  constexpr std::int64_t repetitions = 3;
  auto* const word = word_.as<std::uint64_t>();
  stream_->fill(word, stream::poison_byte, word_.bytes());
  stream_->fill(word, 0, 8);
  {
    const auto checked = way_ == Way::graph ? record_graph(word) : nullptr;
    run(repetitions, word, checked.get());
    stream_->synchronize();  // the graph may not go before it has run
  }
  std::vector<std::uint64_t> found(1 + guard_bytes / 8);
  stream_->copy_to_host(found.data(), word, word_.bytes());
  stream_->synchronize();
  const std::int64_t launches = repetitions * launches_of(way_);
  record::Verification result;
  result.checked = launches;
  result.max_error = 0;
  result.bound = 0;
  const bool right = found.front() == rl::digest(others_) * static_cast<std::uint64_t>(launches);
  const bool inside = stream::untouched(found.data() + 1, guard_bytes);
  result.status = right && inside ? record::Check::passed : record::Check::failed;
  if (!right) result.reason = fmt::format("{} launches did not each leave a digest of their arguments", launches);
  if (right && !inside) result.reason = "wrote behind its word";
  return result;
}

std::unique_ptr<Case> prepare_empty(CudaContext& context, const record::Point& point) {
  return std::make_unique<EmptyCase>(context, way_of(point), arguments_of(point), rl::launch_image);
}

}  // namespace ridge::bench::launch
