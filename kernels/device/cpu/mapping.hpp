// Memory straight from the kernel: huge pages asked for, guard pages on both sides, placed by the thread that touches
// it.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/device/cpu/system.hpp"

namespace ridge::device::cpu {

inline constexpr std::int64_t huge_page = std::int64_t{2} << 20;

// Which pages are asked for. Both are wishes: page_size() tells what came.
enum class Pages { huge, small };

class Mapping {
 public:
  // `bytes` (> 0) of zeroed memory that begins on a huge page's boundary; no page is touched yet. OutOfMemory, saying
  // that `available` bytes are there, when the kernel refuses. `system` must outlive the mapping.
  Mapping(const System& system, std::int64_t bytes, std::int64_t available, Pages pages = Pages::huge);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  [[nodiscard]] std::byte* begin() const { return begin_; }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  [[nodiscard]] bool asked_huge_pages() const { return asked_; }

  // The size of the pages that hold (at least nine tenths of) what was touched so far; nothing when no page was, or
  // when the kernel does not say.
  [[nodiscard]] std::optional<std::int64_t> page_size() const;

 private:
  const System& system_;
  std::int64_t reserved_;
  void* base_;
  std::byte* begin_;
  std::int64_t bytes_;
  bool asked_ = false;
};

// The page size that the text of a /proc/<pid>/smaps tells for the mapping that starts at `begin`; see page_size().
// `huge` is the size of a transparent huge page.
std::optional<std::int64_t> page_size_in(const std::string& smaps, std::uintptr_t begin, std::int64_t huge);

}  // namespace ridge::device::cpu
