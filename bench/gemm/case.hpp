// A product on the CPU made ready: matrices filled, and the multiplier chosen.
#pragma once

#include <functional>

#include "bench/gemm/checked_case.hpp"
#include "bench/gemm/multiplier.hpp"

namespace ridge::bench::gemm {

using MakeMultiplier =
    std::function<std::unique_ptr<Multiplier>(const Question&, const ridge::gemm::Pointers&, CpuContext&)>;
std::unique_ptr<Case> make_case(const record::Point& point, CpuContext& context, const MakeMultiplier& make,
                                std::int64_t compare_at_most = most_compared);

std::unique_ptr<Case> prepare_cpu(CpuContext& context, const record::Point& point);

}  // namespace ridge::bench::gemm
