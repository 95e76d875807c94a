// Structures of 4-byte fields, kept as an array of structures or as a structure of arrays: field f of item i lies at
// i · per_item + f · per_field.
//
//   load     bits ⊕= rotated(⊕ over i of spread(src[…], i), 7 f)    reads items × used elements
//   store    dst[…] = pattern(i) + f                                writes as many
//
// The rotation makes a field that is read in another's place show.
#pragma once

#include "kernels/access/indexed.hpp"

namespace ridge::access {

struct Fields {
  std::int64_t items = 0;
  std::int64_t per_item = 1;   // elements from one item to the next: all fields in an array of structures, else 1
  std::int64_t per_field = 1;  // elements from one field to the next: 1, or the items in a structure of arrays
  std::int64_t used = 1;       // fields [0, used) of each item
};

RIDGE_ON_BOTH inline unsigned turn_of_field(std::int64_t field) {
  return 7 * static_cast<unsigned>(field);
}
RIDGE_ON_BOTH inline std::uint32_t field_value(std::int64_t item, std::int64_t field) {
  return pattern<std::uint32_t>(item) + static_cast<std::uint32_t>(field);
}

// Items [begin, end), on one thread of a CPU.
std::uint64_t cpu_load_fields(const std::uint32_t* src, const Fields& fields, std::int64_t begin, std::int64_t end);
void cpu_store_fields(std::uint32_t* dst, const Fields& fields, std::int64_t begin, std::int64_t end);

}  // namespace ridge::access
