// What follows from a shape.
#include "kernels/attention/attention.hpp"

#include <algorithm>

namespace ridge::attention {

std::int64_t computed_pairs(const Shape& shape) {
  std::int64_t of_head = 0;
  for (std::int64_t block = 0; block < query_blocks(shape); ++block)
    of_head += std::min(query_block, shape.sequence - block * query_block) * keys_seen(shape, block);
  return shape.heads * of_head;
}

}  // namespace ridge::attention
