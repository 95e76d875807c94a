// Long runs, unions and sizes of sets of bytes.
#include "kernels/ptx/machine/byte_set.hpp"

#include <algorithm>
#include <bit>

namespace ridge::ptx {

void ByteSet::add_run(u64 from, u64 bytes) {
  const u64 last = from + bytes - 1;
  const u64 head = ~u64{0} << from % 64, tail = ~u64{0} >> (63 - last % 64);
  const u64 first_word = from / 64, last_word = last / 64;
  if (first_word == last_word) {
    words_[first_word] |= head & tail;
    return;
  }
  words_[first_word] |= head;
  std::fill(words_.begin() + static_cast<std::ptrdiff_t>(first_word + 1),
            words_.begin() + static_cast<std::ptrdiff_t>(last_word), ~u64{0});
  words_[last_word] |= tail;
}

void ByteSet::add(const ByteSet& other) {
  resize(other.size_);
  for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
}

u64 ByteSet::count() const {
  u64 n = 0;
  for (const u64 word : words_) n += word == ~u64{0} ? 64 : static_cast<u64>(std::popcount(word));
  return n;
}

void ByteSet::clear() {
  std::fill(words_.begin(), words_.end(), u64{0});
}

}  // namespace ridge::ptx
