// A product made ready: matrices filled, the multiplier chosen, and two checks of what it computes.
#pragma once

#include <functional>

#include "bench/gemm/multiplier.hpp"

namespace ridge::bench::gemm {

// Products of at most this many multiply-adds are compared with f64 entry by entry; of larger ones rows and columns,
// the last among them. Every entry of any is checked on whole numbers.
inline constexpr std::int64_t most_compared = std::int64_t{1} << 30;

using MakeMultiplier =
    std::function<std::unique_ptr<Multiplier>(const Question&, const ridge::gemm::Pointers&, CpuContext&)>;
std::unique_ptr<Case> make_case(const record::Point& point, CpuContext& context, const MakeMultiplier& make,
                                std::int64_t compare_at_most = most_compared);

std::unique_ptr<Case> prepare_cpu(CpuContext& context, const record::Point& point);

}  // namespace ridge::bench::gemm
