// Gathers and scatters on a CPU: eight elements under way, each at a place of its own, so that none waits for another.
#include "kernels/access/indexed.hpp"

namespace ridge::access {

template <class T>
std::uint64_t cpu_gather(const T* src, const std::uint32_t* index, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t lanes = 8;
  std::uint64_t bits[lanes] = {};
  std::int64_t i = begin;
  for (; i + lanes <= end; i += lanes)
    for (std::int64_t lane = 0; lane < lanes; ++lane) bits[lane] ^= turned(src[index[i + lane]], i + lane);
  for (; i < end; ++i) bits[0] ^= turned(src[index[i]], i);
  std::uint64_t all = 0;
  for (const std::uint64_t each : bits) all ^= each;
  return all;
}

template <class T>
void cpu_scatter(T* dst, const std::uint32_t* index, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) dst[index[i]] = pattern<T>(i);
}

#define RIDGE_INDEXED(T)                                                                            \
  template std::uint64_t cpu_gather<T>(const T*, const std::uint32_t*, std::int64_t, std::int64_t); \
  template void cpu_scatter<T>(T*, const std::uint32_t*, std::int64_t, std::int64_t)
RIDGE_INDEXED(std::uint32_t);
RIDGE_INDEXED(std::uint64_t);
RIDGE_INDEXED(Wide);

}  // namespace ridge::access
