// The mistakes that kernels of every kind are tried with: bounds, conditions, indices. What a family's kernels do
// besides has mistakes of its own, which its campaign adds.
#pragma once

#include <iterator>
#include <span>
#include <vector>

#include "kernels/ptx/testing/mutants.hpp"

namespace ridge::ptx::testing {

inline constexpr Mutation common_mistakes[] = {
    {"bound one too high", R"(setp\.ge\.([su])(32|64))", "setp.gt.$1$2"},
    {"loop bound one too high", R"(setp\.lt\.([su])(32|64))", "setp.le.$1$2"},
    {"bound one too low", R"(setp\.gt\.([su])(32|64))", "setp.ge.$1$2"},
    {"turned round", R"(setp\.ne\.)", "setp.eq."},
    {"turned round too", R"(setp\.eq\.)", "setp.ne."},
    {"block index forgotten", R"(%ctaid\.x)", "0"},
    {"thread index taken for their number", R"(%tid\.x)", "%ntid.x"},
    {"stride of one block", R"(%nctaid\.x)", "1"},
    {"wrong scale of an index", R"((shl\.b(?:32|64)\s+%rd?\d+, %rd?\d+), [2-7];)", "$1, 1;"},
};

inline std::vector<Mutation> with_common(std::span<const Mutation> own) {
  std::vector<Mutation> all(own.begin(), own.end());
  all.insert(all.end(), std::begin(common_mistakes), std::end(common_mistakes));
  return all;
}

}  // namespace ridge::ptx::testing
