// Hands out spans of one mapping, each starting at another offset within a page.
#include "kernels/device/cpu/arena.hpp"

#include <stdexcept>

namespace ridge::device::cpu {
namespace {

// Arrays of equal size that start at equal offsets within 4 KiB make loads wait for unrelated stores ("4 KiB aliasing":
// the store buffer compares the low twelve address bits only) and meet in the same cache sets. So span i starts i × 576
// bytes into a page: whole cache lines, and no offset comes back within 64 spans.
constexpr std::int64_t page = 4096;
constexpr std::int64_t stagger = 576;
static_assert(stagger % 64 == 0, "spans begin on a cache line");

}  // namespace

HostArena::HostArena(const System& system, std::int64_t bytes, std::int64_t available, bool replace_pages, Pages pages)
    : system_(system), mapping_(system, bytes, available, pages), replace_pages_(replace_pages) {}

Span HostArena::borrow(std::int64_t bytes) {
  if (bytes < 0) throw std::invalid_argument("a span of negative size");
  const std::int64_t offset = spans_ * stagger % page;
  const std::int64_t whole = borrow_cost(bytes);
  if (bytes > capacity() || whole > capacity() - used_) throw OutOfMemory(whole, capacity() - used_);
  const Span span{mapping_.begin() + used_ + offset, bytes};
  used_ += whole;
  ++spans_;
  return span;
}

void HostArena::reset() {
  if (replace_pages_ && used_ > 0) system_.discard(mapping_.begin(), used_);
  used_ = 0;
  spans_ = 0;
}

}  // namespace ridge::device::cpu
