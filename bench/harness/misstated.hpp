// For tests: work stated wrong by one element or one operation, which a proof must refuse.
#pragma once

#include <utility>
#include <vector>

#include "reports/record/record.hpp"

namespace ridge::bench::fake {

// Each quantity that is stated, by so much less and more.
inline std::vector<record::Work> misstated(const record::Work& stated, std::int64_t bytes, std::int64_t operations) {
  std::vector<record::Work> all;
  for (const auto& [what, by] : {std::pair{&record::Work::bytes_read, bytes},
                                 {&record::Work::bytes_written, bytes},
                                 {&record::Work::operations, operations}}) {
    if (!(stated.*what)) continue;
    for (const std::int64_t off : {-by, by}) {
      all.push_back(stated);
      *(all.back().*what) += off;
    }
  }
  return all;
}

}  // namespace ridge::bench::fake
