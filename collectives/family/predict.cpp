// One line for each algorithm and number of ranks.
#include "collectives/family/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/harness/lookup.hpp"
#include "collectives/family/curves.hpp"
#include "collectives/family/points.hpp"

namespace ridge::bench::collective {
namespace {

using collectives::Algorithm;
using collectives::Cost;
using collectives::Model;
using collectives::Operation;
using record::Finding;
using record::Record;
using record::Unit;

std::optional<Model> scaled(const std::optional<Model>& model, const Cost& from, const Cost& to) {
  if (!model || from.steps <= 0 || from.passed <= 0) return std::nullopt;
  Model there = model->with(load_of(from), load_of(to));
  there.alpha *= to.steps / from.steps;
  return there;
}

std::optional<std::string> text_of(const Family& family, const Operation& operation, const Curve& curve,
                                   const std::string& setting, std::int64_t ranks) {
  const Record& first = *curve.records.front();
  const auto* const algorithm = collectives::find_algorithm(operation.algorithms(), axis_text(first, "algorithm"));
  if (algorithm == nullptr || algorithm->needs_one_memory) return std::nullopt;
  const Cost from = family.cost_of(first);
  const Cost to = algorithm->cost(static_cast<int>(ranks));
  Curve there;
  there.cached = scaled(curve.cached, from, to);
  there.beyond = scaled(curve.beyond, from, to);
  const auto largest = std::max_element(curve.records.begin(), curve.records.end(), [&](const auto* a, const auto* b) {
    return family.bytes_of(*a) < family.bytes_of(*b);
  });
  const auto& model = there.model_of(**largest);
  if (!model) return std::nullopt;
  const double bytes = family.bytes_of(**largest);
  std::string text = fmt::format("predicted, not measured: {} {} with {} ranks, from ({}):", operation.name,
                                 algorithm->name, ranks, setting);
  if (there.cached) text += " in caches " + told(*there.cached, to);
  if (there.beyond) text += fmt::format("{} beyond {}", there.cached ? ";" : "", told(*there.beyond, to));
  text += fmt::format("; {} in {}", record::human_bytes(bytes), record::human(model->time(bytes), Unit::seconds));
  if (const auto factor = collectives::bus_factor(operation, static_cast<int>(ranks)))
    text += fmt::format(", {} busbw", record::human(*factor * bytes / model->time(bytes), Unit::bytes_per_second));
  return text;
}

}  // namespace

std::vector<Finding> predict(const Operation& operation, std::span<const Record> records,
                             std::span<const std::int64_t> ranks) {
  const Family family(operation, records);
  std::vector<Finding> findings;
  for (const auto& [setting, algorithms] : family.curves())
    for (const auto& [name, curve] : algorithms)
      for (const std::int64_t n : ranks)
        if (auto text = text_of(family, operation, curve, setting, n))
          findings.push_back(
              {fmt::format("{}-prediction", operation.name), record::Severity::note, std::move(*text), {}});
  if (findings.empty())
    findings.push_back(
        {fmt::format("{}-prediction", operation.name),
         record::Severity::warning,
         "nothing to predict from: it takes at least two ranks and three sizes of an algorithm that passes "
         "messages",
         {}});
  return findings;
}

std::vector<Finding> predict(std::span<const Record> records, std::span<const std::int64_t> ranks) {
  std::vector<Finding> all;
  for (const Operation& operation : collectives::all_operations()) {
    if (std::none_of(records.begin(), records.end(), [&](const Record& r) { return r.benchmark == operation.name; }))
      continue;
    for (Finding& finding : predict(operation, records, ranks)) all.push_back(std::move(finding));
  }
  return all;
}

}  // namespace ridge::bench::collective
