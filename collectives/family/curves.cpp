// Grouping and fitting.
#include "collectives/family/curves.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/harness/lookup.hpp"
#include "collectives/family/family.hpp"
#include "collectives/family/points.hpp"

namespace ridge::bench::collective {
namespace {

using collectives::Model;
using collectives::Operation;
using record::Record;
using record::Unit;

bool in_caches(const Record& record) {
  return record.method.level && record.method.level != "memory";
}

// All that records of one curve share but the algorithm: "cpu, 2 ranks, f32 sum, out of place".
std::string setting_of(const Operation& operation, const Record& record) {
  std::string text = who(record);
  if (operation.out != collectives::Extent::none) text += ", " + axis_text(record, "dtype");
  if (operation.joins) text += " " + axis_text(record, "op");
  if (operation.has_place) text += in_place(record.point) ? ", in place" : ", out of place";
  return text + (record.method.cache == "cold" ? ", cold" : "");
}

// "size", "1.5 size".
std::string sizes(double times) {
  return times == 1 ? "size" : fmt::format("{:.3g} size", times);
}

std::string rate_of(double seconds_per_byte) {
  return record::human(1 / seconds_per_byte, Unit::bytes_per_second);
}

}  // namespace

std::string who(const Record& record) {
  const std::string engine = engine_of(record.point);
  return fmt::format("{}, {} ranks{}", record.device, axis_text(record, "ranks"),
                     engine == "threads" ? "" : " by " + engine);
}

std::string told(const Model& model, const collectives::Cost& cost) {
  std::string text = record::human(model.alpha, Unit::seconds);
  if (cost.steps > 1 && model.alpha > 0)
    text += fmt::format(" ({} a step)", record::human(model.alpha / cost.steps, Unit::seconds));
  if (model.seconds_per_byte <= 0) return text;
  const std::string whole = "size / " + record::human(model.rate(), Unit::bytes_per_second);
  const bool joins = model.gamma && cost.joined > 0;
  const auto beta = model.beta(load_of(cost));
  if (joins && beta)
    text += fmt::format(" + {} moved / {} + {} joined / {}, in all {}", sizes(cost.passed), rate_of(*beta),
                        sizes(cost.joined), rate_of(*model.gamma), whole);
  else
    text += " + " + whole;
  text += ", half of it at " + record::human_bytes(std::round(model.half_size()));
  if (joins && !beta)
    text += fmt::format(" (joining {} by itself, at {}, takes as long: moving cannot be told from it)",
                        sizes(cost.joined), rate_of(*model.gamma));
  return text;
}

std::optional<double> join_rate_in(const Record& record) {
  return value_of(record, "join_rate");
}

const std::optional<Model>& Curve::model_of(const Record& record) const {
  return in_caches(record) ? cached : beyond;
}

Family::Family(const Operation& operation, std::span<const Record> records, JoinRate join_rate)
    : operation_(operation), join_rate_(std::move(join_rate)) {
  for (const Record& record : records)
    if (seconds_of(record))
      curves_[setting_of(operation, record)][axis_text(record, "algorithm")].records.push_back(&record);
  for (auto& [setting, algorithms] : curves_)
    for (auto& [name, curve] : algorithms) {
      curve.cached = fitted(curve.records, true);
      curve.beyond = fitted(curve.records, false);
    }
}

const Curve& Family::curve_of(const Record& record) const {
  return curves_.at(setting_of(operation_, record)).at(axis_text(record, "algorithm"));
}

std::optional<double> Family::seconds_of(const Record& record) const {
  if (record.benchmark != operation_.name || record.status != record::Status::ok) return std::nullopt;
  return record.statistics.median;
}

double Family::bytes_of(const Record& record) const {
  return static_cast<double>(collective::bytes_of(operation_, record.point));
}

collectives::Cost Family::cost_of(const Record& record) const {
  const auto* const algorithm = collectives::find_algorithm(operation_.algorithms(), axis_text(record, "algorithm"));
  return algorithm == nullptr ? collectives::Cost{} : algorithm->cost(ranks_of(record.point));
}

// Ranks joined by themselves with warm caches.
std::optional<double> Family::seconds_joining(const Record& record) const {
  const auto rate = record.method.cache == "cold" ? std::nullopt : join_rate_(record);
  return rate ? std::optional(bytes_of(record) / *rate) : std::nullopt;
}

std::optional<Model> Family::fitted(const std::vector<const Record*>& records, bool caches) const {
  std::vector<collectives::Timed> timed;
  for (const Record* record : records)
    if (in_caches(*record) == caches)
      timed.push_back({bytes_of(*record), *seconds_of(*record), seconds_joining(*record)});
  return collectives::fit(timed);
}

}  // namespace ridge::bench::collective
