// Reads of memory that nobody wrote: one shadow byte per byte, set by stores and by copies from the host.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "kernels/ptx/machine/access.hpp"

namespace ridge::ptx {
namespace {

/// Atomic stores of one byte: several host threads may mark the same byte, always with the same value.
void mark(u8* shadow, u64 bytes, bool parallel) {
  if (!parallel) {
    std::memset(shadow, 1, bytes);
    return;
  }
  for (u64 i = 0; i < bytes; ++i) __atomic_store_n(shadow + i, u8{1}, __ATOMIC_RELAXED);
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

void observe_shared_writes(const Request& r) {
  u8* shadow = r.w.block->shared_written.data();
  if (r.is_run()) {
    if (r.kind == AccessKind::store) return mark(shadow + r.start(), r.span(), false);
    if (all_written(shadow + r.start(), r.span(), false)) return;
  }
  for (u32 left = r.lanes; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const u64 offset = r.address[lane];
    if (r.kind == AccessKind::store) {
      mark(shadow + offset, r.bytes, false);
    } else if (!all_written(shadow + offset, r.bytes, false)) {
      report(r.w, r.op, lane, offset, r.bytes, "shared", "shared memory");
    }
  }
}

void observe_global_writes(const Request& r) {
  const bool parallel = r.w.worker->launch->parallel;
  const Window& window = r.w.worker->windows[r.x.slot];
  const Memory& memory = *r.w.worker->launch->memory;
  auto inside = [&](u64 from, u64 span) { return from >= window.low && from + span <= window.high; };
  if (r.is_run() && inside(r.start(), r.span())) {
    if (!window.written) return;
    u8* shadow = window.written + (r.start() - window.low);
    if (r.kind == AccessKind::store) return mark(shadow, r.span(), parallel);
    if (all_written(shadow, r.span(), parallel)) return;
  }
  for (u32 left = r.lanes; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const u64 address = r.address[lane];
    u8* shadow = nullptr;
    if (inside(address, r.bytes)) {
      if (window.written) shadow = window.written + (address - window.low);
    } else if (auto found = memory.find(address, r.bytes); found && found->written) {
      shadow = found->written + (address - found->address);
    }
    if (!shadow) continue;
    if (r.kind == AccessKind::store) {
      mark(shadow, r.bytes, parallel);
    } else if (!all_written(shadow, r.bytes, parallel)) {
      const auto found = memory.find(address, r.bytes);
      report(r.w, r.op, lane, address, r.bytes, "global", found ? found->name : std::string());
    }
  }
}

}  // namespace ridge::ptx
