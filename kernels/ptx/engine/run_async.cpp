// cp.async: the bytes arrive when the thread waits for their group, so that reading them earlier shows.
#include <algorithm>
#include <bit>
#include <climits>
#include <cstring>

#include "kernels/ptx/engine/run.hpp"

namespace ridge::ptx {
namespace {

void arrive(const PendingCopy& c) {
  const u32 copied = std::min(c.bytes, c.source_bytes);
  if (copied) std::memcpy(c.dst, c.src, copied);
  std::memset(c.dst + copied, 0, c.bytes - copied);
  if (c.written) std::memset(c.written, 1, c.bytes);
}

}  // namespace

void finish_copies(Warp& w, int lane, u32 before_group) {
  auto done = [&](const PendingCopy& c) {
    if (c.lane != lane || c.group >= before_group) return false;
    arrive(c);
    return true;
  };
  w.pending.erase(std::remove_if(w.pending.begin(), w.pending.end(), done), w.pending.end());
}

void run_copy_async(Warp& w, const Op& op, u32 lanes) {
  const auto& x = static_cast<const AsyncExtra&>(*op.extra);
  u64 to[32], from[32];
  u8 *dst[32], *src[32];
  u32 source_bytes[32];
  addresses_of(w, x.to, to);
  addresses_of(w, x.from, from);
  u32 reading = 0;
  const u32 ignored =
      x.ignore == no_register ? 0 : *reg<u32>(w, static_cast<u32>(x.ignore)) ^ (x.ignore_inverted ? ~0u : 0u);
  for (int i = 0; i < 32; ++i) {
    source_bytes[i] = x.source_bytes == no_register ? x.bytes : reg<u32>(w, static_cast<u32>(x.source_bytes))[i];
    if (ignored >> i & 1) source_bytes[i] = 0;
    if ((lanes >> i & 1) && source_bytes[i]) reading |= 1u << i;
    src[i] = nullptr;
  }
  // The shadow of the destination is set on arrival, so only the other checks are told of the store.
  Worker& worker = *w.worker;
  const bool track = worker.track_writes;
  worker.track_writes = false;
  touch(w, op, x.to, lanes, to, dst, x.bytes, AccessKind::store);
  worker.track_writes = track;
  touch(w, op, x.from, reading, from, src, x.bytes, AccessKind::load);
  for (u32 left = lanes; left; left &= left - 1) {
    const int i = std::countr_zero(left);
    u8* written = track ? w.block->shared_written.data() + (dst[i] - w.block->shared) : nullptr;
    w.pending.push_back({static_cast<u8>(i), dst[i], src[i], x.bytes, source_bytes[i], w.committed[i], written});
  }
}

void run_commit_group(Warp& w, const Op&, u32 lanes) {
  for (; lanes; lanes &= lanes - 1) ++w.committed[std::countr_zero(lanes)];
}

void run_wait_group(Warp& w, const Op& op, u32 lanes) {
  for (; lanes; lanes &= lanes - 1) {
    const int i = std::countr_zero(lanes);
    const u32 open = static_cast<u32>(op.imm);
    const u32 before = op.imm < 0 ? UINT_MAX : w.committed[i] > open ? w.committed[i] - open : 0;
    finish_copies(w, i, before);
  }
}

}  // namespace ridge::ptx
