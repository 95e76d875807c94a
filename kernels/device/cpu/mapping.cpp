// Maps memory between two guard pages and asks the kernel which page size it was given.
#include "kernels/device/cpu/mapping.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace ridge::device::cpu {
namespace {

constexpr std::int64_t guard = std::int64_t{64} << 10;  // a page at least: AArch64 kernels may use 64 KiB ones

std::int64_t round_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

// At least something: not every system changes the rights of nothing.
std::int64_t committed(std::int64_t bytes) {
  return round_up(std::max<std::int64_t>(bytes, 1), guard);
}

// "AnonHugePages:     2048 kB" → 2097152, if the line is about that field.
std::optional<std::int64_t> field(std::string_view line, std::string_view name) {
  if (line.substr(0, name.size()) != name) return std::nullopt;
  line.remove_prefix(name.size());
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  std::int64_t kib = 0;
  if (std::from_chars(line.data(), line.data() + line.size(), kib).ec != std::errc{}) return std::nullopt;
  return kib * 1024;
}

// The address a mapping's first line begins with ("7f12a0000000-7f12c0000000 rw-p …"); nothing for other lines.
std::optional<std::uintptr_t> mapping_start(std::string_view line) {
  std::uintptr_t start = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), start, 16);
  if (error != std::errc{} || end == line.data() + line.size() || *end != '-') return std::nullopt;
  return start;
}

}  // namespace

Mapping::Mapping(const System& system, std::int64_t bytes, std::int64_t available, Pages pages)
    : system_(system), reserved_(committed(bytes) + huge_page + 2 * guard), bytes_(bytes) {
  base_ = system_.reserve(reserved_);
  if (base_ == nullptr) throw OutOfMemory(bytes, available);
  const auto address = reinterpret_cast<std::uintptr_t>(base_) + static_cast<std::uintptr_t>(guard);
  const auto aligned = round_up(static_cast<std::int64_t>(address), huge_page);
  begin_ = reinterpret_cast<std::byte*>(aligned);
  // What stays without access rights around it turns an overrun into a fault, and keeps the kernel from merging this
  // mapping with a neighbour, whose pages smaps would then count as ours.
  if (!system_.commit(begin_, committed(bytes))) {
    system_.release(base_, reserved_);
    throw OutOfMemory(bytes, available);
  }
  if (pages == Pages::huge)
    asked_ = system_.ask_huge_pages(begin_, committed(bytes));
  else
    system_.refuse_huge_pages(begin_, committed(bytes));
}

Mapping::~Mapping() {
  system_.release(base_, reserved_);
}

std::optional<std::int64_t> Mapping::page_size() const {
  const std::string text = system_.read_file("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
  const std::int64_t huge = text.empty() ? huge_page : std::strtoll(text.c_str(), nullptr, 10);
  return page_size_in(system_.read_file("/proc/self/smaps"), reinterpret_cast<std::uintptr_t>(begin_), huge);
}

std::optional<std::int64_t> page_size_in(const std::string& smaps, std::uintptr_t begin, std::int64_t huge) {
  std::istringstream lines(smaps);
  std::string line;
  bool ours = false;
  std::optional<std::int64_t> resident;
  std::optional<std::int64_t> base;
  std::int64_t in_huge_pages = 0;
  while (std::getline(lines, line)) {
    if (const auto start = mapping_start(line)) {
      if (ours) break;
      ours = *start == begin;
    } else if (ours) {
      if (const auto value = field(line, "Rss:")) resident = value;
      if (const auto value = field(line, "KernelPageSize:")) base = value;
      if (const auto value = field(line, "AnonHugePages:")) in_huge_pages = *value;
    }
  }
  if (!resident || *resident == 0) return std::nullopt;
  return in_huge_pages >= *resident - *resident / 10 ? std::optional(huge) : base;
}

}  // namespace ridge::device::cpu
