// Reads of memory that nobody wrote: one shadow byte per byte, set by stores and by copies from the host.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "kernels/ptx/machine/access.hpp"

namespace ridge::ptx {
namespace {

/// Atomic stores of one byte: several host threads may mark the same byte, always with the same value.
void mark(u8* shadow, unsigned bytes, bool parallel) {
  if (!parallel) {
    std::memset(shadow, 1, bytes);
    return;
  }
  for (unsigned i = 0; i < bytes; ++i) __atomic_store_n(shadow + i, u8{1}, __ATOMIC_RELAXED);
}

bool all_written(const u8* shadow, u64 bytes, bool parallel) {
  if (!parallel) return std::memchr(shadow, 0, bytes) == nullptr;
  u8 all = 1;
  for (u64 i = 0; i < bytes; ++i) all &= __atomic_load_n(shadow + i, __ATOMIC_RELAXED);
  return all != 0;
}

[[noreturn]] void report(Warp& w, const Op& op, int lane, u64 address, unsigned bytes, const char* space,
                         std::string allocation) {
  FaultPlace place;
  place.address = address;
  place.bytes = bytes;
  place.space = space;
  place.allocation = std::move(allocation);
  std::string message = fmt::format("load of {} bytes at {:#x} in {} memory that nobody wrote", bytes, address, space);
  if (!place.allocation.empty()) message += " ('" + place.allocation + "')";
  fail(FaultKind::uninitialised, w, op, lane, message, place);
}

}  // namespace

void observe_shared_writes(Warp& w, const Op& op, u32 lanes, const u64* offset, unsigned bytes, AccessKind kind) {
  u8* shadow = w.block->shared_written.data();
  const Pattern pattern = pattern_of(lanes, offset, bytes);
  const int first = std::countr_zero(lanes);
  if (pattern != Pattern::scattered) {
    const unsigned span = pattern == Pattern::same ? bytes : bytes * static_cast<unsigned>(std::popcount(lanes));
    if (kind == AccessKind::store) return mark(shadow + offset[first], span, false);
    if (all_written(shadow + offset[first], span, false)) return;
  }
  for (u32 left = lanes; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (kind == AccessKind::store) {
      mark(shadow + offset[lane], bytes, false);
    } else if (!all_written(shadow + offset[lane], bytes, false)) {
      report(w, op, lane, offset[lane], bytes, "shared", "shared memory");
    }
  }
}

void observe_global_writes(Warp& w, const Op& op, const Access& x, u32 lanes, const u64* address, unsigned bytes,
                           AccessKind kind) {
  const bool parallel = w.worker->launch->parallel;
  const Window& window = w.worker->windows[x.slot];
  const Pattern pattern = pattern_of(lanes, address, bytes);
  const int first = std::countr_zero(lanes);
  auto inside = [&](u64 from, u64 span) { return from >= window.low && from + span <= window.high; };
  const u64 span = pattern == Pattern::same ? bytes : static_cast<u64>(bytes) * static_cast<u64>(std::popcount(lanes));
  if (pattern != Pattern::scattered && inside(address[first], span)) {
    if (!window.written) return;
    u8* shadow = window.written + (address[first] - window.low);
    if (kind == AccessKind::store) return mark(shadow, static_cast<unsigned>(span), parallel);
    if (all_written(shadow, span, parallel)) return;
  }
  for (u32 left = lanes; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    u8* shadow = nullptr;
    std::string name;
    if (inside(address[lane], bytes)) {
      if (window.written) shadow = window.written + (address[lane] - window.low);
    } else if (auto found = w.worker->launch->memory->find(address[lane], bytes); found && found->written) {
      shadow = found->written + (address[lane] - found->address);
    }
    if (!shadow) continue;
    if (kind == AccessKind::store) {
      mark(shadow, bytes, parallel);
    } else if (!all_written(shadow, bytes, parallel)) {
      if (auto found = w.worker->launch->memory->find(address[lane], bytes)) name = found->name;
      report(w, op, lane, address[lane], bytes, "global", name);
    }
  }
}

}  // namespace ridge::ptx
