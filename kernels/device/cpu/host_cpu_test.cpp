// Models, instruction sets and clocks from /proc/cpuinfo of x86 and AArch64 machines.
#include "kernels/device/cpu/host_cpu.hpp"

#include <catch2/catch.hpp>

using namespace ridge::device::cpu;
using Names = std::vector<std::string>;

namespace {

std::string arm_core(const std::string& implementer, const std::string& part, const std::string& features = "asimd") {
  return "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: " + features + "\nCPU implementer\t: " + implementer +
         "\nCPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: " + part + "\nCPU revision\t: 0\n\n";
}

}  // namespace

TEST_CASE("AArch64: the part's name, however many cores of it there are") {
  const auto grace = arm_core("0x41", "0xd4f", "fp asimd asimddp sve sve2 bf16 i8mm");
  const auto facts = parse_cpuinfo(grace + grace);
  CHECK(facts.model == "Arm Neoverse-V2");
  CHECK(facts.simd == Names{"sve2", "sve", "bf16", "i8mm", "dotprod", "neon"});
  CHECK_FALSE(facts.clock_hz);
  CHECK_FALSE(facts.hypervisor);
}

TEST_CASE("AArch64: unlike cores are all named, unknown ones by number") {
  CHECK(parse_cpuinfo(arm_core("0x41", "0xd05") + arm_core("0x41", "0xd0b")).model ==
        "Arm Cortex-A55 + Arm Cortex-A76");
  CHECK(parse_cpuinfo(arm_core("0x61", "0x022")).model == "implementer 0x61 part 0x022");
}

TEST_CASE("AArch64: a model name in the file is preferred, malformed numbers are no model") {
  CHECK(parse_cpuinfo("model name\t: Cortex-A72\n" + arm_core("0x41", "0xd08")).model == "Cortex-A72");
  CHECK_FALSE(parse_cpuinfo(arm_core("41", "d0c")).model);
  CHECK_FALSE(parse_cpuinfo(arm_core("0x41", "0xzz")).model);
  CHECK_FALSE(parse_cpuinfo(arm_core("0x41", "0xffffffffffff")).model);
  CHECK_FALSE(parse_cpuinfo("CPU part\t: 0xd0c\n").model);
}

TEST_CASE("x86: instruction sets need all their flags, best first") {
  CHECK(parse_cpuinfo("flags\t: sse2 avx512f avx512bw avx512cd avx512dq avx512vl avx512_bf16\n").simd ==
        Names{"avx512_bf16", "avx512", "sse2"});
  CHECK(parse_cpuinfo("flags\t: avx512f avx2 fma f16c\n").simd.empty());
  CHECK(parse_cpuinfo("flags\t: avx2 fma f16c bmi2 avx_vnni\n").simd == Names{"avx_vnni", "avx2"});
  CHECK(parse_cpuinfo("flags\t: amx_int8 amx_bf16 amx_tile\n").simd == Names{"amx_int8", "amx_bf16"});
}

TEST_CASE("a text cut off anywhere does not matter") {
  const std::string text = "processor\t: 0\nmodel name\t: X\ncpu MHz\t\t: 2445.4\nflags\t\t: sse2 hypervisor\n\n" +
                           arm_core("0x41", "0xd0c");
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const auto facts = parse_cpuinfo(std::string_view(text).substr(0, length));
    if (facts.model) CHECK((facts.model == "X" || facts.model == "Arm Neoverse-N1"));
  }
  CHECK(parse_cpuinfo(text).hypervisor);
}

TEST_CASE("clocks that are none") {
  CHECK(parse_cpuinfo("cpu MHz : 2445.412\n").clock_hz == Approx(2445.412e6));
  for (const char* junk : {"", "0", "-1", "nan", "inf", "2445,4", "fast", "1e300", "2445 MHz"}) {
    INFO(junk);
    CHECK_FALSE(parse_cpuinfo(std::string("cpu MHz : ") + junk + "\n").clock_hz);
  }
}
