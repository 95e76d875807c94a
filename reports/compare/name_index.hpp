// Where each metric of a side stands in its list, by its case and its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ridge::compare {

struct Found;

// A hash table with open addressing. The names stay in the list; here are only positions, so that each of ten thousand
// metrics costs one cache line and no allocation.
class NameIndex {
 public:
  [[nodiscard]] std::optional<std::size_t> find(const std::vector<Found>& list, std::string_view id,
                                                std::string_view metric) const;
  // The last element of `list` is new: find() gave nothing for it.
  void add_last(const std::vector<Found>& list);

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  struct Slot {
    std::uint32_t position = none;
    std::uint32_t code = 0;  // hash of the name
  };
  [[nodiscard]] std::size_t place(const std::vector<Found>& list, std::string_view id, std::string_view metric,
                                  std::uint32_t code) const;
  void grow(std::size_t names);

  std::vector<Slot> slots_;  // a power of two of them, at most half of them taken
};

}  // namespace ridge::compare
