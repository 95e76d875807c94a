// The CPU's arena: one mapping, handed out in staggered spans.
#pragma once

#include "kernels/device/cpu/mapping.hpp"

namespace ridge::device::cpu {

class HostArena final : public Arena {
 public:
  // `replace_pages`: give the pages back on reset, so that the next case's threads place them on their own memory
  // nodes.
  HostArena(const System& system, std::int64_t bytes, std::int64_t available, bool replace_pages,
            Pages pages = Pages::huge);

  Span borrow(std::int64_t bytes) override;
  void reset() override;
  [[nodiscard]] std::int64_t capacity() const override { return mapping_.bytes(); }
  [[nodiscard]] std::optional<std::int64_t> page_size() const override { return mapping_.page_size(); }

 private:
  const System& system_;
  Mapping mapping_;
  bool replace_pages_;
  std::int64_t used_ = 0;
  int spans_ = 0;
};

}  // namespace ridge::device::cpu
