// Bounds, alignment and permission of every access, with the message that names what was missed.
#include "kernels/ptx/machine/access.hpp"

#include <fmt/format.h>

#include <bit>

namespace ridge::ptx {
namespace {

const char* verb(AccessKind kind) {
  return kind == AccessKind::load ? "load" : kind == AccessKind::store ? "store" : "atomic";
}

FaultPlace at(u64 address, unsigned bytes, Space space, std::string allocation = {}) {
  FaultPlace p;
  p.address = address;
  p.bytes = bytes;
  p.space = name_of(space);
  p.allocation = std::move(allocation);
  return p;
}

struct LaneAccess {
  Warp& w;
  const Op& op;
  const Access& x;
  int lane;
  unsigned bytes;
  AccessKind kind;
};

[[noreturn]] void missed(const LaneAccess& r, u64 address) {
  const Nearest near = r.w.worker->launch->memory->nearest(address);
  fail(near.freed ? FaultKind::use_after_free : FaultKind::out_of_bounds, r.w, r.op, r.lane,
       fmt::format("{} of {} bytes at {:#x}, {}", verb(r.kind), r.bytes, address, near.description),
       at(address, r.bytes, Space::global, near.allocation));
}

u8* in_global(const LaneAccess& r, u64 address) {
  Worker& worker = *r.w.worker;
  Window& window = worker.windows[r.x.slot];
  if (worker.generation != worker.launch->memory->generation()) {  // something was freed or allocated meanwhile
    for (Window& each : worker.windows) each = Window{0, 0};
    worker.generation = worker.launch->memory->generation();
  }
  if (!(address >= window.low && r.bytes <= window.high - window.low && address <= window.high - r.bytes)) {
    const auto found = worker.launch->memory->find(address, r.bytes);
    if (!found) missed(r, address);
    window.low = found->address;
    window.high = found->address + found->bytes;
    window.delta = reinterpret_cast<std::uintptr_t>(found->data) - found->address;
    window.written = found->written;
    window.writable = !found->read_only;
    if (r.kind != AccessKind::load && !worker.track_writes) worker.stored_unseen.insert(found->address);
    if (worker.count) window.touched = &worker.touched[found->address];
  }
  if (r.kind != AccessKind::load && !window.writable) {
    fail(FaultKind::read_only, r.w, r.op, r.lane,
         fmt::format("{} at {:#x} into read-only memory", verb(r.kind), address), at(address, r.bytes, Space::global));
  }
  return reinterpret_cast<u8*>(static_cast<std::uintptr_t>(address + window.delta));
}

u8* in_shared(const LaneAccess& r, u64 offset) {
  const Block& block = *r.w.block;
  if (r.bytes > block.shared_bytes || offset > block.shared_bytes - r.bytes) {
    fail(FaultKind::out_of_bounds, r.w, r.op, r.lane,
         fmt::format("{} of {} bytes at offset {} of the block's {} bytes of shared memory", verb(r.kind), r.bytes,
                     offset, block.shared_bytes),
         at(offset, r.bytes, Space::shared, "shared memory"));
  }
  return block.shared + offset;
}

u8* in_local(const LaneAccess& r, u64 offset) {
  if (r.bytes > r.w.local_stride || offset > r.w.local_stride - r.bytes) {
    fail(FaultKind::out_of_bounds, r.w, r.op, r.lane,
         fmt::format("{} of {} bytes at offset {} of the thread's {} bytes of local memory", verb(r.kind), r.bytes,
                     offset, r.w.local_stride),
         at(offset, r.bytes, Space::local, "local memory"));
  }
  return r.w.local + static_cast<std::size_t>(r.lane) * r.w.local_stride + offset;
}

u8* in_parameters(const LaneAccess& r, u64 offset) {
  std::vector<u8>& parameters = r.w.worker->launch->parameters;
  if (r.kind != AccessKind::load || r.bytes > parameters.size() || offset > parameters.size() - r.bytes) {
    fail(r.kind == AccessKind::load ? FaultKind::out_of_bounds : FaultKind::read_only, r.w, r.op, r.lane,
         fmt::format("{} of {} bytes at offset {} of the kernel's parameters", verb(r.kind), r.bytes, offset),
         at(offset, r.bytes, Space::param, "parameters"));
  }
  return parameters.data() + offset;
}

u8* located(const LaneAccess& r, u64 address) {
  switch (r.x.space) {
    case Space::shared:
      return in_shared(r, address);
    case Space::local:
      return in_local(r, address);
    case Space::param:
      return in_parameters(r, address & (param_window - 1));
    case Space::generic:
      break;
    default:
      return in_global(r, address);
  }
  const u64 within = address & (shared_window - 1);
  switch (address >> 60) {
    case 1:
      return in_shared(r, within);
    case 2:
      return in_local(r, within);
    case 3:
      return in_parameters(r, within);
    default:
      return in_global(r, address);
  }
}

}  // namespace

u8* pointer(Warp& w, const Op& op, const Access& x, int lane, u64 address, unsigned bytes, AccessKind kind) {
  if ((bytes & (bytes - 1)) == 0 && address & (bytes - 1)) {
    fail(FaultKind::misaligned, w, op, lane,
         fmt::format("{} of {} bytes at {:#x} in {} memory", verb(kind), bytes, address, name_of(x.space)),
         at(address, bytes, x.space));
  }
  return located({w, op, x, lane, bytes, kind}, address);
}

void resolve(Warp& w, const Op& op, const Access& x, u32 lanes, const u64* address, u8** host, unsigned bytes,
             AccessKind kind) {
  for (u32 left = lanes; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    host[lane] = pointer(w, op, x, lane, address[lane], bytes, kind);
  }
}

Pattern pattern_of(u32 lanes, const u64* address, unsigned bytes) {
  if (lanes == 0) return Pattern::scattered;
  const u64 first = address[std::countr_zero(lanes)];
  u64 next = first;
  u32 same = 1, consecutive = 1;
  for (u32 left = lanes; left && (same | consecutive); left &= left - 1) {
    const u64 a = address[std::countr_zero(left)];
    same &= a == first ? 1 : 0;
    consecutive &= a == next ? 1 : 0;
    next += bytes;
  }
  return same ? Pattern::same : consecutive ? Pattern::consecutive : Pattern::scattered;
}

namespace {

void observe_in(Space space, Warp& w, const Op& op, const Access& x, u32 lanes, const u64* address, unsigned bytes,
                AccessKind kind, Pattern pattern) {
  const Worker& worker = *w.worker;
  if (space == Space::local && !worker.count) return;
  if (pattern == Pattern::unknown && space != Space::local) pattern = pattern_of(lanes, address, bytes);
  const Request r{w, op, x, space, lanes, address, bytes, kind, pattern, std::countr_zero(lanes)};
  if (space == Space::shared) {
    if (worker.race) observe_race(r);
    if (worker.track_writes) observe_shared_writes(r);
  } else if (space == Space::global && worker.track_writes) {
    observe_global_writes(r);
  }
  if (worker.count) count_access(r);
}

}  // namespace

void observe(Warp& w, const Op& op, const Access& x, u32 lanes, const u64* address, unsigned bytes, AccessKind kind,
             Pattern pattern) {
  if (lanes == 0) return;
  if (x.space != Space::generic) return observe_in(x.space, w, op, x, lanes, address, bytes, kind, pattern);
  constexpr Space spaces[] = {Space::global, Space::shared, Space::local};  // by window, and observed one by one
  u64 within[32];
  u32 part[4] = {};
  for (u32 left = lanes; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    part[address[lane] >> 60 & 3] |= 1u << lane;
    within[lane] = address[lane] & (shared_window - 1);
  }
  for (int i = 0; i < 3; ++i) {
    if (part[i] == 0) continue;
    observe_in(spaces[i], w, op, x, part[i], within, bytes, kind, part[i] == lanes ? pattern : Pattern::unknown);
  }
}

}  // namespace ridge::ptx
