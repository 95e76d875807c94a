// The memory of one reference GPU: its own address space, allocations with names, and which bytes were ever written.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace ridge::ptx {

/// An address that no allocation holds, or a range that leaves its allocation.
class MemoryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class OutOfMemory : public std::runtime_error {
 public:
  OutOfMemory(std::uint64_t needed_bytes, std::uint64_t available_bytes);
  std::uint64_t needed, available;
};

/// One allocation. Storage is on the host; a kernel sees `address`.
struct Allocation {
  std::uint64_t address = 0, bytes = 0;
  std::string name;
  bool read_only = false;
  std::uint8_t* data = nullptr;     ///< host bytes
  std::uint8_t* written = nullptr;  ///< one per byte: nonzero once somebody wrote it; null for mapped host memory
  std::uint64_t serial = 0;         ///< 1 for the first allocation of this memory
};

/// Where an address that is in no allocation lies; for messages.
struct Nearest {
  std::string description;  ///< "4 bytes past the end of 'x' (128 bytes at 0x…)"
  std::string allocation;   ///< its name
  bool freed = false;       ///< the address lies in an allocation that was freed
};

/// Thread-safe. Addresses of different device indices never overlap, and none is a valid host address.
/// Freed addresses are not used again, so that a later access is recognised.
class Memory {
 public:
  /// `capacity` in bytes limits what is allocated at one time.
  explicit Memory(std::uint64_t capacity = std::uint64_t{1} << 30, unsigned device_index = 0);
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  /// At least 256-byte aligned, with a gap to its neighbours; nothing in it counts as written. Zero bytes are allowed
  /// and give a distinct address. Throws OutOfMemory.
  std::uint64_t allocate(std::uint64_t bytes, std::string name = {}, bool read_only = false);
  /// Throws MemoryError unless `address` is the start of a live allocation.
  void free(std::uint64_t address);
  /// Lets kernels use host memory (pinned, mapped) at its own address.
  void map_host(void* data, std::uint64_t bytes, std::string name);
  void unmap_host(void* data);
  /// Lets kernels of this memory use the allocations of `peer`, which must live longer; and stops that.
  void enable_peer(const Memory& peer);
  void disable_peer(const Memory& peer);

  // Host access. A range must lie in one allocation of this memory; MemoryError otherwise.
  void write(std::uint64_t dst, const void* src, std::uint64_t bytes);
  void read(void* dst, std::uint64_t src, std::uint64_t bytes) const;
  void copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes);
  /// Copies from the memory of another GPU, with what is known about unwritten bytes.
  void copy_from(std::uint64_t dst, const Memory& other, std::uint64_t src, std::uint64_t bytes);
  /// Fills `count` elements of 1, 2 or 4 bytes with the low bytes of `value`.
  void fill(std::uint64_t dst, std::uint32_t value, unsigned element_bytes, std::uint64_t count);
  /// From now on every byte of the allocation counts as written: after kernels that ran without tracking.
  void mark_written(std::uint64_t address);
  /// The live allocation that holds [address, address + bytes), here or in a mapped or peer range.
  std::optional<Allocation> find(std::uint64_t address, std::uint64_t bytes = 1) const;
  Nearest nearest(std::uint64_t address) const;

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const;
  unsigned device_index() const { return device_index_; }
  std::vector<Allocation> allocations() const;
  /// Grows whenever the set of usable addresses changes: cached lookups of an older one are void.
  std::uint64_t generation() const;

 private:
  struct Block;
  const Block* locate(std::uint64_t address, std::uint64_t bytes) const;
  Block& own(std::uint64_t address, std::uint64_t bytes, const char* what);

  mutable std::shared_mutex mutex_;
  std::map<std::uint64_t, std::unique_ptr<Block>> live_;
  std::map<std::uint64_t, Allocation> freed_;  ///< without storage; the oldest are forgotten
  std::vector<const Memory*> peers_;
  std::uint64_t capacity_, used_ = 0, next_, serial_ = 0;
  std::atomic<std::uint64_t> generation_{1};
  unsigned device_index_;
};

}  // namespace ridge::ptx
