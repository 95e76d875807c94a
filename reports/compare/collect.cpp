// Walks the runs of one side once, case by case.
#include "reports/compare/collect.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::compare {
namespace {

using record::Status;

std::string name_of(const std::string& id, const std::string& metric) {
  return id + ": " + metric;
}

std::string why(const Case& each) {
  std::string text(record::to_string(each.status));
  if (each.failure == record::Failure::wrong_answer) text += " (wrong answer)";
  return each.reason.empty() ? text : text + ": " + each.reason;
}

void check_same(Found& found, const Case& each, const Observed& observed, const Run& run) {
  if (!found.conflict.empty()) return;
  if (found.version != each.workload_version)
    found.conflict = fmt::format("workload_version {} in {}, {} in {}", found.version, found.first_source,
                                 each.workload_version, run.source);
  else if (found.better != observed.better)
    found.conflict = fmt::format("better is {} in {}, {} in {}", record::to_string(found.better), found.first_source,
                                 record::to_string(observed.better), run.source);
  else if (!conversion(observed.unit, found.unit))
    found.conflict = fmt::format("unit {} in {}, {} in {}", found.unit, found.first_source, observed.unit, run.source);
}

class Collector {
 public:
  void add(const Run& run) {
    if (out.all.empty()) out.all.reserve(run.cases.size());  // nearly always one metric a case
    next_ = 0;
    for (const Case& each : run.cases) {
      if (each.metrics.empty()) {
        stop(each, run);
        continue;
      }
      for (const Observed& observed : each.metrics)
        if (observed.better != record::Better::neither) add(run, each, observed);
    }
  }

  void add(const Run& run, const Case& each, const Observed& observed) {
    const std::size_t at = position(each.id, observed.metric);
    next_ = at + 1;
    const bool fresh = at == out.all.size();
    if (fresh) {
      Found& found = out.all.emplace_back();
      found.id = each.id;
      found.metric = observed.metric;
      found.unit = observed.unit;
      found.better = observed.better;
      found.version = each.workload_version;
      found.peak = observed.peak;
      found.first_source = run.source;
      out.by_name.add_last(out.all);
    }
    Found& found = out.all[at];
    check_same(found, each, observed, run);
    if (!fresh && found.last_source == run.source) {
      found.duplicate = true;
      return;
    }
    found.last_source = run.source;
    if (!each.reproduce.empty()) found.reproduce = each.reproduce;
    if (each.status == Status::ok && observed.value) {
      found.values.push_back(*observed.value * conversion(observed.unit, found.unit).value_or(1));
      return;
    }
    found.statuses.push_back(each.status);
    found.reasons.push_back(each.status == Status::ok ? "the value is null" : why(each));
    found.wrong = found.wrong || each.failure == record::Failure::wrong_answer;
  }

  // A case without metrics in this run: its reason goes to the metrics that other runs know, or is kept by the case.
  void stop(const Case& each, const Run& run) {
    Found& found = out.stopped[each.id];
    found.id = each.id;
    if (found.first_source.empty()) found.first_source = run.source;
    found.metrics_known = false;
    found.statuses.push_back(each.status);
    found.reasons.push_back(why(each));
    found.wrong = found.wrong || each.failure == record::Failure::wrong_answer;
    if (!each.reproduce.empty()) found.reproduce = each.reproduce;
  }

  void hand_on_reasons() {
    for (Found& found : out.all)
      if (const auto stopped = out.stopped.find(found.id); stopped != out.stopped.end())
        found.reasons.insert(found.reasons.end(), stopped->second.reasons.begin(), stopped->second.reasons.end());
  }

  Collected out;

 private:
  // Where the metric stands, or the end. Runs nearly always have the same metrics in the same order.
  [[nodiscard]] std::size_t position(std::string_view id, std::string_view metric) const {
    if (next_ < out.all.size() && out.all[next_].id == id && out.all[next_].metric == metric) return next_;
    return out.by_name.find(out.all, id, metric).value_or(out.all.size());
  }

  std::size_t next_ = 0;
};

// The one metric of a run that a ratio's pattern matches.
const Observed* only_match(const Run& run, const std::string& pattern, const Ratio& ratio, const Case*& owner) {
  const Observed* match = nullptr;
  for (const Case& each : run.cases)
    for (const Observed& observed : each.metrics) {
      if (!matches(pattern, name_of(each.id, observed.metric))) continue;
      if (match != nullptr)
        throw RuleError(fmt::format("{}: '{}' matches more than one metric: {} and {}", ratio.where, pattern,
                                    name_of(owner->id, match->metric), name_of(each.id, observed.metric)));
      match = &observed;
      owner = &each;
    }
  return match;
}

void add_ratio(Collector& collector, const Run& run, const Ratio& ratio, bool& found) {
  const Case* upper_case = nullptr;
  const Case* lower_case = nullptr;
  const Observed* upper = only_match(run, ratio.numerator, ratio, upper_case);
  const Observed* lower = only_match(run, ratio.denominator, ratio, lower_case);
  if (upper == nullptr || lower == nullptr) return;
  const auto factor = conversion(upper->unit, lower->unit);
  if (!factor) throw RuleError(fmt::format("{}: {} and {} have no ratio", ratio.where, upper->unit, lower->unit));
  found = true;
  Case& made = collector.out.made.emplace_back();
  made.id = ratio.name;
  made.status = std::max(upper_case->status, lower_case->status);
  made.reason = upper_case->status == Status::ok ? lower_case->reason : upper_case->reason;
  Observed& observed = made.metrics.emplace_back(Observed{"ratio", {}, "ratio", ratio.better, {}});
  if (upper->value && lower->value && *lower->value != 0) observed.value = *upper->value * *factor / *lower->value;
  collector.add(run, made, observed);
}

}  // namespace

std::string Found::why_none() const {
  std::string text;
  std::vector<std::string> seen;
  for (const auto& reason : reasons) {
    if (std::find(seen.begin(), seen.end(), reason) != seen.end()) continue;
    seen.push_back(reason);
    text += (text.empty() ? "" : "; ") + reason;
  }
  return text;
}

bool Found::absent() const {
  return !wrong && !statuses.empty() && std::none_of(statuses.begin(), statuses.end(), [](Status status) {
    return status == Status::ok || status == Status::suspect;
  });
}

Found* Collected::find(const Found& same, std::size_t likely) {
  if (likely < all.size() && all[likely].id == same.id && all[likely].metric == same.metric) return &all[likely];
  const auto found = by_name.find(all, same.id, same.metric);
  return found ? &all[*found] : nullptr;
}

Collected collect(std::span<const Run> runs, const std::vector<Ratio>& ratios) {
  Collector collector;
  for (const Run& run : runs) collector.add(run);
  collector.hand_on_reasons();
  for (const Ratio& ratio : ratios) {
    bool found = false;
    for (const Run& run : runs) add_ratio(collector, run, ratio, found);
    if (!found)
      throw RuleError(
          fmt::format("{}: no run has both '{}' and '{}'", ratio.where, ratio.numerator, ratio.denominator));
  }
  return std::move(collector.out);
}

}  // namespace ridge::compare
