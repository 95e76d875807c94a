// Shutting and opening the gate.
#include "kernels/device/cuda/gate.hpp"

#include <fmt/format.h>

#include <atomic>

namespace ridge::device::cuda {
namespace {

constexpr std::int64_t line_words = 32;  // of 4 bytes: far enough apart for any cache

bool is_on(const char* value) {
  return value != nullptr && *value != '\0' && std::string(value) != "0";
}

}  // namespace

std::optional<std::string> gate_forbidden(const Environment& environment, bool modelled) {
  if (modelled) return "the reference machine has no launch gaps";
  if (is_on(environment("CUDA_LAUNCH_BLOCKING"))) return "CUDA_LAUNCH_BLOCKING is set";
  for (const char* name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "NV_NSIGHT_INJECTION_TRANSPORT_TYPE",
                           "NV_COMPUTE_PROFILER_PERFWORKS_DIR", "COMPUTE_PROFILE", "CUDA_PROFILE"})
    if (is_on(environment(name))) return fmt::format("a profiler is attached ({} is set)", name);
  return std::nullopt;
}

Gate::Gate(std::shared_ptr<const Context> context, std::shared_ptr<const Module> timing, std::chrono::nanoseconds limit)
    : wait_(std::move(timing), gate_wait_kernel), words_(std::move(context), 2 * line_words * 4), limit_(limit) {}

void Gate::shut(Stream& stream) {
  auto* const words = words_.as<std::uint32_t>();
  std::atomic_ref(words[0]).store(0);
  std::atomic_ref(words[line_words]).store(0);
  const auto* const open = words_.on_device<const volatile std::uint32_t>();
  wait_(stream, {}, open, words_.on_device<std::uint32_t>() + line_words, static_cast<std::uint64_t>(limit_.count()));
  shut_ = true;
  waiting_ = 0;
}

void Gate::open() noexcept {
  std::atomic_ref(*words_.as<std::uint32_t>()).store(1);
  shut_ = false;
}

void Gate::count_one() noexcept {
  if (shut_ && ++waiting_ > most_waiting) open();
}

void Gate::require_no_timeout() {
  if (std::atomic_ref(words_.as<std::uint32_t>()[line_words]).load() != 0)
    throw Error(
        fmt::format("the interval waited {} s behind its gate: its work waits for the stream that it is queued on",
                    std::chrono::duration<double>(limit_).count()));
}

}  // namespace ridge::device::cuda
