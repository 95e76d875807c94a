// Groups of one algorithm's sizes, each with a model of its own; never an average over sizes.
#include "collectives/allreduce/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/harness/lookup.hpp"
#include "collectives/allreduce/points.hpp"
#include "collectives/model/fit.hpp"

namespace ridge::bench::allreduce {
namespace {

using collectives::Model;
using record::Better;
using record::Finding;
using record::Record;
using record::Unit;

bool mine(const Record& record) {
  return record.benchmark == "allreduce";
}

std::optional<double> seconds_of(const Record& record) {
  if (!mine(record) || record.status != record::Status::ok) return std::nullopt;
  return record.statistics.median;
}

double bytes_of(const Record& record) {
  return static_cast<double>(record.point.integer("size"));
}

// All that records of one curve share but the algorithm: "cpu, 2 ranks, f32 sum, out of place".
std::string setting_of(const Record& record) {
  return fmt::format("{}, {} ranks, {} {}, {}{}", record.device, axis_text(record, "ranks"), axis_text(record, "dtype"),
                     axis_text(record, "op"), in_place(record.point) ? "in place" : "out of place",
                     record.method.cache == "cold" ? ", cold" : "");
}

// The sizes of one algorithm in one setting. A line per byte has another slope where caches hold the arrays than where
// memory does: each has a model of its own.
struct Curve {
  std::vector<const Record*> records;
  std::optional<Model> cached, beyond;
  [[nodiscard]] const std::optional<Model>& model_of(const Record& record) const;
};
// Setting → algorithm → its curve.
using Curves = std::map<std::string, std::map<std::string, Curve>>;

bool in_caches(const Record& record) {
  return record.method.level && record.method.level != "memory";
}

const std::optional<Model>& Curve::model_of(const Record& record) const {
  return in_caches(record) ? cached : beyond;
}

std::optional<Model> fitted(const std::vector<const Record*>& records, bool caches) {
  std::vector<collectives::Timed> timed;
  for (const Record* record : records)
    if (in_caches(*record) == caches) timed.push_back({bytes_of(*record), *seconds_of(*record)});
  return collectives::fit(timed);
}

Curves curves_of(std::span<const Record> records) {
  Curves curves;
  for (const Record& record : records)
    if (seconds_of(record)) curves[setting_of(record)][axis_text(record, "algorithm")].records.push_back(&record);
  for (auto& [setting, algorithms] : curves)
    for (auto& [name, curve] : algorithms) {
      curve.cached = fitted(curve.records, true);
      curve.beyond = fitted(curve.records, false);
    }
  return curves;
}

void add_bandwidths(Record& record, double seconds) {
  const double algbw = bytes_of(record) / seconds;
  record.metrics.push_back({"algbw", algbw, Unit::bytes_per_second, Better::higher, {}, {}});
  const auto factor = bus_factor(ranks_of(record.point));
  const auto busbw = factor ? std::optional(algbw * *factor) : std::nullopt;
  record.metrics.push_back({"busbw", busbw, Unit::bytes_per_second, Better::higher, {}, {}});
}

Finding note(const char* code, std::string text) {
  return {code, record::Severity::note, std::move(text), {}};
}

std::string told(const Model& model, double steps) {
  std::string text = record::human(model.alpha, Unit::seconds);
  if (steps > 1 && model.alpha > 0)
    text += fmt::format(" ({} a step)", record::human(model.alpha / steps, Unit::seconds));
  if (model.seconds_per_byte > 0)
    text += fmt::format(" + size / {}, half of it at {}", record::human(model.rate(), Unit::bytes_per_second),
                        record::human_bytes(std::round(model.half_size())));
  return text + fmt::format(", off by {:.0f} %", 100 * model.residual);
}

void tell_models(const std::string& name, const std::string& setting, const Curve& curve,
                 std::vector<Finding>& findings) {
  const double steps = algorithm_of(curve.records.front()->point).cost(ranks_of(curve.records.front()->point)).steps;
  std::string text = fmt::format("allreduce {} ({}):", name, setting);
  if (curve.cached) text += " in caches " + told(*curve.cached, steps);
  if (curve.beyond) text += fmt::format("{} beyond {}", curve.cached ? ";" : "", told(*curve.beyond, steps));
  if (curve.cached || curve.beyond) findings.push_back(note("allreduce-model", std::move(text)));
}

// The smallest size from which b's records are the faster; nothing where it never is.
std::optional<double> measured_crossover(const Curve& a, const Curve& b) {
  std::optional<double> from;
  for (const Record* mine : b.records)
    for (const Record* other : a.records)
      if (bytes_of(*mine) == bytes_of(*other) && *seconds_of(*mine) < *seconds_of(*other))
        from = std::min(from.value_or(bytes_of(*mine)), bytes_of(*mine));
  return from;
}

// Between the algorithm of the fewest steps and that of the fewest bytes, as their models have it.
void tell_crossover(const std::string& setting, const std::map<std::string, Curve>& algorithms,
                    std::vector<Finding>& findings) {
  const std::pair<const std::string, Curve>* quick = nullptr;
  const std::pair<const std::string, Curve>* wide = nullptr;
  for (const auto& each : algorithms) {
    if (!each.second.cached || each.first == "direct") continue;  // which passes no messages, and wins throughout
    if (quick == nullptr || each.second.cached->alpha < quick->second.cached->alpha) quick = &each;
    if (wide == nullptr || each.second.cached->seconds_per_byte < wide->second.cached->seconds_per_byte) wide = &each;
  }
  if (quick == nullptr || quick == wide) return;
  const auto predicted = collectives::crossover(*quick->second.cached, *wide->second.cached);
  const auto measured = measured_crossover(quick->second, wide->second);
  if (!predicted) return;
  findings.push_back(note("allreduce-crossover",
                          fmt::format("allreduce ({}): {} overtakes {} at {}, predicted {}", setting, wide->first,
                                      quick->first, measured ? record::human_bytes(*measured) : "no size measured",
                                      record::human_bytes(std::round(*predicted)))));
}

}  // namespace

std::optional<double> bus_factor(int ranks) {
  if (ranks < 2) return std::nullopt;
  return 2.0 * (ranks - 1) / ranks;
}

std::vector<Finding> conclude(std::span<Record> records) {
  const Curves curves = curves_of(records);
  bool alone = false;
  for (Record& record : records) {
    const auto seconds = seconds_of(record);
    if (!seconds) continue;
    alone = alone || ranks_of(record.point) == 1;
    add_bandwidths(record, *seconds);
    const auto& model = curves.at(setting_of(record)).at(axis_text(record, "algorithm")).model_of(record);
    if (model)
      record.metrics.push_back(
          {"predicted_time", model->time(bytes_of(record)), Unit::seconds, Better::neither, {}, {}});
  }
  std::vector<Finding> findings;
  for (const auto& [setting, algorithms] : curves) {
    for (const auto& [name, curve] : algorithms) tell_models(name, setting, curve, findings);
    tell_crossover(setting, algorithms, findings);
  }
  if (alone) findings.push_back(note("allreduce-one-rank", "one rank sends nothing: it has an algbw, and no busbw"));
  return findings;
}

// "allreduce cpu, 2 ranks: 8 B in 210 ns (direct), 16 MiB at 9.1 GB/s busbw (direct)": the best at either end.
std::vector<std::string> key_figures(std::span<const Record> records) {
  std::vector<std::string> lines;
  for (const auto& [setting, algorithms] : curves_of(records)) {
    const Record* shortest = nullptr;
    const Record* widest = nullptr;
    for (const auto& [name, curve] : algorithms)
      for (const Record* record : curve.records) {
        if (shortest == nullptr || *seconds_of(*record) < *seconds_of(*shortest)) shortest = record;
        const auto busbw = value_of(*record, "busbw");
        if (busbw && (widest == nullptr || bytes_of(*record) > bytes_of(*widest) ||
                      (bytes_of(*record) == bytes_of(*widest) && *busbw > *value_of(*widest, "busbw"))))
          widest = record;
      }
    if (widest == nullptr) continue;
    lines.push_back(fmt::format(
        "allreduce {}: {} in {}, {} at {} busbw ({})", setting.substr(0, setting.find(", f")),
        record::human_bytes(bytes_of(*shortest)), record::human(*seconds_of(*shortest), Unit::seconds),
        record::human_bytes(bytes_of(*widest)), record::human(*value_of(*widest, "busbw"), Unit::bytes_per_second),
        axis_text(*widest, "algorithm")));
  }
  return lines;
}

std::shared_ptr<const Analysis> analysis() {
  static const auto one = std::make_shared<const Analysis>(Analysis{conclude, key_figures, {}});
  return one;
}

}  // namespace ridge::bench::allreduce
