// Checked memory access: where an address of a lane is on the host, and everything that is noted about it.
#pragma once

#include "kernels/ptx/machine/state.hpp"

namespace ridge::ptx {

enum class AccessKind : u8 { load, store, atomic };

/// Host pointers of all `lanes` for an access of `bytes` each; checks bounds, alignment and permission, and throws a
/// Fault. `space` may be any; the windows of generic addresses are told apart per lane. Refreshes the cached window.
void resolve(Warp& w, const Op& op, const Access& x, u32 lanes, const u64* address, u8** host, unsigned bytes,
             AccessKind kind);

/// Counts, race hazards and shadow bytes of an access that `resolve` or a fast path has accepted.
void observe(Warp& w, const Op& op, const Access& x, u32 lanes, const u64* address, unsigned bytes, AccessKind kind);

/// One pointer, checked but not observed: for whole-warp and library operations.
u8* pointer(Warp& w, const Op& op, const Access& x, int lane, u64 address, unsigned bytes, AccessKind kind);

// The parts of observe(), one file each. `offset` are addresses within the space.
void observe_race(Warp& w, const Op& op, u32 lanes, const u64* offset, unsigned bytes, AccessKind kind);
void observe_shared_writes(Warp& w, const Op& op, u32 lanes, const u64* offset, unsigned bytes, AccessKind kind);
void observe_global_writes(Warp& w, const Op& op, const Access& x, u32 lanes, const u64* address, unsigned bytes,
                           AccessKind kind);
void count_access(Warp& w, const Access& x, Space space, u32 lanes, const u64* address, unsigned bytes,
                  AccessKind kind);

/// How the lanes' addresses lie to each other.
enum class Pattern : u8 { scattered, consecutive, same };
Pattern pattern_of(u32 lanes, const u64* address, unsigned bytes);

}  // namespace ridge::ptx
