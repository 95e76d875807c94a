// What the transfer definitions are prepared by.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::device {
struct NodeSystem;
}

namespace ridge::bench::transfer {

// Points have: size (bytes each way), direction (to_device, to_host, both), memory (pinned, pageable), gpus (how many,
// this one first), place (near, far: of the host's memory).
std::unique_ptr<Case> prepare_host(CudaContext& context, const record::Point& point);
// The same on a machine with these memory nodes, which must live longer than the case.
std::unique_ptr<Case> prepare_host_on(CudaContext& context, const record::Point& point,
                                      const device::NodeSystem& nodes);

// Points have: size, peer (the other GPU, "cuda:1"), by (engine, kernel), direction (out, both).
std::unique_ptr<Case> prepare_peer(CudaContext& context, const record::Point& point);

}  // namespace ridge::bench::transfer
