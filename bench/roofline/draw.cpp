// The roofline in a terminal: roofs of each level as lines, kernels as letters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/harness/lookup.hpp"
#include "bench/roofline/analysis.hpp"
#include "bench/roofline/model.hpp"
#include "reports/plot/canvas.hpp"
#include "reports/record/text.hpp"

namespace ridge::bench::roofline {
namespace {

using record::Record;
using record::Unit;

constexpr int rows = 22;
constexpr double least_intensity = 1.0 / 32;
constexpr double most_intensity = 512;

struct Dot {
  const Record* record;
  double intensity;
  double flops;
  double share;
  char glyph;
};

// The family's records that have a roof, under one peak; the ladder is all 'o', the others are letters.
std::vector<Dot> dots_under(std::span<const Record> records, const Record& peak) {
  std::vector<Dot> dots;
  char letter = 'a';
  for (const Record& record : records) {
    if (!record.benchmark.starts_with("roofline.") || record.device != peak.device) continue;
    if (axis_text(record, "dtype") != axis_text(peak, "dtype")) continue;
    const auto intensity = intensity_of(record.work);
    const auto flops = value_of(record, "flops");
    const auto share = share_of(record);
    if (!intensity || !flops || !share || !(*intensity > 0)) continue;
    const bool ladder = record.benchmark == "roofline.ladder";
    if (!ladder && letter > 'z') continue;
    dots.push_back({&record, *intensity, *flops, *share, ladder ? 'o' : letter++});
    if (letter == 'o') ++letter;
  }
  return dots;
}

std::string level_line(char glyph, const std::string& level, const Ceiling& ceiling, double peak) {
  return fmt::format("  {} {}: {} ({}), ridge at {:.3g} FLOP/B\n", glyph, level,
                     record::human(ceiling.value, Unit::bytes_per_second),
                     ceiling.source.substr(ceiling.source.find('.') + 1), ridge_point(peak, ceiling.value));
}

std::string legend_of(const std::vector<Dot>& dots) {
  std::string text;
  double least_share = 2;
  double most_share = 0;
  int steps = 0;
  for (const Dot& dot : dots) {
    if (dot.glyph == 'o') {
      ++steps;
      least_share = std::min(least_share, dot.share);
      most_share = std::max(most_share, dot.share);
      continue;
    }
    text += fmt::format("  {} {} ({}): {:.3g} FLOP/B, {}, {:.0f} % of its roof\n", dot.glyph,
                        dot.record->benchmark.substr(9), dot.record->method.level.value_or("?"), dot.intensity,
                        record::human(dot.flops, Unit::flop_per_second), 100 * dot.share);
  }
  if (steps > 0)
    text += fmt::format("  o ladder: {} intensities, {:.0f} to {:.0f} % of the roof\n", steps, 100 * least_share,
                        100 * most_share);
  return text;
}

std::string one_roofline(std::span<const Record> records, const Record& peak, int columns) {
  const auto flops = value_of(peak, "flops");
  const Ceilings ceilings = Ceilings::of(records, peak);
  const std::vector<Dot> dots = dots_under(records, peak);
  if (!flops || dots.empty()) return "";
  double lowest = *flops;
  for (const Dot& dot : dots) lowest = std::min(lowest, dot.flops);
  const auto of_flops = [](double v) {  // "10 G": the unit is in the title
    const std::string text = record::human(v, Unit::flop_per_second);
    return text.substr(0, text.size() - record::symbol(Unit::flop_per_second).size());
  };
  const auto of_intensity = [](double v) { return v < 1 ? fmt::format("1/{:.0f}", 1 / v) : fmt::format("{:.0f}", v); };
  plot::Canvas canvas({least_intensity, most_intensity, of_intensity, 4},
                      {std::pow(10, std::floor(std::log10(lowest / 1.5))), *flops * 2, of_flops, 10}, columns, rows);
  std::string legend;
  const std::pair<const char*, char> levels[] = {{"L1", ','}, {"L2", ':'}, {"L3", '-'}, {"memory", '*'}};
  for (const auto& [level, glyph] : levels) {
    auto ceiling = ceilings.bandwidth(level, Traffic::mixed);
    if (!ceiling) ceiling = ceilings.bandwidth(level, Traffic::reading);
    if (!ceiling) continue;
    canvas.curve([&](double x) { return attainable(*flops, ceiling->value, x); }, glyph);
    legend += level_line(glyph, level, *ceiling, *flops);
  }
  for (const Dot& dot : dots) canvas.mark(dot.intensity, dot.flops, dot.glyph);
  return fmt::format("{} {} on {}: FLOP/s by FLOP/B, peak {}\n", "roofline", peak.point.text("dtype"), peak.device,
                     record::human(*flops, Unit::flop_per_second)) +
         canvas.text() + legend + legend_of(dots);
}

}  // namespace

std::string draw(std::span<const Record> records, int columns) {
  std::string text;
  for (const Record& record : records) {
    if (record.benchmark != "roofline.peak") continue;
    const std::string picture = one_roofline(records, record, columns);
    if (!picture.empty()) text += (text.empty() ? "" : "\n") + picture;
  }
  std::string cut;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    cut += record::cut(text.substr(begin, end - begin), static_cast<std::size_t>(std::max(24, columns))) + "\n";
    begin = end + 1;
  }
  return cut;
}

}  // namespace ridge::bench::roofline
