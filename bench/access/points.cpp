// Patterns, work, sectors and lines.
#include "bench/access/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace ridge::bench::access {
namespace {

constexpr std::int64_t sector = 32;
constexpr std::int64_t line = 64;
constexpr std::int64_t lanes = 32;
constexpr std::int64_t index_bytes = 4;

std::int64_t number(const record::Point& point, const char* axis, std::int64_t otherwise) {
  const record::Value* const value = point.find(axis);
  if (value == nullptr) return otherwise;
  if (const auto* whole = std::get_if<std::int64_t>(value)) return *whole;
  const auto& text = std::get<std::string>(*value);
  std::int64_t found = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), found);
  return found;
}

constexpr const char* counting =
    "the bytes of the elements that are asked for, once each; not what moves along with them";

// `items` elements of `width` bytes, read or written as the point says.
record::Work asked_for(const record::Point& point, std::int64_t items, std::int64_t width) {
  record::Work work;
  work.items = items;
  work.bytes_read = stores(point) ? 0 : items * width;
  work.bytes_written = stores(point) ? items * width : 0;
  work.counting = counting;
  return work;
}

std::vector<std::int64_t> array_of(const record::Point& point) {
  return {elements_of(point) * width_of(point) + guard_bytes};
}

std::optional<std::string> too_small(const record::Point& point, std::int64_t least, const char* what) {
  if (point.integer("size") >= least) return std::nullopt;
  return fmt::format("a size of {} bytes is below {} of {} bytes", point.integer("size"), what, least);
}

record::Work strided_work(const record::Point& point) {
  return asked_for(point, pattern_of(point).count, width_of(point));
}

std::optional<std::string> strided_unsupported(const record::Point& point) {
  const Pattern p = pattern_of(point);
  const std::int64_t elements = elements_of(point);
  if (auto reason = too_small(point, width_of(point), "one element")) return reason;
  if (p.count < 1) return fmt::format("an offset of {} elements is beyond the array of {}", p.offset, elements);
  if (p.stride > 1 && p.count < 2)
    return fmt::format("a stride of {} elements is beyond the array of {}", p.stride, elements);
  return std::nullopt;
}

record::Work indexed_work(const record::Point& point) {
  record::Work work = asked_for(point, elements_of(point), width_of(point));
  *work.bytes_read += elements_of(point) * index_bytes;
  work.counting = "each index and each element once; not what moves along with them";
  return work;
}

std::vector<std::int64_t> indexed_buffers(const record::Point& point) {
  return {elements_of(point) * index_bytes, array_of(point).front()};
}

std::optional<std::string> indexed_unsupported(const record::Point& point) {
  if (auto reason = too_small(point, width_of(point), "one element")) return reason;
  if (elements_of(point) <= std::int64_t{1} << 32) return std::nullopt;
  return fmt::format("{} elements are more than 32-bit indices reach", elements_of(point));
}

record::Work structured_work(const record::Point& point) {
  const auto fields = fields_of(point);
  return asked_for(point, fields.items * fields.used, 4);
}

std::optional<std::string> structured_unsupported(const record::Point& point) {
  return too_small(point, number(point, "fields", 1) * 4, "one structure");
}

record::Work phased_work(const record::Point& point) {
  record::Work work = asked_for(point, phases_of(point).lines, 4);
  work.counting = "4 bytes of each line, once; not the line that moves along with them";
  return work;
}

std::optional<std::string> phased_unsupported(const record::Point& point) {
  if (auto reason = too_small(point, line, "one line")) return reason;
  const Phases phases = phases_of(point);
  if (phases.distance <= phases.lines) return std::nullopt;
  return fmt::format("a stride of {} lines is beyond the array of {}", phases.distance, phases.lines);
}

}  // namespace

std::int64_t width_of(const record::Point& point) {
  return number(point, "width", 4);
}

std::int64_t elements_of(const record::Point& point) {
  return point.integer("size") / width_of(point);
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

ridge::access::Fields fields_of(const record::Point& point) {
  const std::int64_t each = number(point, "fields", 1);
  ridge::access::Fields fields;
  fields.items = elements_of(point) / each;
  const bool structures = point.text("layout") == "aos";
  fields.per_item = structures ? each : 1;
  fields.per_field = structures ? 1 : fields.items;
  fields.used = point.text("used") == "one" ? 1 : each;
  return fields;
}

Phases phases_of(const record::Point& point) {
  return {point.integer("size") / line, number(point, "stride", 1)};
}

std::int64_t Phases::begin_of(std::int64_t phase) const {
  return phase * (lines / distance) + std::min(phase, lines % distance);
}

Pattern Phases::pattern_of(std::int64_t phase) const {
  constexpr std::int64_t elements = line / 4;
  return {phase * elements, distance * elements, begin_of(phase + 1) - begin_of(phase)};
}

const Facts strided_facts{strided_work, array_of, strided_unsupported};
const Facts indexed_facts{indexed_work, indexed_buffers, indexed_unsupported};
const Facts structured_facts{structured_work, array_of, structured_unsupported};
const Facts phased_facts{phased_work, array_of, phased_unsupported};

int sectors_per_request(std::int64_t stride, std::int64_t offset, std::int64_t width) {
  std::set<std::int64_t> touched;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    const std::int64_t begin = (offset + lane * stride) * width;
    for (std::int64_t at = begin / sector; at <= (begin + width - 1) / sector; ++at) touched.insert(at);
  }
  return static_cast<int>(touched.size());
}

double sectors_per_request(const ridge::access::Fields& fields) {
  int sectors = 0;
  for (std::int64_t f = 0; f < fields.used; ++f)
    sectors += sectors_per_request(fields.per_item, f * fields.per_field, 4);
  return static_cast<double>(sectors) / static_cast<double>(fields.used);
}

// A sector is missed by all lanes with the probability that 32 draws without return give it.
double random_sectors_per_request(std::int64_t elements, std::int64_t width) {
  const auto all = static_cast<double>(elements);
  const auto in_sector = static_cast<double>(sector / width);
  const auto drawn = static_cast<double>(std::min(lanes, elements));
  double missed = 1;
  for (double lane = 0; lane < drawn; ++lane) missed *= std::max(0.0, all - in_sector - lane) / (all - lane);
  return std::ceil(all / in_sector) * (1 - missed);
}

double sector_excess(const Pattern& pattern, std::int64_t width) {
  const int sectors = sectors_per_request(pattern.stride, pattern.offset, width);
  return static_cast<double>(sectors * sector) / static_cast<double>(lanes * width);
}

// Neighbours share lines, so a line is moved once for all of its elements that are asked for.
double line_excess(const Pattern& pattern, std::int64_t width) {
  return static_cast<double>(std::min(line, pattern.stride * width)) / static_cast<double>(std::min(line, width));
}

double random_sector_excess(std::int64_t elements, std::int64_t width) {
  const double moved = random_sectors_per_request(elements, width) * static_cast<double>(sector) / lanes;
  return (static_cast<double>(index_bytes) + moved) / static_cast<double>(index_bytes + width);
}

double random_line_excess(std::int64_t width) {
  return static_cast<double>(index_bytes + line) / static_cast<double>(index_bytes + width);
}

}  // namespace ridge::bench::access
