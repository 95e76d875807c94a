// Sizes and walks the memory whose reading evicts everything else from the caches.
#include "kernels/device/cpu/flush.hpp"

#include <algorithm>

namespace ridge::device::cpu {
namespace {

constexpr std::int64_t line = 64;  // at most what a cache line holds, so that every line is read
constexpr std::int64_t least = std::int64_t{1} << 20;

}  // namespace

std::int64_t flush_bytes(const Host& host) {
  std::int64_t largest = 0;  // over the levels, of all instances together
  for (const CacheFact& cache : host.caches) largest = std::max(largest, cache.bytes * cache.instances);
  if (largest <= 0) largest = hidden_last_level;
  std::int64_t wanted = 4 * largest;
  if (host.memory_usable > 0) wanted = std::min(wanted, host.memory_usable / 4);
  return std::max(wanted / line * line, least);
}

void CacheFlusher::prepare(std::int64_t available) {
  if (!memory_) memory_.emplace(system_, bytes_, available);
}

void CacheFlusher::flush(int rank, int size) {
  const Share part = share(bytes_, rank, size, line);
  auto* bytes = reinterpret_cast<volatile std::uint8_t*>(memory_->begin());  // volatile: the reads are the purpose
  if (!touched_)
    for (std::int64_t at = part.begin; at < part.end; at += line) bytes[at] = static_cast<std::uint8_t>(at / line);
  for (std::int64_t at = part.begin; at < part.end; at += line) static_cast<void>(bytes[at]);
}

}  // namespace ridge::device::cpu
