// Runs and checks a divergence kernel.
#include "bench/divergence/cuda_case.hpp"

#include <fmt/format.h>

#include <vector>

#include "kernels/divergence/divergence_image.hpp"
#include "kernels/divergence/divergence_kernels.hpp"
#include "kernels/random/counter.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::divergence {
namespace {

namespace rd = ridge::divergence;

constexpr std::int64_t guard_bytes = 64;
constexpr std::int64_t most_blocks = 1 << 20;

// Whole numbers below 2^16: every sum that a chain makes of them is exact.
std::vector<float> values(std::uint64_t seed, std::int64_t count) {
  std::vector<float> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<float>(random::bits(seed, i) >> 48);
  return all;
}

}  // namespace

CudaCase::CudaCase(CudaContext& context, const rd::Task& task, const device::cuda::Image& image)
    : stream_(context.device.stream()),
      task_(task),
      kernel_(context.device.function(image, task.kind == rd::Kind::branch ? rd::cuda_branch : rd::cuda_loop)),
      shape_{context.device.grid(kernel_, rd::threads, most_blocks), rd::threads, 0},
      count_(std::int64_t{shape_.blocks} * rd::threads),
      in_(context.device.context(), bytes()),
      out_(context.device.context(), bytes() + guard_bytes) {
  const std::vector<float> host = values(context.seed, count_);
  stream_.copy_to_device(in_.as(), host.data(), bytes());
  stream_.synchronize();
}

void CudaCase::run(std::int64_t repetitions) {
  const int by_warp = task_.split == rd::Split::warp ? 1 : 0;
  for (std::int64_t i = 0; i < repetitions; ++i)
    kernel_(stream_, shape_, in_.as<float>(), out_.as<float>(), by_warp, task_.paths, task_.rounds, 1.0F);
}

record::Verification CudaCase::verify() {
  stream_.fill(out_.as(), stream::poison_byte, out_.bytes());
  run(1);
  std::vector<float> before(static_cast<std::size_t>(count_));
  std::vector<float> after(static_cast<std::size_t>(count_ + guard_bytes / 4));
  stream_.copy_to_host(before.data(), in_.as(), bytes());
  stream_.copy_to_host(after.data(), out_.as(), out_.bytes());
  stream_.synchronize();
  std::int64_t wrong = 0;
  for (std::int64_t thread = 0; thread < count_; ++thread) {
    const auto at = static_cast<std::size_t>(thread);
    wrong += after[at] == rd::expected(task_, thread, before[at]) ? 0 : 1;
  }
  record::Verification result;
  result.checked = count_;
  result.max_error = 0;
  result.bound = 0;
  const bool inside = stream::untouched(after.data() + count_, guard_bytes);
  result.status = wrong == 0 && inside ? record::Check::passed : record::Check::failed;
  if (wrong > 0) result.reason = fmt::format("{} of {} values wrong", wrong, count_);
  if (wrong == 0 && !inside) result.reason = "wrote behind the last value";
  return result;
}

std::optional<record::Work> CudaCase::work() const {
  return work_of(task_, count_);
}

std::unique_ptr<Case> prepare_cuda(rd::Kind kind, CudaContext& context, const record::Point& point) {
  return std::make_unique<CudaCase>(context, task_of(kind, point), rd::divergence_image);
}

}  // namespace ridge::bench::divergence
