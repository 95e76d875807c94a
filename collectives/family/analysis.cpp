// Groups of one algorithm's sizes, each with a model of its own; never an average over sizes.
#include "collectives/family/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/harness/lookup.hpp"
#include "collectives/family/limits.hpp"
#include "collectives/family/points.hpp"

namespace ridge::bench::collective {
namespace {

using collectives::Model;
using collectives::Operation;
using record::Better;
using record::Finding;
using record::Record;
using record::Unit;

void add_bandwidths(const Operation& operation, Record& record, double bytes, double seconds) {
  const double algbw = bytes / seconds;
  record.metrics.push_back({"algbw", algbw, Unit::bytes_per_second, Better::higher, {}, {}});
  const auto factor = collectives::bus_factor(operation, ranks_of(record.point));
  const auto busbw = factor ? std::optional(algbw * *factor) : std::nullopt;
  record.metrics.push_back({"busbw", busbw, Unit::bytes_per_second, Better::higher, {}, {}});
}

Finding note(const Operation& operation, const char* code, std::string text) {
  return {fmt::format("{}-{}", operation.name, code), record::Severity::note, std::move(text), {}};
}

std::optional<std::string> model_text(const Family& family, const Operation& operation, const std::string& name,
                                      const std::string& setting, const Curve& curve) {
  if (!curve.cached && !curve.beyond) return std::nullopt;
  const collectives::Cost cost = family.cost_of(*curve.records.front());
  const auto with_error = [&](const Model& model) {
    return told(model, cost) + fmt::format(", off by {:.0f} %", 100 * model.residual);
  };
  std::string text = fmt::format("{} {} ({}):", operation.name, name, setting);
  if (curve.cached) text += " in caches " + with_error(*curve.cached);
  if (curve.beyond) text += fmt::format("{} beyond {}", curve.cached ? ";" : "", with_error(*curve.beyond));
  return text;
}

// The smallest size from which b's records are the faster; nothing where it never is.
std::optional<double> measured_crossover(const Family& family, const Curve& a, const Curve& b) {
  std::optional<double> from;
  for (const Record* mine : b.records)
    for (const Record* other : a.records) {
      const double bytes = family.bytes_of(*mine);
      if (bytes == family.bytes_of(*other) && *family.seconds_of(*mine) < *family.seconds_of(*other))
        from = std::min(from.value_or(bytes), bytes);
    }
  return from;
}

// Between the algorithm of the fewest steps and that of the fewest bytes, as their models have it.
std::optional<std::string> crossover_text(const Family& family, const Operation& operation, const std::string& setting,
                                          const std::map<std::string, Curve>& algorithms) {
  const std::pair<const std::string, Curve>* quick = nullptr;
  const std::pair<const std::string, Curve>* wide = nullptr;
  for (const auto& each : algorithms) {
    if (!each.second.cached || each.first == "direct") continue;  // which passes no messages, and wins throughout
    if (quick == nullptr || each.second.cached->alpha < quick->second.cached->alpha) quick = &each;
    if (wide == nullptr || each.second.cached->seconds_per_byte < wide->second.cached->seconds_per_byte) wide = &each;
  }
  if (quick == nullptr || quick == wide) return std::nullopt;
  const auto predicted = collectives::crossover(*quick->second.cached, *wide->second.cached);
  if (!predicted) return std::nullopt;
  const auto measured = measured_crossover(family, quick->second, wide->second);
  return fmt::format("{} ({}): {} overtakes {} at {}, predicted {}", operation.name, setting, wide->first, quick->first,
                     measured ? record::human_bytes(*measured) : "no size measured",
                     record::human_bytes(std::round(*predicted)));
}

std::string shortest_text(const Family& family, const Record& record, bool moves) {
  const std::string time = record::human(*family.seconds_of(record), Unit::seconds);
  return moves ? fmt::format("{} in {}", record::human_bytes(family.bytes_of(record)), time)
               : fmt::format("{} ({})", time, axis_text(record, "algorithm"));
}

}  // namespace

std::vector<Finding> conclude(const Operation& operation, std::span<Record> records, const JoinRate& join_rate) {
  const Family family(operation, records, join_rate);
  const bool moves = operation.out != collectives::Extent::none;
  bool alone = false;
  bool rounded = false;
  for (Record& record : records) {
    const auto seconds = family.seconds_of(record);
    if (!seconds || !moves) continue;
    alone = alone || ranks_of(record.point) == 1;
    rounded = rounded || family.bytes_of(record) != static_cast<double>(record.point.integer("size"));
    add_bandwidths(operation, record, family.bytes_of(record), *seconds);
    if (const auto& model = family.curve_of(record).model_of(record))
      record.metrics.push_back(
          {"predicted_time", model->time(family.bytes_of(record)), Unit::seconds, Better::neither, {}, {}});
  }
  std::vector<Finding> findings;
  for (const auto& [setting, algorithms] : family.curves()) {
    for (const auto& [name, curve] : algorithms)
      if (auto text = model_text(family, operation, name, setting, curve))
        findings.push_back(note(operation, "model", std::move(*text)));
    if (auto text = crossover_text(family, operation, setting, algorithms))
      findings.push_back(note(operation, "crossover", std::move(*text)));
  }
  if (alone) findings.push_back(note(operation, "one-rank", "one rank sends nothing: it has an algbw, and no busbw"));
  if (rounded)
    findings.push_back(note(operation, "size-rounded",
                            fmt::format("{}: a size that is no whole number of elements for each rank was rounded down "
                                        "to one",
                                        operation.name)));
  return findings;
}

// "allreduce cpu, 2 ranks: 8 B in 210 ns, 16 MiB at 9.1 GB/s busbw (direct)": the best at either end. Of a barrier
// "barrier cpu, 2 ranks: 150 ns (central)".
std::vector<std::string> key_figures(const Operation& operation, std::span<const Record> records) {
  const bool moves = operation.out != collectives::Extent::none;
  const Family family(operation, records);
  std::vector<std::string> lines;
  for (const auto& [setting, algorithms] : family.curves()) {
    const Record* shortest = nullptr;
    const Record* widest = nullptr;
    for (const auto& [name, curve] : algorithms)
      for (const Record* record : curve.records) {
        if (shortest == nullptr || *family.seconds_of(*record) < *family.seconds_of(*shortest)) shortest = record;
        const auto busbw = value_of(*record, "busbw");
        if (busbw && (widest == nullptr || family.bytes_of(*record) > family.bytes_of(*widest) ||
                      (family.bytes_of(*record) == family.bytes_of(*widest) && *busbw > *value_of(*widest, "busbw"))))
          widest = record;
      }
    if (shortest == nullptr || (moves && widest == nullptr)) continue;
    std::string line =
        fmt::format("{} {}: {}", operation.name, who(*shortest), shortest_text(family, *shortest, moves));
    if (widest != nullptr)
      line += fmt::format(", {} at {} busbw ({})", record::human_bytes(family.bytes_of(*widest)),
                          record::human(*value_of(*widest, "busbw"), Unit::bytes_per_second),
                          axis_text(*widest, "algorithm"));
    lines.push_back(std::move(line));
  }
  return lines;
}

std::shared_ptr<const Analysis> analysis(const Operation& operation, std::shared_ptr<const Trail> trail) {
  Analysis all;
  all.conclude = [&operation, trail](std::span<Record> records) {
    auto findings = conclude(operation, records, [&](const Record& record) { return trail->join_rate(record); });
    for (Finding& finding : beyond_limits(operation, records)) findings.push_back(std::move(finding));
    for (Finding& finding : trail->conclude(operation, records)) findings.push_back(std::move(finding));
    return findings;
  };
  all.key_figures = [&operation](std::span<const Record> records) { return key_figures(operation, records); };
  all.tell_ranks = [&operation, trail](std::span<const Record> records, std::vector<record::Rank>& ranks) {
    trail->tell(operation, records, ranks);
  };
  return std::make_shared<const Analysis>(std::move(all));
}

}  // namespace ridge::bench::collective
