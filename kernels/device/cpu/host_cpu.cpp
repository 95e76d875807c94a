// Parsing /proc/cpuinfo. AArch64 gives part numbers in place of names; the table names those of servers and boards.
#include "kernels/device/cpu/host_cpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "kernels/device/cpu/host_files.hpp"

namespace ridge::device::cpu {
namespace {

struct Part {
  int implementer;
  int part;
  const char* name;
};
// Numbers from the Linux kernel, arch/arm64/include/asm/cputype.h.
constexpr Part parts[] = {
    {0x41, 0xd03, "Arm Cortex-A53"},  {0x41, 0xd05, "Arm Cortex-A55"},  {0x41, 0xd07, "Arm Cortex-A57"},
    {0x41, 0xd08, "Arm Cortex-A72"},  {0x41, 0xd0b, "Arm Cortex-A76"},  {0x41, 0xd0c, "Arm Neoverse-N1"},
    {0x41, 0xd40, "Arm Neoverse-V1"}, {0x41, 0xd41, "Arm Cortex-A78"},  {0x41, 0xd42, "Arm Cortex-A78AE"},
    {0x41, 0xd49, "Arm Neoverse-N2"}, {0x41, 0xd4f, "Arm Neoverse-V2"}, {0x41, 0xd84, "Arm Neoverse-V3"},
    {0x41, 0xd8e, "Arm Neoverse-N3"}, {0x43, 0x0af, "ThunderX2"},       {0x46, 0x001, "Fujitsu A64FX"},
    {0x48, 0xd01, "Kunpeng 920"},     {0x4e, 0x004, "NVIDIA Carmel"},   {0xc0, 0xac3, "Ampere-1"},
    {0xc0, 0xac4, "Ampere-1A"}};

struct SimdRule {
  const char* name;   // as Ridge reports it
  const char* flags;  // all of these, separated by blanks
};
constexpr SimdRule simd_rules[] = {{"amx_int8", "amx_tile amx_int8"},
                                   {"amx_bf16", "amx_tile amx_bf16"},
                                   {"avx512_fp16", "avx512f avx512_fp16"},
                                   {"avx512_bf16", "avx512f avx512_bf16"},
                                   {"avx512_vnni", "avx512f avx512_vnni"},
                                   {"avx512", "avx512f avx512bw avx512cd avx512dq avx512vl"},
                                   {"avx_vnni", "avx2 avx_vnni"},
                                   {"avx2", "avx2 fma f16c bmi2"},
                                   {"sse4", "sse4_1 sse4_2 pclmulqdq"},
                                   {"ssse3", "ssse3"},
                                   {"sse2", "sse2"},
                                   {"sve2", "sve2"},
                                   {"sve", "sve"},
                                   {"bf16", "asimd bf16"},
                                   {"i8mm", "asimd i8mm"},
                                   {"dotprod", "asimd asimddp"},
                                   {"neon", "asimd"}};

std::optional<int> hexadecimal(std::string_view text) {
  if (!text.starts_with("0x")) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::set<std::string_view> words(std::string_view text) {
  std::set<std::string_view> result;
  while (!(text = trimmed(text)).empty()) {
    const auto end = std::min(text.find(' '), text.size());
    result.insert(text.substr(0, end));
    text.remove_prefix(end);
  }
  return result;
}

std::string part_name(int implementer, int part) {
  const auto* found = std::find_if(std::begin(parts), std::end(parts), [&](const Part& each) {
    return each.implementer == implementer && each.part == part;
  });
  if (found != std::end(parts)) return found->name;
  return fmt::format("implementer {:#04x} part {:#05x}", implementer, part);
}

// "Arm Cortex-A55 + Arm Cortex-A76" where the cores differ.
std::optional<std::string> arm_model(std::string_view text) {
  std::set<std::string> names;
  std::optional<int> implementer;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (const auto value = field(line, "CPU implementer")) implementer = hexadecimal(*value);
    const auto value = field(line, "CPU part");
    const auto part = value ? hexadecimal(*value) : std::nullopt;
    if (implementer && part) names.insert(part_name(*implementer, *part));
  }
  std::string joined;
  for (const auto& name : names) joined += (joined.empty() ? "" : " + ") + name;
  return clean(joined);
}

std::optional<double> megahertz(std::string_view text) {
  double value = 0;  // from_chars: a locale's decimal comma must not matter
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) || value > 1e5) return std::nullopt;
  return value * 1e6;
}

}  // namespace

CpuFacts parse_cpuinfo(std::string_view text) {
  CpuFacts facts;
  if (const auto name = field(text, "model name")) facts.model = clean(*name);
  if (!facts.model) facts.model = arm_model(text);
  auto flags = field(text, "flags");
  if (!flags) flags = field(text, "Features");
  if (flags) {
    const auto have = words(*flags);
    facts.hypervisor = have.contains("hypervisor");
    for (const auto& rule : simd_rules) {
      const auto needed = words(rule.flags);
      if (std::includes(have.begin(), have.end(), needed.begin(), needed.end())) facts.simd.emplace_back(rule.name);
    }
  }
  if (const auto clock = field(text, "cpu MHz")) facts.clock_hz = megahertz(*clock);
  return facts;
}

}  // namespace ridge::device::cpu
