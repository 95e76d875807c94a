// The CPU's case of dot-product instructions; tests put an instruction of their own in the place of the processor's.
#pragma once

#include <string>

#include "bench/harness/definition.hpp"
#include "kernels/device/cpu/instr/dot.hpp"

namespace ridge::bench::roofline {

// `dtype` is "bf16" or "int8", of what the instruction multiplies.
std::unique_ptr<Case> make_dot(const device::cpu::DotInstruction& instruction, const std::string& dtype,
                               std::int64_t steps, int threads, CpuContext& context);

// device::Absent where this processor has no such instruction.
std::unique_ptr<Case> prepare_dot_cpu(CpuContext& context, const record::Point& point);

}  // namespace ridge::bench::roofline
