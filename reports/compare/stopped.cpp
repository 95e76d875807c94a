// Cases of which no run has a metric: what is broken on both sides must not vanish from the comparison.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "reports/compare/collect.hpp"

namespace ridge::compare {
namespace {

bool failed(const Found& found) {
  return found.wrong || std::any_of(found.statuses.begin(), found.statuses.end(),
                                    [](record::Status status) { return status == record::Status::failed; });
}

Row row_of(const Found& found, Verdict verdict, std::string reason) {
  Row row;
  row.id = found.id;
  row.metric = "*";  // none is known
  row.reproduce = found.reproduce;
  row.judgement.verdict = verdict;
  row.judgement.reason = std::move(reason);
  return row;
}

// Those of one side that no run of it has measured, in the order of its runs.
std::vector<const Found*> never_measured(std::span<const Run> runs, const Collected& side) {
  if (side.stopped.empty()) return {};
  std::unordered_set<std::string_view> done;
  for (const Found& found : side.all) done.insert(found.id);
  std::vector<const Found*> out;
  for (const Run& run : runs)
    for (const Case& each : run.cases)
      if (const auto stopped = side.stopped.find(each.id); stopped != side.stopped.end() && done.insert(each.id).second)
        out.push_back(&stopped->second);
  return out;
}

}  // namespace

void add_stopped(const Sources& base, const Sources& fresh, std::vector<Row>& rows) {
  for (const Found* found : never_measured(base.runs, base.found)) {
    const auto other = fresh.found.stopped.find(found->id);
    if (other == fresh.found.stopped.end() || !(failed(*found) || failed(other->second))) continue;
    rows.push_back(row_of(*found, Verdict::invalid,
                          fmt::format("measured on neither side; in the baseline {}; in the new report {}",
                                      found->why_none(), other->second.why_none())));
  }
  for (const Found* found : never_measured(fresh.runs, fresh.found))
    if (failed(*found) && !base.found.stopped.contains(found->id))
      rows.push_back(row_of(*found, Verdict::added, "not in the baseline, and " + found->why_none()));
}

}  // namespace ridge::compare
