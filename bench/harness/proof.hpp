// Whether a benchmark's stated work is what its kernels were counted to do.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/harness/definition.hpp"
#include "kernels/device/counted.hpp"
#include "reports/record/record.hpp"

namespace ridge::bench {

struct Proof {
  bool proven = false;
  std::string difference;  // what differs, with both figures; empty when proven
};

// `counted` are of one repetition. Bytes read, bytes written and floating-point operations must each be the stated work
// plus everything in `besides`. What the work does not state is not compared, but then at least one of them must be.
Proof prove(const record::Work& work, const std::vector<Besides>& besides, const device::Counted& counted);

// The same with the bytes that were asked of shared memory in the place of device memory's.
device::Counted of_shared_memory(device::Counted counted);

// The same with atomic operations in the place of floating-point ones where the benchmark gives its operations as OP/s,
// not FLOP/s, and its kernels did any.
device::Counted with_operations(device::Counted counted, std::span<const MetricRule> metrics);

// work_proven (1 or 0) and what was counted: instructions, operations, bytes, 32-byte sectors per request, bank
// conflicts, divergent branches; which share of its 32 lanes a warp's instruction used, over all instructions and over
// those that compute with floating-point numbers; atomic operations, and how many lanes of a warp take turns at one
// address; launches.
std::vector<record::Metric> counted_metrics(const Proof& proof, const device::Counted& counted);

}  // namespace ridge::bench
