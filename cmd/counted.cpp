// The example of a benchmark, run on a reference GPU: counts and predictions with the same name, minus "predicted_".
#include "cmd/counted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/harness/analysis.hpp"
#include "cmd/inquire.hpp"

namespace ridge::cmd {
namespace {

using record::Record;

class Silent final : public bench::Observer {};

std::vector<Record> run_example(const bench::Registry& registry, const bench::Definition& definition) {
  Surveyed surveyed;
  bench::Selection selection;
  selection.requests = {{{definition.name}, definition.counted_example}};
  selection.devices = {{device::Kind::ptx, 0}};
  bench::Settings settings;
  settings.rounds = 1;
  bench::Hooks hooks;
  hooks.open = [&](const device::Name& name) { return surveyed.open(name); };
  hooks.interrupted = [] { return false; };
  hooks.count = [&](const device::Name& name, const std::function<void()>& work) {
    return surveyed.gpus().count(name, work);
  };
  Silent silent;
  auto records = bench::run(bench::plan(registry, selection, surveyed.inventory(), settings), settings, hooks, silent);
  bench::conclude(registry, records);
  return records;
}

// "stride=2", the axes that differ among the records.
std::string varying(const Record& record, const std::vector<Record>& all) {
  std::string text;
  for (const auto& [axis, value] : record.point.values()) {
    const bool differs = std::any_of(all.begin(), all.end(), [&, &axis = axis, &value = value](const Record& other) {
      const record::Value* const theirs = other.point.find(axis);
      return theirs == nullptr || *theirs != value;
    });
    if (differs) text += fmt::format("{}{}={}", text.empty() ? "" : " ", axis, record::to_text(value));
  }
  return text;
}

// Counts in full, means to four digits.
std::string short_number(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string compared(const Record& record) {
  std::string text;
  for (const record::Metric& predicted : record.metrics) {
    if (!predicted.name.starts_with("predicted_")) continue;
    const record::Metric* const counted = record.metric(predicted.name.substr(10));
    if (counted == nullptr || !counted->value || !predicted.value) continue;
    text += fmt::format("{}{} {} (predicted {})", text.empty() ? "" : ", ", counted->name,
                        short_number(*counted->value), short_number(*predicted.value));
  }
  return text;
}

}  // namespace

std::string counted_beside_predicted(const bench::Registry& registry, const bench::Definition& definition) {
  if (definition.counted_example.empty() || !definition.prepare_cuda) return "";
  const std::vector<Record> records = run_example(registry, definition);
  std::vector<std::pair<std::string, std::string>> lines;
  std::size_t widest = 0;
  for (const Record& record : records)
    if (std::string figures = compared(record); !figures.empty()) {
      lines.emplace_back(varying(record, records), std::move(figures));
      widest = std::max(widest, lines.back().first.size());
    }
  if (lines.empty()) return "";
  std::string text = "Counted just now on the reference machine, from executed instructions\n";
  for (const auto& [point, figures] : lines) text += fmt::format("  {:<{}}  {}\n", point, widest, figures);
  return text;
}

}  // namespace ridge::cmd
