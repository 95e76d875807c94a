// Figures with their derivation, and the wrapping of prose.
#include "cmd/derivation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "reports/record/text.hpp"

namespace ridge::cmd {
namespace {

std::string amount(const record::Work& work) {
  std::vector<std::string> parts;
  const auto bytes = [](std::int64_t n) { return record::human_bytes(static_cast<double>(n)); };
  if (work.bytes_read.value_or(0) > 0) parts.push_back(bytes(*work.bytes_read) + " read");
  if (work.bytes_written.value_or(0) > 0) parts.push_back(bytes(*work.bytes_written) + " written");
  if (work.operations.value_or(0) > 0) parts.push_back(fmt::format("{} operations", *work.operations));
  return fmt::format("{}", fmt::join(parts, " + "));
}

std::string figure(const record::Metric& metric) {
  std::string text = fmt::format("{} {}", metric.name, record::human(*metric.value, metric.unit));
  if (metric.peak && metric.percent_of_peak)
    text += fmt::format(" ({:.0f} % of {}, {})", *metric.percent_of_peak,
                        record::human(metric.peak->value, metric.unit), metric.peak->source);
  return text;
}

}  // namespace

std::string derivation(const record::Record& record) {
  std::string text = fmt::format("{} on {}: ", record.point.to_text(), record.device);
  const bool measured = record.status == record::Status::ok || record.status == record::Status::suspect;
  if (!record.statistics.median && measured && record.device.starts_with("ptx"))
    return record::printable(text + fmt::format("{}; counted, not timed", amount(record.work)));
  if (!record.statistics.median && !measured)
    return record::printable(text + fmt::format("{} ({})", record::to_string(record.status), record.reason));
  if (record.statistics.median)
    text += fmt::format("{} in {} (median of {})", amount(record.work),
                        record::human(*record.statistics.median, record::Unit::seconds), record.statistics.count);
  else
    text += "computed";
  for (const record::Metric& metric : record.metrics)
    if (metric.value && metric.name != "time") text += ": " + figure(metric);
  if (record.status != record::Status::ok)
    text += fmt::format("; {}: {}", record::to_string(record.status), record.reason);
  return record::printable(text);
}

std::string wrap(const std::string& text, int indent, int columns) {
  const std::size_t room = static_cast<std::size_t>(std::max(8, columns - indent));
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string out;
  std::string line;
  const auto flush = [&] {
    if (!line.empty()) out += margin + line + "\n";
    line.clear();
  };
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && record::columns(line) + 1 + record::columns(word) > room) flush();
    line += (line.empty() ? "" : " ") + word;
  }
  flush();
  return out;
}

}  // namespace ridge::cmd
