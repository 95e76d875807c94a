// The state of a running launch: lanes in groups, groups in warps, warps in blocks, blocks on workers.
#pragma once

#include <atomic>
#include <mutex>
#include <random>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kernels/ptx/machine/byte_set.hpp"
#include "kernels/ptx/machine/fault.hpp"
#include "kernels/ptx/machine/op.hpp"
#include "kernels/ptx/memory/memory.hpp"

namespace ridge::ptx {

struct Block;
struct Worker;

/// Tags of shared-memory granules: epoch << 8 | flags | warp. See check_race.cpp.
namespace race {
inline constexpr u32 warp_bits = 31, by_atomic = 32, by_several = 64;

/// Notes a load or store of `n` neighbouring granules under `tag`. False, with no write noted, when a hazard is among
/// them: the caller then finds which.
using NoteGranules = bool (*)(u32* last_write, u32* last_read, u64 n, bool store, u32 tag);
}  // namespace race

/// Lanes of a warp that stand at the same operation in the same state.
struct Group {
  enum class State : u8 { ready, at_barrier, at_warp_barrier, converging } state = State::ready;
  u32 pc = 0, lanes = 0;
  u32 barrier = 0, members = 0;
};

/// A cp.async copy that has been issued and not yet waited for.
struct PendingCopy {
  u8 lane;
  u8 *dst, *src;
  u32 bytes, source_bytes, group;
  u8* written;  ///< shadow of dst, or null
};

struct Warp {
  u8* registers = nullptr;  ///< 64-byte aligned
  u8* local = nullptr;      ///< 32 threads' local memory, one after the other
  Block* block = nullptr;
  Worker* worker = nullptr;
  u32 index = 0, local_stride = 0;
  u32 existing = 0, live = 0;  ///< lanes that exist, lanes that have not exited
  u32 carry = 0;               ///< the condition-code register's carry flag of each lane
  int group_count = 0;
  bool take_turns = false, yielded = false;
  Group groups[33];
  std::vector<PendingCopy> pending;
  u32 committed[32] = {};
};

/// Bytes of one allocation, or of a block's shared memory, that a launch touched.
struct Touched {
  ByteSet loaded, stored;
  bool constant = false;  ///< by loads of the constant space
};

struct Barrier {
  u32 arrived = 0, expected = 0, accumulated = 0;
  bool counted = false;   ///< used with an explicit number of threads
  bool released = false;  ///< let threads go at least once
};

struct Block {
  Worker* worker = nullptr;
  Dim3 index{0, 0, 0};
  u64 linear = 0;
  bool busy = false;
  u32 live_threads = 0, exited_threads = 0;
  u32 shared_bytes = 0;
  u8* shared = nullptr;
  u32 epoch = 1;  ///< grows with every barrier
  std::vector<Warp> warps;
  Barrier barriers[16];
  std::vector<u8> shared_storage, register_storage, local_storage;
  std::vector<u8> shared_written;          ///< per byte, when reads of unwritten memory are checked
  std::vector<u32> last_write, last_read;  ///< per granule, when races are checked
  Touched shared_touched;                  ///< when traffic is counted
};

/// A range of addresses that one access of a worker resolved last: the common case needs no lookup.
struct Window {
  u64 low = 1, high = 0;
  u64 delta = 0;               ///< host address − device address
  u8* written = nullptr;       ///< shadow of `low`, or null
  Touched* touched = nullptr;  ///< bytes from `low`, when traffic is counted
  bool writable = false;
};

enum class Order : u8 { forward, reverse, random };

struct Checks {
  bool uninitialised = true;  ///< reads of global and shared memory that nobody wrote
  bool races = true;          ///< hazards between warps on shared memory
  bool barriers = true;       ///< divergent barriers, and barriers that exited threads missed
  bool lanes = true;          ///< shuffles from lanes that do not take part
};

struct LaunchOptions {
  Order order = Order::forward;  ///< of blocks, and of the warps of a block
  std::uint64_t seed = 1;        ///< of Order::random
  unsigned threads = 1;          ///< host threads that execute blocks; 0 = one per processor
  Checks checks;
  bool counts = false;             ///< count memory traffic too
  std::uint64_t step_limit = 0;    ///< warp instructions of the whole launch; 0 = 10^12
  bool cooperative = false;        ///< all blocks resident at once, so that they may wait for each other
  unsigned resident_blocks = 1;    ///< blocks that one host thread interleaves
  std::uint64_t turn = 50000;      ///< instructions until another warp gets a turn
  unsigned multiprocessors = 132;  ///< what %nsmid reports
};

/// What all workers of one launch share.
struct LaunchState {
  const Kernel* kernel = nullptr;
  Memory* memory = nullptr;
  const LaunchOptions* options = nullptr;
  Dim3 grid, block;
  u32 dynamic_shared = 0, shared_bytes = 0;
  std::vector<u8> parameters;
  std::vector<ConstantRegister> constants;  ///< with symbols resolved
  u64 workspace = 0;                        ///< of a cooperative grid barrier
  bool parallel = false;                    ///< more than one worker: atomics must be atomic for the host
  std::atomic<u64> next_block{0}, steps{0};
  std::atomic<bool> stop{false};
  std::vector<u64> block_order;  ///< empty when forward
  std::mutex output;
  std::string printed;  ///< of device printf
};

struct Profile {
  u64 warps = 0, lanes = 0;
};

struct Worker {
  LaunchState* launch = nullptr;
  const Kernel* kernel = nullptr;
  bool observe = false;  ///< any of the next three
  bool count = false, race = false, track_writes = false;
  race::NoteGranules note_granules = nullptr;  ///< of the instruction set in use
  u64 generation = 0, steps = 0, step_limit = 0;
  std::vector<Window> windows;   ///< by Access::slot
  std::vector<Profile> profile;  ///< by operation
  Counts counts;
  std::unordered_map<u64, Touched> touched;  ///< by allocation address
  std::unordered_set<u64> stored_unseen;     ///< allocations written while writes are not tracked
  u64 ticks = 0;                             ///< of the clock registers
  std::mt19937_64 random;
};

template <class T>
RIDGE_PTX_INLINE T* reg(Warp& w, u32 offset) {
  return static_cast<T*>(__builtin_assume_aligned(w.registers + offset, 4));
}

/// Throws a Fault of this kind at this place.
[[noreturn]] void fail(FaultKind kind, const Warp& w, const Op& op, int lane, const std::string& message,
                       FaultPlace place = {});
FaultPlace place_of(const Warp& w, const Op& op, int lane);

}  // namespace ridge::ptx
