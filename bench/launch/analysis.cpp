// Predictions and comparisons within one run.
#include "bench/launch/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/harness/lookup.hpp"
#include "bench/launch/points.hpp"

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

// Of that benchmark, launched in that way, with as many of what the axis counts.
const Record* launched(std::span<const Record> records, const Record& like, const char* benchmark, const char* way,
                       const char* axis, const std::string& count) {
  return find(records, benchmark, like.device, [&](const Record& other) {
    return axis_text(other, "way") == way && axis_text(other, axis) == count &&
           other.method.cache == like.method.cache && value_of(other, "latency");
  });
}

void conclude_steps(std::span<const Record> records, Record& record) {
  const std::string way = axis_text(record, "way"), steps = axis_text(record, "steps");
  const double latency = *value_of(record, "latency");
  if (way == "persistent" || way == "graph")
    if (const Record* const stream = launched(records, record, "launch.steps", "stream", "steps", steps))
      record.metrics.push_back({"speedup", *value_of(*stream, "latency") / latency, Unit::ratio, Better::higher,
                                std::nullopt, std::nullopt});
  if (way == "persistent") return;
  const Record* const all = launched(records, record, "launch.steps", "persistent", "steps", steps);
  const Record* const empty =
      launched(records, record, "launch.empty", way == "graph" ? "graph" : "queued", "arguments", "1");
  if (all == nullptr || empty == nullptr) return;
  const double predicted = *value_of(*all, "latency") + *value_of(*empty, "latency");
  add(record, "predicted_latency", predicted, Unit::seconds);
  add(record, "share_of_prediction", latency / predicted, Unit::ratio);
}

// Of what there are several records of one way.
const char* axis_of(const Record& record) {
  return record.benchmark == "launch.steps" ? "steps" : "arguments";
}

// ", 1 step", ", 2 steps".
std::string counted(const std::string& count, const char* what) {
  return fmt::format(", {} {}{}", count, what, count == "1" ? "" : "s");
}

std::string seconds(double value) {
  return record::human(value, Unit::seconds);
}

}  // namespace

std::vector<record::Finding> conclude(std::span<Record> records) {
  for (Record& record : records) {
    if (record.benchmark == "launch.empty" && record.work.items && record.status != record::Status::skipped)
      add(record, "predicted_launches", static_cast<double>(*record.work.items), Unit::count);
    if (record.benchmark == "launch.steps" && record.status != record::Status::skipped)
      add(record, "predicted_launches", static_cast<double>(step_launches(record.point)), Unit::count);
    const auto latency = value_of(record, "latency");
    if (!latency) continue;
    if (record.benchmark == "launch.fork_join" && record.point.integer("threads") > 1) {
      const auto one_way = handover(records, record);
      if (!one_way) continue;
      add(record, "predicted_latency", 2 * *one_way, Unit::seconds);
      add(record, "share_of_prediction", *latency / (2 * *one_way), Unit::ratio);
    } else if (record.benchmark == "launch.empty" && axis_text(record, "way") == "queued") {
      if (const Record* const graph =
              launched(records, record, "launch.empty", "graph", "arguments", axis_text(record, "arguments")))
        add(record, "graph_saves", *latency / *value_of(*graph, "latency"), Unit::ratio);
    } else if (record.benchmark == "launch.steps") {
      conclude_steps(records, record);
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
    const bool fork = first.benchmark == "launch.fork_join", steps = first.benchmark == "launch.steps";
    if ((!fork && !steps && first.benchmark != "launch.empty") || !value_of(first, "latency")) continue;
    std::string group = fmt::format("{} {}", first.benchmark, first.device);
    if (!fork) group += counted(axis_text(first, axis_of(first)), steps ? "step" : "argument");
    if (std::find(seen.begin(), seen.end(), group) != seen.end()) continue;
    seen.push_back(group);
    std::vector<std::string> parts;
    for (const Record& record : records) {
      const auto latency = value_of(record, "latency");
      if (!latency || !is(record, first.benchmark, first.device) ||
          axis_text(record, axis_of(record)) != axis_text(first, axis_of(first)))
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
