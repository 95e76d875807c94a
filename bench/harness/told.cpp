// Figures into metrics by name, and the beginning of a long run beside its end.
#include "bench/harness/told.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/harness/statistics.hpp"

namespace ridge::bench {
namespace {

constexpr std::size_t fewest = 20;
constexpr std::size_t last = 10;

std::optional<double> median_of_last(std::span<const Moment> moments, std::optional<double> Moment::*told) {
  std::vector<double> values;
  for (const Moment& moment : moments.last(last))
    if (moment.*told) values.push_back(*(moment.*told));
  return median(values);
}

}  // namespace

void assign_figures(std::vector<record::Metric>& metrics, std::span<const Figure> figures) {
  for (const Figure& figure : figures) {
    const auto metric =
        std::find_if(metrics.begin(), metrics.end(), [&](const auto& m) { return m.name == figure.name; });
    if (metric == metrics.end()) throw std::logic_error("no rule declares the figure " + figure.name);
    if (std::isfinite(figure.value)) metric->value = figure.value;
  }
}

void assign_sustained(record::Record& record, std::span<const Moment> moments) {
  constexpr double second = 0.9;
  const std::vector<double>& samples = record.samples;
  if (samples.size() < fewest || record.metrics.empty() || !record.metrics.front().value) return;
  const record::Metric rate = record.metrics.front();
  const double median_time = *record.statistics.median;
  if (rate.better != record::Better::higher || median_time * static_cast<double>(record.method.repetitions) < second)
    return;
  // A rate is as many times its value as the time is shorter than the median.
  const double amount = *rate.value * median_time;
  const double late = *median(std::span(samples).last(last));
  const auto add = [&](const std::string& name, double value, record::Unit unit) {
    record.metrics.push_back({name, value, unit, record::Better::neither, std::nullopt, std::nullopt});
  };
  add("first_second", amount / samples.front(), rate.unit);
  add("last_ten_seconds", amount / late, rate.unit);
  add("sustained_share", samples.front() / late, record::Unit::ratio);
  if (moments.size() != samples.size()) return;
  const auto add_both = [&](const std::string& what, std::optional<double> Moment::*told, record::Unit unit) {
    if (const auto first = moments.front().*told) add("first_second_" + what, *first, unit);
    if (const auto lasting = median_of_last(moments, told)) add("last_ten_seconds_" + what, *lasting, unit);
  };
  add_both("clock", &Moment::clock_hz, record::Unit::hertz);
  add_both("power", &Moment::power_w, record::Unit::watt);
}

}  // namespace ridge::bench
