// What the processor says about itself in /proc/cpuinfo: model, instruction sets, hypervisor, clock. x86 and AArch64.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::device::cpu {

struct CpuFacts {
  std::optional<std::string> model;
  std::vector<std::string> simd;  // best first
  bool hypervisor = false;        // x86: the processor's flag
  std::optional<double> clock_hz;
};

// `text`: the contents of /proc/cpuinfo, or the first part of it.
CpuFacts parse_cpuinfo(std::string_view text);

}  // namespace ridge::device::cpu
