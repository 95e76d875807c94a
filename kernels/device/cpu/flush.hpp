// Empties the caches by reading more memory than they hold.
#pragma once

#include <optional>

#include "kernels/device/cpu/mapping.hpp"

namespace ridge::device::cpu {

// What is assumed of the last-level cache when the machine hides its caches: as large as any that is sold in numbers.
inline constexpr std::int64_t hidden_last_level = std::int64_t{256} << 20;

// Four times all slices of the last level together, and at least four times every core's private caches; four times
// `hidden_last_level` when the caches are hidden; never more than a quarter of the memory that may be used (then old
// lines may survive, but a machine that small has no larger cache).
std::int64_t flush_bytes(const Host& host);

class CacheFlusher {
 public:
  CacheFlusher(const System& system, std::int64_t bytes) : system_(system), bytes_(bytes) {}

  // Takes the memory, once; OutOfMemory saying that `available` bytes are there.
  void prepare(std::int64_t available);
  [[nodiscard]] bool prepared() const { return memory_.has_value(); }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

  // Reads this thread's part of the memory; all ranks of the team call it. The first time round it writes there, since
  // untouched pages are all one page of zeroes, whose reading would evict nothing. After that it only reads: dirty
  // lines left behind would be written back within the interval that follows.
  void flush(int rank, int size);
  // Ends the first time round. No thread may be flushing.
  void settle() { touched_ = true; }

 private:
  const System& system_;
  std::int64_t bytes_;
  std::optional<Mapping> memory_;
  bool touched_ = false;
};

}  // namespace ridge::device::cpu
