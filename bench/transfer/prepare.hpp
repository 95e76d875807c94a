// What the transfer definitions are prepared by.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::bench::transfer {

// Points have: size (bytes each way), direction (to_device, to_host, both), memory (pinned, pageable), gpus (how many,
// this one first), place (near, far: of the host's memory).
std::unique_ptr<Case> prepare_host(CudaContext& context, const record::Point& point);

// Points have: size, peer (distance in the ring of GPUs), by (engine, kernel), direction (out, both).
std::unique_ptr<Case> prepare_peer(CudaContext& context, const record::Point& point);

}  // namespace ridge::bench::transfer
