// What a family concludes from all records of a run together: levels found in a curve, predictions from measured
// constants, a picture.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/harness/registry.hpp"
#include "reports/record/report.hpp"

namespace ridge::bench {

// One object for a family, which its definitions share. Each part may be absent, none asks the machine anything, and
// each must bear records without a number: a run may have been interrupted, or have measured a part only.
struct Analysis {
  // Adds metrics to the family's own records (`predicted…`: Better::neither, so that the gate judges what was measured
  // and not what was expected), reading any other, and says what a person should know.
  std::function<std::vector<record::Finding>(std::span<record::Record>)> conclude;
  // The few lines that stand for the family on one screen; the first says the most: there may be no room for more.
  std::function<std::vector<std::string>(std::span<const record::Record>)> key_figures;
  // A picture in text, at most `columns` wide, lines ended; empty where nothing can be drawn.
  std::function<std::string(std::span<const record::Record>, int columns)> draw;
  // Adds what it knows of the ranks that measured these records together to the report's entries.
  std::function<void(std::span<const record::Record>, std::vector<record::Rank>&)> tell_ranks = {};
};

// The following ask each family that has a record among `records` once, in the registry's order.
std::vector<record::Finding> conclude(const Registry& registry, std::span<record::Record> records);
std::vector<record::Rank> ranks_of(const Registry& registry, std::span<const record::Record> records);
// The lines of each family that has some.
std::vector<std::vector<std::string>> key_figures(const Registry& registry, std::span<const record::Record> records);
std::string draw(const Registry& registry, std::span<const record::Record> records, int columns);

// Whether any of these has a picture.
bool can_draw(std::span<const Definition* const> definitions);

}  // namespace ridge::bench
