// Predictions and comparisons within one run.
#include "bench/launch/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/harness/lookup.hpp"

namespace ridge::bench::launch {
namespace {

using record::Better;
using record::Record;
using record::Unit;

void add(Record& record, const char* name, double value, Unit unit) {
  record.metrics.push_back({name, value, unit, Better::neither, std::nullopt, std::nullopt});
}

std::optional<double> handover(std::span<const Record> records, const Record& like) {
  const Record* const found =
      find(records, "launch.handover", like.device, [](const Record& other) { return value_of(other, "latency"); });
  return found == nullptr ? std::nullopt : value_of(*found, "latency");
}

const Record* in_graph(std::span<const Record> records, const Record& like) {
  return find(records, like.benchmark, like.device, [&](const Record& other) {
    return axis_text(other, "way") == "graph" && axis_text(other, "arguments") == axis_text(like, "arguments") &&
           other.method.cache == like.method.cache && value_of(other, "latency");
  });
}

std::string seconds(double value) {
  return record::human(value, Unit::seconds);
}

}  // namespace

std::vector<record::Finding> conclude(std::span<Record> records) {
  for (Record& record : records) {
    if (record.benchmark == "launch.empty" && record.work.items && record.status != record::Status::skipped)
      add(record, "predicted_launches", static_cast<double>(*record.work.items), Unit::count);
    const auto latency = value_of(record, "latency");
    if (!latency) continue;
    if (record.benchmark == "launch.fork_join" && record.point.integer("threads") > 1) {
      const auto one_way = handover(records, record);
      if (!one_way) continue;
      add(record, "predicted_latency", 2 * *one_way, Unit::seconds);
      add(record, "share_of_prediction", *latency / (2 * *one_way), Unit::ratio);
    } else if (record.benchmark == "launch.empty" && axis_text(record, "way") == "queued") {
      if (const Record* const graph = in_graph(records, record))
        add(record, "graph_saves", *latency / *value_of(*graph, "latency"), Unit::ratio);
    }
  }
  return {};
}

// "launch.empty cuda:0, 1 argument: event 2 us, wall 6 us, queued 2 us, graph 1 us" and "launch.fork_join cpu: 1 thread
// 3 ns, 2 threads 300 ns (handover 80 ns)".
std::vector<std::string> key_figures(std::span<const Record> records) {
  std::vector<std::string> lines;
  std::vector<std::string> seen;
  for (const Record& first : records) {
    const bool fork = first.benchmark == "launch.fork_join";
    if ((!fork && first.benchmark != "launch.empty") || !value_of(first, "latency")) continue;
    const std::string group =
        fork ? fmt::format("{} {}", first.benchmark, first.device)
             : fmt::format("{} {}, {} argument{}", first.benchmark, first.device, axis_text(first, "arguments"),
                           axis_text(first, "arguments") == "1" ? "" : "s");
    if (std::find(seen.begin(), seen.end(), group) != seen.end()) continue;
    seen.push_back(group);
    std::vector<std::string> parts;
    for (const Record& record : records) {
      const auto latency = value_of(record, "latency");
      if (!latency || !is(record, first.benchmark, first.device) ||
          axis_text(record, "arguments") != axis_text(first, "arguments"))
        continue;
      const std::string threads = axis_text(record, "threads");
      parts.push_back(fmt::format(
          "{} {}", fork ? fmt::format("{} thread{}", threads, threads == "1" ? "" : "s") : axis_text(record, "way"),
          seconds(*latency)));
    }
    std::string line = fmt::format("{}: {}", group, fmt::join(parts, ", "));
    if (const auto one_way = handover(records, first); fork && one_way)
      line += fmt::format(" (handover {})", seconds(*one_way));
    lines.push_back(std::move(line));
  }
  return lines;
}

std::shared_ptr<const Analysis> analysis() {
  static const auto one = std::make_shared<const Analysis>(Analysis{conclude, key_figures, {}});
  return one;
}

}  // namespace ridge::bench::launch
