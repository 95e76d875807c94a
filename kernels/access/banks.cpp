// What reading shared memory by stride must find.
#include "kernels/access/banks.hpp"

namespace ridge::access {

std::uint32_t banks_sum(std::int64_t stride, std::int64_t steps) {
  std::uint32_t lane_sum[32] = {};
  for (std::int64_t lane = 0; lane < 32; ++lane)
    for (std::int64_t s = 0; s < steps; ++s)
      lane_sum[lane] += bank_word(static_cast<std::uint32_t>((lane * stride + s) % bank_words));
  std::uint32_t sum = 0;
  for (unsigned thread = 0; thread < bank_threads; ++thread) sum += lane_sum[thread % 32] * weight_of_thread(thread);
  return sum;
}

}  // namespace ridge::access
