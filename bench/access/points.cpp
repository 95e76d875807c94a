// Patterns, work, sectors and lines.
#include "bench/access/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace ridge::bench::access {
namespace {

constexpr std::int64_t sector = 32;
constexpr std::int64_t line = 64;
constexpr std::int64_t lanes = 32;

std::int64_t number(const record::Point& point, const char* axis, std::int64_t otherwise) {
  const record::Value* const value = point.find(axis);
  if (value == nullptr) return otherwise;
  if (const auto* whole = std::get_if<std::int64_t>(value)) return *whole;
  const auto& text = std::get<std::string>(*value);
  std::int64_t found = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), found);
  return found;
}

std::int64_t elements_of(const record::Point& point) {
  return point.integer("size") / width_of(point);
}

}  // namespace

std::int64_t width_of(const record::Point& point) {
  return number(point, "width", 4);
}

bool stores(const record::Point& point) {
  return point.text("op") == "store";
}

Pattern pattern_of(const record::Point& point) {
  Pattern p;
  p.offset = number(point, "offset", 0);
  p.stride = number(point, "stride", 1);
  const std::int64_t reachable = elements_of(point) - p.offset;
  p.count = reachable <= 0 ? 0 : (reachable + p.stride - 1) / p.stride;
  return p;
}

record::Work work(const record::Point& point) {
  const Pattern p = pattern_of(point);
  record::Work work;
  work.items = p.count;
  work.bytes_read = stores(point) ? 0 : p.count * width_of(point);
  work.bytes_written = stores(point) ? p.count * width_of(point) : 0;
  work.counting = "the bytes of the elements that are asked for, once each; not what moves along with them";
  return work;
}

std::vector<std::int64_t> buffers(const record::Point& point) {
  return {elements_of(point) * width_of(point) + guard_bytes};
}

std::optional<std::string> unsupported(const record::Point& point) {
  const Pattern p = pattern_of(point);
  const std::int64_t elements = elements_of(point);
  if (elements < 1)
    return fmt::format("a size of {} bytes is below one element of {} bytes", point.integer("size"), width_of(point));
  if (p.count < 1) return fmt::format("an offset of {} elements is beyond the array of {}", p.offset, elements);
  if (p.stride > 1 && p.count < 2)
    return fmt::format("a stride of {} elements is beyond the array of {}", p.stride, elements);
  return std::nullopt;
}

int sectors_per_request(std::int64_t stride, std::int64_t offset, std::int64_t width) {
  std::set<std::int64_t> touched;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    const std::int64_t begin = (offset + lane * stride) * width;
    for (std::int64_t at = begin / sector; at <= (begin + width - 1) / sector; ++at) touched.insert(at);
  }
  return static_cast<int>(touched.size());
}

double sector_excess(const Pattern& pattern, std::int64_t width) {
  const int sectors = sectors_per_request(pattern.stride, pattern.offset, width);
  return static_cast<double>(sectors * sector) / static_cast<double>(lanes * width);
}

// Neighbours share lines, so a line is moved once for all of its elements that are asked for.
double line_excess(const Pattern& pattern, std::int64_t width) {
  return static_cast<double>(std::min(line, pattern.stride * width)) / static_cast<double>(std::min(line, width));
}

}  // namespace ridge::bench::access
