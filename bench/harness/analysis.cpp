// Asks each family's analysis once.
#include "bench/harness/analysis.hpp"

#include <algorithm>
#include <iterator>

namespace ridge::bench {
namespace {

std::vector<const Analysis*> concerned(const Registry& registry, std::span<const record::Record> records) {
  std::vector<const Analysis*> found;
  for (const Definition& definition : registry) {
    const Analysis* const analysis = definition.analysis.get();
    if (analysis == nullptr || std::find(found.begin(), found.end(), analysis) != found.end()) continue;
    if (std::any_of(records.begin(), records.end(),
                    [&](const record::Record& record) { return record.benchmark == definition.name; }))
      found.push_back(analysis);
  }
  return found;
}

}  // namespace

std::vector<record::Finding> conclude(const Registry& registry, std::span<record::Record> records) {
  std::vector<record::Finding> all;
  for (const Analysis* analysis : concerned(registry, records))
    if (analysis->conclude) std::ranges::move(analysis->conclude(records), std::back_inserter(all));
  return all;
}

std::vector<record::Rank> ranks_of(const Registry& registry, std::span<const record::Record> records) {
  std::vector<record::Rank> all;
  for (const Analysis* analysis : concerned(registry, records))
    if (analysis->tell_ranks) analysis->tell_ranks(records, all);
  return all;
}

std::vector<std::vector<std::string>> key_figures(const Registry& registry, std::span<const record::Record> records) {
  std::vector<std::vector<std::string>> all;
  for (const Analysis* analysis : concerned(registry, records))
    if (auto lines = analysis->key_figures ? analysis->key_figures(records) : std::vector<std::string>();
        !lines.empty())
      all.push_back(std::move(lines));
  return all;
}

std::string draw(const Registry& registry, std::span<const record::Record> records, int columns) {
  std::string all;
  for (const Analysis* analysis : concerned(registry, records)) {
    const std::string picture = analysis->draw ? analysis->draw(records, columns) : "";
    if (!picture.empty()) all += (all.empty() ? "" : "\n") + picture;
  }
  return all;
}

bool can_draw(std::span<const Definition* const> definitions) {
  return std::any_of(definitions.begin(), definitions.end(),
                     [](const Definition* d) { return d->analysis && d->analysis->draw; });
}

}  // namespace ridge::bench
