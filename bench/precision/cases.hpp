// The family's cases: each computes its figures once, while it is verified.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::bench::precision {

std::unique_ptr<Case> prepare_product(CpuContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_ones(CpuContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_loss_scaling(CpuContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_master_weights(CpuContext& context, const record::Point& point);

}  // namespace ridge::bench::precision
