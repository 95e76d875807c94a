// Ceilings from records, and the roof over one of them.
#include "bench/roofline/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/harness/lookup.hpp"
#include "reports/record/unit.hpp"

namespace ridge::bench::roofline {
namespace {

using record::Record;

constexpr double notable_writing = 0.05;

// Kernels of nothing but traffic, in this family and in the bandwidth family. A matrix-vector product reads its matrix
// in rows, several at once, and on some machines that is the fastest way of reading that was measured.
bool moves_only(const std::string& benchmark) {
  constexpr std::array<std::string_view, 8> movers{"read", "copy", "scale", "add", "triad", "dot", "memcpy", "gemv"};
  const std::string_view name = benchmark;
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view family = name.substr(0, dot);
  return (family == "roofline" || family == "bandwidth") &&
         std::find(movers.begin(), movers.end(), name.substr(dot + 1)) != movers.end();
}

bool alike(const Record& a, const Record& b) {
  return a.device == b.device && axis_text(a, "threads") == axis_text(b, "threads") && a.method.cache == b.method.cache;
}

std::string key_of(const std::string& level, Traffic traffic) {
  return level + (traffic == Traffic::mixed ? " mixed" : " reading");
}

}  // namespace

Traffic traffic_of(const record::Work& work) {
  const auto written = static_cast<double>(work.bytes_written.value_or(0));
  const auto all = written + static_cast<double>(work.bytes_read.value_or(0));
  return written >= notable_writing * all && written > 0 ? Traffic::mixed : Traffic::reading;
}

std::optional<double> intensity_of(const record::Work& work) {
  const std::int64_t bytes = work.bytes_read.value_or(0) + work.bytes_written.value_or(0);
  if (bytes <= 0 || !work.operations) return std::nullopt;
  return static_cast<double>(*work.operations) / static_cast<double>(bytes);
}

double attainable(double peak, double bandwidth, double intensity) {
  return std::min(peak, bandwidth * intensity);
}

double ridge_point(double peak, double bandwidth) {
  return peak / bandwidth;
}

Ceilings Ceilings::of(std::span<const Record> records, const Record& under) {
  Ceilings found;
  for (const Record& record : records) {
    if (record.status != record::Status::ok || !alike(record, under)) continue;
    if (record.benchmark == "roofline.peak")
      if (const auto* flops = record.metric("flops"); flops && flops->value)
        found.raise(found.peaks_, axis_text(record, "dtype"), *flops->value, record.benchmark);
    if (!moves_only(record.benchmark) || !record.method.level) continue;
    if (const auto* bandwidth = record.metric("bandwidth"); bandwidth && bandwidth->value)
      found.raise(found.bandwidths_, key_of(*record.method.level, traffic_of(record.work)), *bandwidth->value,
                  record.benchmark);
  }
  return found;
}

void Ceilings::raise(std::map<std::string, Ceiling>& ceilings, const std::string& key, double value,
                     const std::string& source) {
  Ceiling& ceiling = ceilings[key];
  if (value > ceiling.value) ceiling = {value, source};
}

std::optional<Ceiling> Ceilings::peak(const std::string& dtype) const {
  const auto found = peaks_.find(dtype);
  return found == peaks_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Ceiling> Ceilings::bandwidth(const std::string& level, Traffic traffic) const {
  const auto found = bandwidths_.find(key_of(level, traffic));
  return found == bandwidths_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Roof> roof_of(const Record& record, const Ceilings& ceilings) {
  const auto intensity = intensity_of(record.work);
  if (!intensity || !record.method.level) return std::nullopt;
  const auto peak = ceilings.peak(axis_text(record, "dtype"));
  const auto bandwidth = ceilings.bandwidth(*record.method.level, traffic_of(record.work));
  if (!peak || !bandwidth) return std::nullopt;
  Roof roof;
  roof.intensity = *intensity;
  roof.flops = attainable(peak->value, bandwidth->value, *intensity);
  roof.memory_bound = roof.flops < peak->value;
  roof.source = roof.memory_bound ? fmt::format("roof of this run: {:.3g} FLOP/B at {} of {} in {}", *intensity,
                                                record::human(bandwidth->value, record::Unit::bytes_per_second),
                                                bandwidth->source, *record.method.level)
                                  : fmt::format("roof of this run: {} peak", axis_text(record, "dtype"));
  return roof;
}

std::optional<double> share_of(const Record& record) {
  const record::Metric* const flops = record.metric("flops");
  if (!value_of(record, "flops") || !flops->percent_of_peak) return std::nullopt;
  return *flops->percent_of_peak / 100;
}

}  // namespace ridge::bench::roofline
