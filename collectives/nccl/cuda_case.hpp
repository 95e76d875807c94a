// An operation between the GPUs of this process, by NCCL.
#pragma once

#include "bench/harness/definition.hpp"
#include "collectives/operations/rank_work.hpp"

namespace ridge::nccl {
struct Table;
}

namespace ridge::bench::collective {

// Rank r is the r-th GPU from the measured one on, whose arena has the first rank's arrays; the others' are memory of
// their own. device::Absent where there are fewer GPUs than ranks, or no NCCL. On the reference machine the stand-in
// takes its place; `table`: that of a test.
std::unique_ptr<Case> prepare_nccl(CudaContext& context, const collectives::Job& job, record::Work work,
                                   std::shared_ptr<const nccl::Table> table = nullptr);

}  // namespace ridge::bench::collective
