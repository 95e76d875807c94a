// Checked memory access: where an address of a lane is on the host, and everything that is noted about it.
#pragma once

#include "kernels/ptx/machine/state.hpp"

namespace ridge::ptx {

enum class AccessKind : u8 { load, store, atomic };

/// Host pointers of all `lanes` for an access of `bytes` each; checks bounds, alignment and permission, and throws a
/// Fault. `space` may be any; the windows of generic addresses are told apart per lane. Refreshes the cached window.
void resolve(Warp& w, const Op& op, const Access& x, u32 lanes, const u64* address, u8** host, unsigned bytes,
             AccessKind kind);

/// How the lanes' addresses lie to each other: each lane right behind the one before it, all the same, or neither.
enum class Pattern : u8 { unknown, scattered, consecutive, same };
Pattern pattern_of(u32 lanes, const u64* address, unsigned bytes);

/// Counts, race hazards and shadow bytes of an access that `resolve` or a fast path has accepted. A caller that knows
/// the pattern of the addresses saves looking for it.
void observe(Warp& w, const Op& op, const Access& x, u32 lanes, const u64* address, unsigned bytes, AccessKind kind,
             Pattern pattern = Pattern::unknown);

/// One pointer, checked but not observed: for whole-warp and library operations.
u8* pointer(Warp& w, const Op& op, const Access& x, int lane, u64 address, unsigned bytes, AccessKind kind);

/// An access of a warp to one space, as the parts of observe() see it.
struct Request {
  Warp& w;
  const Op& op;
  const Access& x;
  Space space;         ///< never generic
  u32 lanes;           ///< at least one
  const u64* address;  ///< of each lane, within the space
  unsigned bytes;      ///< of each lane
  AccessKind kind;
  Pattern pattern;  ///< known, except for local memory
  int first;        ///< lowest lane

  bool is_run() const { return pattern != Pattern::scattered; }
  u64 start() const { return address[first]; }
  /// Of a run: bytes from its start to its end.
  u64 span() const {
    return pattern == Pattern::same ? bytes : static_cast<u64>(bytes) * static_cast<u64>(__builtin_popcount(lanes));
  }
};

// The parts of observe(), one file each.
void observe_race(const Request& r);
void observe_shared_writes(const Request& r);
void observe_global_writes(const Request& r);
void count_access(const Request& r);

}  // namespace ridge::ptx
