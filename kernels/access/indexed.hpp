// Gathers and scatters: element i of `count` is the one that a table names.
//
//   gather    bits ⊕= turned(src[index[i]], i)    reads count indices and count elements
//   scatter   dst[index[i]] = pattern(i)          reads count indices, writes count elements; no index comes twice
//
// turned() rotates by i bits, so that elements which change places show as well as those that are lost or doubled.
#pragma once

#include "kernels/access/access.hpp"

namespace ridge::access {

RIDGE_ON_BOTH inline std::uint64_t rotated(std::uint64_t bits, unsigned by) {
  return bits << (by & 63U) | bits >> (-by & 63U);
}

template <class T>
RIDGE_ON_BOTH inline std::uint64_t turned(T value, std::int64_t i) {
  return rotated(spread(value, 0), static_cast<unsigned>(i));
}

// Elements [begin, end) of the table, on one thread of a CPU. T is std::uint32_t, 64_t or Wide.
template <class T>
std::uint64_t cpu_gather(const T* src, const std::uint32_t* index, std::int64_t begin, std::int64_t end);
template <class T>
void cpu_scatter(T* dst, const std::uint32_t* index, std::int64_t begin, std::int64_t end);

}  // namespace ridge::access
