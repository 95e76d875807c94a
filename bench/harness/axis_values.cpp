// Expands axis expressions into points.
#include "bench/harness/axis_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "bench/harness/dtype.hpp"
#include "bench/harness/parse.hpp"

namespace ridge::bench {
namespace {

using record::Point;
using record::Value;

constexpr std::int64_t probe_size = 1 << 20;
constexpr std::int64_t smallest_level_size = 1024;
constexpr double memory_multiple = 4.0;

int element_bits(const Point& point) {
  const Value* dtype = point.find("dtype");
  return dtype ? bits_of(std::get<std::string>(*dtype)).value_or(8) : 8;
}

bool is_level(const std::string& item) {
  return item == "memory" || (item.size() == 2 && item[0] == 'L' && item[1] >= '1' && item[1] <= '9');
}

std::int64_t bytes_of_elements(std::int64_t elements, const Point& point) {
  std::int64_t bits = 0;
  if (__builtin_mul_overflow(elements, static_cast<std::int64_t>(element_bits(point)), &bits))
    throw UsageError(fmt::format("{} elements are more bytes than 2^63-1", elements));
  return (bits + 7) / 8;
}

class Expander {
 public:
  Expander(const Definition& definition, const device::Name& device, const Inventory& inventory,
           const std::map<std::string, std::string>& expressions, bool by_suite)
      : definition_(definition),
        device_(device),
        inventory_(inventory),
        expressions_(expressions),
        by_suite_(by_suite) {}

  Span expand() {
    span_.points.emplace_back();
    for (const Pass pass : {Pass::plain, Pass::sizes, Pass::by_level})
      for (const Axis& axis : definition_.axes)
        if (exists_on(axis, device_.kind) && pass_of(axis) == pass) multiply(axis);
    for (Point& point : span_.points) point = in_declared_order(point);
    std::sort(span_.notes.begin(), span_.notes.end());
    span_.notes.erase(std::unique(span_.notes.begin(), span_.notes.end()), span_.notes.end());
    return std::move(span_);
  }

 private:
  // Sizes come late: what "L1" means depends on the threads and the type. Defaults that depend on the level come last.
  enum class Pass { plain, sizes, by_level };

  Pass pass_of(const Axis& axis) const {
    if (axis.kind == AxisKind::bytes) return Pass::sizes;
    return axis.in_cache.empty() || expressions_.contains(axis.name) ? Pass::plain : Pass::by_level;
  }

  const std::string& default_of(const Axis& axis, const Point& point) const {
    if (axis.in_cache.empty()) return axis.fallback;
    const auto level = inventory_.level_of(working_set(point), threads_of(point));
    return level && *level != "memory" ? axis.in_cache : axis.fallback;
  }

  void multiply(const Axis& axis) {
    std::string option = axis.name;
    std::optional<std::string> expression;
    if (const auto given = expressions_.find(axis.name); given != expressions_.end()) expression = given->second;
    if (const auto given = expressions_.find("elements"); axis.name == "size" && given != expressions_.end()) {
      option = "elements";
      expression = given->second;
    }
    std::vector<Point> next;
    for (const Point& point : span_.points) {
      try {
        const bool bear_absent = by_suite_ || !expression;
        for (Value& value :
             values(axis, option, expression ? *expression : default_of(axis, point), point, bear_absent)) {
          next.push_back(point);
          next.back().set(axis.name, std::move(value));
        }
      } catch (const UsageError& error) {
        throw UsageError(fmt::format("--{}: {}", option, error.what()));
      }
    }
    span_.points = std::move(next);
  }

  std::vector<Value> values(const Axis& axis, const std::string& option, const std::string& expression,
                            const Point& point, bool bear_absent) {
    if (option == "elements") {
      std::vector<Value> sizes;
      for (const std::int64_t count : parse_list(expression, parse_count))
        sizes.emplace_back(bytes_of_elements(count, point));
      return sizes;
    }
    switch (axis.kind) {
      case AxisKind::bytes:
        return byte_values(axis, expression, point, bear_absent);
      case AxisKind::count:
        return count_values(axis, expression, point);
      case AxisKind::device:
        return device_values(expression);
      case AxisKind::choice:
        break;
    }
    return choice_values(axis, expression);
  }

  // What only other architectures have is left out where nobody named it.
  std::vector<Value> choice_values(const Axis& axis, const std::string& expression) const {
    const bool all = expression == "all";
    std::vector<Value> values;
    for (const std::string& item : all ? axis.choices : split_list(expression)) {
      if (std::find(axis.choices.begin(), axis.choices.end(), item) == axis.choices.end())
        throw UsageError(not_one_of(item, axis.choices));
      if ((all || by_suite_) && !has(axis, item)) continue;
      values.emplace_back(item);
    }
    return values;
  }

  bool has(const Axis& axis, const std::string& choice) const {
    const auto needed = axis.of_capability.find(choice);
    if (needed == axis.of_capability.end()) return true;
    const DeviceEntry* const entry = inventory_.find(device_);
    const auto those = split_list(needed->second);
    return entry != nullptr && std::find(those.begin(), those.end(), entry->capability) != those.end();
  }

  // `bear_absent`: leave out cache levels that the machine does not tell of, which no person asked for.
  std::vector<Value> byte_values(const Axis& axis, const std::string& expression, const Point& point,
                                 bool bear_absent) {
    std::vector<Value> sizes;
    for (const std::string& item : split_list(expression)) {
      if (!is_level(item)) {
        for (const std::int64_t size : parse_list(item, parse_bytes))
          sizes.emplace_back(whole_elements(axis, size, point));
      } else if (bear_absent && item != "memory" && !inventory_.capacity(item, 1)) {
        span_.notes.push_back(fmt::format("this machine tells of no cache level {}: left out", item));
      } else {
        const std::int64_t size = size_for_level(inventory_, item, threads_of(point), arrays_factor(axis, point));
        sizes.emplace_back(whole_elements(axis, size, point));
      }
    }
    return sizes;
  }

  std::vector<Value> count_values(const Axis& axis, const std::string& expression, const Point& point) const {
    std::vector<Value> counts;
    for (const std::string& item : split_list(expression)) {
      if (item == "all") {
        counts.emplace_back(std::int64_t{inventory_.usable_threads});
        continue;
      }
      if (const Value* const other = point.find(item)) {  // as large as an axis before it: --n m
        counts.push_back(*other);
        continue;
      }
      for (const std::int64_t count : parse_list(item, parse_count)) {
        if (count > axis.most) throw UsageError(fmt::format("{} is above the most, {}", count, axis.most));
        if (by_suite_ && of_machine(axis) && count > inventory_.usable_threads) continue;
        counts.emplace_back(count);
      }
    }
    return counts;
  }

  // A machine has only so many of these, and a suite is for all machines.
  static bool of_machine(const Axis& axis) {
    return axis.name == "threads" || axis.name == "ranks" || axis.name == "gpus";
  }

  // Where there is no other device, a suite plans nothing, and a person is told of the one that is not there.
  std::vector<Value> device_values(const std::string& expression) const {
    std::vector<device::Name> others;
    for (const DeviceEntry& entry : inventory_.devices)
      if (entry.name.kind == device_.kind && !entry.absent && entry.name != device_) others.push_back(entry.name);
    if (others.empty() && !by_suite_) others.push_back({device_.kind, device_.index + 1});
    const auto after =
        std::find_if(others.begin(), others.end(), [&](const auto& o) { return o.index > device_.index; });
    const auto next = after == others.end() ? others.begin() : after;
    std::vector<Value> values;
    const auto add = [&](const std::string& name) {
      const Value value(name);
      if (name != device_.text() && std::find(values.begin(), values.end(), value) == values.end())
        values.push_back(value);
    };
    for (const std::string& item : split_list(expression)) {
      if (item == "all") {
        for (const device::Name& other : others) add(other.text());
      } else if (item == "next") {
        if (next != others.end()) add(next->text());
      } else {
        add(named(item).text());
      }
    }
    return values;
  }

  device::Name named(const std::string& text) const {
    const auto name = device::parse_name(text);
    if (!name || name->kind == device::Kind::cpu || name->kind != device_.kind)
      throw UsageError(fmt::format("'{}' is no device that {} has beside it; it is next, all, or a name such as {}",
                                   text, device_.text(), device::Name{device_.kind, device_.index + 1}.text()));
    return *name;
  }

  // A benchmark without that axis works on one thread: the first-level cache that it has is one core's.
  static int threads_of(const Point& point) { return static_cast<int>(bench::threads_of(point).value_or(1)); }

  std::int64_t working_set(const Point& point) const {
    const auto buffers = definition_.buffers(point);
    return std::accumulate(buffers.begin(), buffers.end(), std::int64_t{0});
  }

  // How many bytes a case borrows for each byte of this axis.
  double arrays_factor(const Axis& axis, Point point) const {
    point.set(axis.name, probe_size);
    return static_cast<double>(working_set(point)) / static_cast<double>(probe_size);
  }

  std::int64_t whole_elements(const Axis& axis, std::int64_t bytes, const Point& point) {
    const std::int64_t unit = std::max(1, element_bits(point) / 8);
    const std::int64_t rounded = bytes / unit * unit;
    if (rounded < 1) throw UsageError(fmt::format("{} B is less than one element of {} B", bytes, unit));
    if (rounded != bytes)
      span_.notes.push_back(fmt::format("--{} {} B is not a multiple of the element ({} B): rounded down to {} B",
                                        axis.name, bytes, unit, rounded));
    return rounded;
  }

  Point in_declared_order(const Point& point) const {
    Point ordered;
    for (const Axis& axis : definition_.axes)
      if (const Value* value = point.find(axis.name)) ordered.set(axis.name, *value);
    return ordered;
  }

  const Definition& definition_;
  const device::Name& device_;
  const Inventory& inventory_;
  const std::map<std::string, std::string>& expressions_;
  bool by_suite_;
  Span span_;
};

}  // namespace

std::int64_t size_for_level(const Inventory& inventory, const std::string& level, int threads, double arrays_factor) {
  if (level == "memory") {
    const double total = memory_multiple * static_cast<double>(inventory.last_level_bytes());
    const auto size = static_cast<std::uint64_t>(total / arrays_factor);
    return static_cast<std::int64_t>(std::bit_ceil(std::max<std::uint64_t>(size, smallest_level_size)));
  }
  const auto capacity = inventory.capacity(level, threads);
  if (!capacity)
    throw UsageError(fmt::format("this machine tells of no cache level {}; give a size in bytes instead", level));
  const auto size = static_cast<std::uint64_t>(static_cast<double>(*capacity) / 2.0 / arrays_factor);
  return static_cast<std::int64_t>(std::bit_floor(std::max<std::uint64_t>(size, smallest_level_size)));
}

Span span_points(const Definition& definition, const device::Name& device, const Inventory& inventory,
                 const std::map<std::string, std::string>& expressions, bool by_suite) {
  return Expander(definition, device, inventory.seen_by(device), expressions, by_suite).expand();
}

}  // namespace ridge::bench
