// The reference machine: executes PTX kernels on the CPU, checks every access, and counts what happened.
//
//   auto module = ptx::Module::parse(text);               // what nvcc wrote
//   ptx::Memory memory(1 << 30);                          // one reference GPU's memory
//   ptx::Instance instance(module, memory);               // the module's variables in it
//   auto x = memory.allocate(4 * n, "x");
//   auto result = ptx::launch_with(instance, "kernel", {blocks}, {256}, 0, options, x, n);
//   result.counts.total_flops();                          // or a ptx::Fault was thrown
#pragma once

#include "kernels/ptx/engine/launch.hpp"   // IWYU pragma: export
#include "kernels/ptx/engine/module.hpp"   // IWYU pragma: export
#include "kernels/ptx/machine/counts.hpp"  // IWYU pragma: export
#include "kernels/ptx/machine/fault.hpp"   // IWYU pragma: export
#include "kernels/ptx/memory/memory.hpp"   // IWYU pragma: export
#include "kernels/ptx/text/error.hpp"      // IWYU pragma: export
