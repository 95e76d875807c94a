// Puts together alignment, judgement and machines, and derives the exit status.
#include "reports/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace ridge::compare {
namespace {

using record::Exit;

Side side_of(std::span<const Run> runs) {
  Side side;
  for (const Run& run : runs) side.sources.push_back(run.source);
  side.tool = runs.back().tool;
  return side;
}

// Every difference of any run's machine from the first baseline run's, once each.
std::vector<record::Difference> machine_differences(std::span<const Run> base, std::span<const Run> fresh) {
  std::vector<record::Difference> all;
  std::set<std::string> seen;
  const auto add = [&](const Run& run) {
    for (auto& each : record::differences(base.front().machine, run.machine)) {
      if (each.tier == record::Tier::incidental) continue;
      const std::string key = each.field + '\0' + each.a.value_or("") + '\0' + each.b.value_or("");
      if (seen.insert(key).second) all.push_back(std::move(each));
    }
  };
  for (const Run& run : base.subspan(1)) add(run);
  for (const Run& run : fresh) add(run);
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.tier < y.tier; });
  return all;
}

void note_sides(std::span<const Run> base, std::span<const Run> fresh, Comparison& out) {
  if (base.size() == 1)
    out.notes.push_back(fresh.size() == 1
                            ? "one run on each side: the noise between runs is unknown and the tolerance alone decides"
                            : "the baseline is one run: the noise between runs is known from the new runs alone");
  struct Told {
    std::string code;
    std::string text;  // as the first run words it
    std::size_t more = 0;
  };
  std::vector<Told> warnings;
  for (const auto runs : {base, fresh})
    for (const Run& run : runs) {
      if (run.interrupted) out.notes.push_back(run.source + ": interrupted, so what it lacks was not measured");
      for (const auto& warning : run.warnings) {
        const std::string code = warning.substr(0, warning.find(':'));
        const auto known =
            std::find_if(warnings.begin(), warnings.end(), [&](const Told& told) { return told.code == code; });
        if (known == warnings.end())
          warnings.push_back({code, run.source + ": " + warning});
        else
          ++known->more;
      }
    }
  for (const Told& each : warnings)
    out.notes.push_back(each.more == 0 ? each.text
                                       : fmt::format("{}; {} more run{} warn{} of {}", each.text, each.more,
                                                     each.more == 1 ? "" : "s", each.more == 1 ? "s" : "", each.code));
}

// A case that was skipped or not run on both sides has no row; that there are such is told.
std::size_t skipped_on_both(std::span<const Run> base, std::span<const Run> fresh) {
  const auto skipped = [](std::span<const Run> runs) {
    std::set<std::string_view> all;
    for (const Run& run : runs)
      for (const Case& each : run.cases)
        if (each.status == record::Status::skipped || each.status == record::Status::not_run) all.insert(each.id);
    for (const Run& run : runs)
      for (const Case& each : run.cases)
        if (each.status != record::Status::skipped && each.status != record::Status::not_run) all.erase(each.id);
    return all;
  };
  const auto before = skipped(base);
  if (before.empty()) return 0;
  const auto after = skipped(fresh);
  return static_cast<std::size_t>(
      std::count_if(before.begin(), before.end(), [&](std::string_view id) { return after.contains(id); }));
}

void note_skipped(std::span<const Run> base, std::span<const Run> fresh, Comparison& out) {
  if (const auto skipped = skipped_on_both(base, fresh); skipped > 0)
    out.notes.push_back(fmt::format("{} case{} skipped or not run on both sides: not compared", skipped,
                                    skipped == 1 ? " was" : "s were"));
}

void judge_rows(Comparison& out) {
  std::vector<Series> series;
  std::vector<std::size_t> which;
  const auto take = [&](bool gated) {
    for (std::size_t i = 0; i < out.rows.size(); ++i)
      if (out.rows[i].judged && out.rows[i].gated == gated) {
        series.push_back(std::move(out.rows[i].series));  // lent
        which.push_back(i);
      }
    auto judged = judge(series, out.settings);
    for (std::size_t k = 0; k < which.size(); ++k) {
      out.rows[which[k]].series = std::move(series[k]);
      out.rows[which[k]].judgement = std::move(judged.judgements[k]);
    }
    if (gated) out.pooled = judged.pooled;
    series.clear();
    which.clear();
  };
  take(true);
  take(false);  // apart: what is not gated must not cost the rest any power
}

void refuse_all(std::vector<Row>& rows, const std::string& reason) {
  for (Row& row : rows) {
    if (!row.judged) continue;
    row.judged = false;
    row.judgement = {};
    row.judgement.verdict = Verdict::not_comparable;
    row.judgement.reason = reason;
  }
}

std::size_t without_direction(std::span<const Run> runs) {
  std::size_t count = 0;
  for (const Case& each : runs.back().cases)
    for (const Observed& observed : each.metrics) count += observed.better == record::Better::neither ? 1 : 0;
  return count;
}

}  // namespace

std::size_t Comparison::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [&](const Row& row) { return row.gated && row.judgement.verdict == verdict; }));
}

Exit Comparison::exit() const {
  std::vector<Exit> outcomes;
  if (count(Verdict::regressed) > 0) outcomes.push_back(Exit::worse);
  if (count(Verdict::missing) + count(Verdict::invalid) + count(Verdict::not_comparable) > 0)
    outcomes.push_back(Exit::not_comparable);
  if (other_machine && !allowed) outcomes.push_back(Exit::not_comparable);
  const bool none = std::none_of(rows.begin(), rows.end(), [](const Row& row) { return row.gated && row.judged; });
  if (none) outcomes.push_back(Exit::not_comparable);  // nothing was compared: never a pass
  if (strict && count(Verdict::undecided) > 0) outcomes.push_back(Exit::undecided);
  return record::strongest(outcomes);
}

Comparison compare(std::span<const Run> base, std::span<const Run> fresh, const Options& options) {
  Comparison out;
  out.base = side_of(base);
  out.fresh = side_of(fresh);
  out.strict = options.strict;
  out.allowed = options.allow_different_machine;
  out.settings = options.settings;
  if (options.rules.noise_factor) out.settings.noise_factor = *options.rules.noise_factor;
  if (options.rules.implausible) out.settings.implausible = *options.rules.implausible;
  if (options.rules.false_alarms) out.settings.false_alarms = *options.rules.false_alarms;
  note_sides(base, fresh, out);
  out.rows = align(base, fresh, options.rules);
  out.ignored = without_direction(fresh);
  note_skipped(base, fresh, out);
  out.differences = machine_differences(base, fresh);
  out.other_machine = !out.differences.empty() && out.differences.front().tier == record::Tier::identity;
  if (out.other_machine)
    out.notes.push_back(out.allowed ? "DIFFERENT MACHINES, compared because --allow-different-machine was given"
                                    : "different machines: not comparable");
  for (const Run& run : fresh)
    if (run.schema != base.front().schema) {
      refuse_all(out.rows, fmt::format("{} in the baseline, {} in {}", base.front().schema, run.schema, run.source));
      break;
    }
  if (out.other_machine && !out.allowed) refuse_all(out.rows, "another machine");
  judge_rows(out);
  if (out.pooled.shift)
    out.notes.push_back(fmt::format(
        "uniform shift of {:+.1f} %: suspect the machine or its clock before the benchmarks", 100 * *out.pooled.shift));
  if (out.pooled.drift > 1)
    out.notes.push_back(fmt::format("the baseline drifts: differences are {:.1f} times as uncertain as its spread says",
                                    std::sqrt(out.pooled.drift)));
  return out;
}

}  // namespace ridge::compare
