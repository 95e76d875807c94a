// Links lines on a GPU, follows them there, and checks both.
#include "bench/hierarchy/cuda_chase.hpp"

#include <algorithm>

#include "kernels/chase/chase.hpp"
#include "kernels/chase/chase_image.hpp"
#include "kernels/random/order.hpp"

namespace ridge::bench::hierarchy {
namespace {

static_assert(cuda_line_bytes == chase::cuda_line_bytes, "the kernel's lines are those that are counted");
constexpr std::int64_t words_per_line = cuda_line_bytes / 8;
constexpr std::int64_t chunk = std::int64_t{1} << 15;  // lines that are copied at once: 4 MiB
// No GPU's first level holds more. A launch begins with that level empty.
constexpr std::int64_t most_warmed_bytes = std::int64_t{512} << 10;

}  // namespace

CudaChaseCase::CudaChaseCase(CudaContext& context, std::int64_t lines, std::int64_t hops,
                             const device::cuda::Image& image)
    : stream_(context.device.stream()),
      kernel_(context.device.function(image, chase::chase_device)),
      count_(lines),
      hops_(hops),
      warmed_(lines * cuda_line_bytes <= most_warmed_bytes ? lines : 0),
      seed_(context.seed),
      lines_(context.arena.borrow(lines * cuda_line_bytes).as<std::uint64_t>()),
      at_(context.device.context(), 8) {
  upload();
}

std::uint64_t CudaChaseCase::address(std::int64_t line) const {
  return reinterpret_cast<std::uint64_t>(lines_) + static_cast<std::uint64_t>(line * cuda_line_bytes);
}

void CudaChaseCase::upload() {
  const random::Order order(seed_, count_);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(std::min(chunk, count_) * words_per_line));
  for (std::int64_t begin = 0; begin < count_; begin += chunk) {
    const std::int64_t end = std::min(count_, begin + chunk);
    for (std::int64_t line = begin; line < end; ++line)
      words[static_cast<std::size_t>((line - begin) * words_per_line)] = address(order.next(line));
    stream_.copy_to_device(lines_ + begin * words_per_line, words.data(), (end - begin) * cuda_line_bytes);
    stream_.synchronize();
  }
  const std::uint64_t first = address(0);
  stream_.copy_to_device(at_.as(), &first, 8);
  stream_.synchronize();
}

void CudaChaseCase::run(std::int64_t repetitions) {
  for (std::int64_t i = 0; i < repetitions; ++i)
    kernel_(stream_, {1, 32, 0}, lines_, warmed_, hops_, at_.as<std::uint64_t>());
}

// What is on the device now is walked on the host; empty when it is one cycle.
std::string CudaChaseCase::broken_cycle() {
  std::vector<chase::Line> links(static_cast<std::size_t>(count_));
  std::vector<std::uint64_t> words(static_cast<std::size_t>(std::min(chunk, count_) * words_per_line));
  for (std::int64_t begin = 0; begin < count_; begin += chunk) {
    const std::int64_t end = std::min(count_, begin + chunk);
    stream_.copy_to_host(words.data(), lines_ + begin * words_per_line, (end - begin) * cuda_line_bytes);
    stream_.synchronize();
    for (std::int64_t line = begin; line < end; ++line) {
      const std::uint64_t offset = words[static_cast<std::size_t>((line - begin) * words_per_line)] - address(0);
      const std::uint64_t next = offset / cuda_line_bytes;
      if (offset % cuda_line_bytes != 0 || next >= links.size()) return "a link leads out of the lines";
      links[static_cast<std::size_t>(line)].next = &links[static_cast<std::size_t>(next)];
    }
  }
  return chase::walk(links, seed_).reason;
}

record::Verification CudaChaseCase::verify() {
  record::Verification result;
  result.checked = count_;
  result.status = record::Check::failed;
  result.reason = broken_cycle();
  if (!result.reason.empty()) return result;
  const random::Order order(seed_, count_);
  const std::uint64_t first = address(0);
  stream_.copy_to_device(at_.as(), &first, 8);
  stream_.synchronize();
  run(1);
  std::uint64_t found = 0;
  stream_.copy_to_host(&found, at_.as(), 8);
  stream_.synchronize();
  if (found == address(order.line((order.position(0) + hops_) % count_)))
    result.status = record::Check::passed;
  else
    result.reason = "the chain did not end where following its links leads";
  return result;
}

std::vector<Besides> CudaChaseCase::besides_work() const {
  return {{"filling the first level", warmed_ * 8, 0, 0}, {"where the chain is", 8, 8, 0}};
}

std::unique_ptr<Case> prepare_chase_cuda(CudaContext& context, const record::Point& point) {
  return std::make_unique<CudaChaseCase>(context, lines_of(point), cuda_loads, chase::chase_image);
}

}  // namespace ridge::bench::hierarchy
