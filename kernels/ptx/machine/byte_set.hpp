// Which bytes of an allocation were touched: one bit each, so that counting them costs little beside touching them.
#pragma once

#include <vector>

#include "kernels/ptx/arith/bits.hpp"

namespace ridge::ptx {

/// A set of offsets in [0, size). Empty and without storage until it is sized.
class ByteSet {
 public:
  ByteSet() = default;
  explicit ByteSet(u64 size) { resize(size); }

  u64 size() const { return size_; }
  /// Keeps what it holds; never shrinks.
  void resize(u64 size) {
    if (size <= size_) return;
    size_ = size;
    words_.resize((size + 63) / 64 + 1);  // one more: an addition may look across the end
  }
  /// Adds [from, from + bytes), which must lie within the size.
  void add(u64 from, u64 bytes) {
    const u64 word = from / 64, bit = from % 64;
    if (bytes > 32) return add_run(from, bytes);
    const u64 mask = (u64{1} << bytes) - 1;
    words_[word] |= mask << bit;
    words_[word + 1] |= mask >> 1 >> (63 - bit);
  }
  void add(const ByteSet& other);
  u64 count() const;
  void clear();

 private:
  void add_run(u64 from, u64 bytes);

  std::vector<u64> words_;
  u64 size_ = 0;
};

}  // namespace ridge::ptx
