// Medians of each rank's passages, and one rank against the others.
#include "collectives/family/arrivals.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "bench/harness/statistics.hpp"

namespace ridge::bench::collective {
namespace {

constexpr double least_seconds = 1e-6;
// The interquartile range of a normal distribution, in standard deviations.
constexpr double deviations_of_iqr = 1.349;

template <class Value>
std::vector<double> of_each(const Passages& passages, std::size_t rank, const Value& value) {
  std::vector<double> all;
  for (std::size_t i = 0; i < passages[rank].size(); ++i) all.push_back(value(i));
  return all;
}

// The least, or the largest, of all ranks in a passage.
template <class Value>
std::vector<double> extreme(const Passages& passages, bool largest, const Value& value) {
  std::vector<double> all;
  for (std::size_t i = 0; i < passages.front().size(); ++i) {
    double found = value(passages.front()[i]);
    for (const auto& rank : passages) {
      const double mine = value(rank[i]);
      found = largest ? std::max(found, mine) : std::min(found, mine);
    }
    all.push_back(found);
  }
  return all;
}

double median_without(const std::vector<record::RankTimes>& ranks, std::size_t left_out) {
  std::vector<double> others;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    if (r != left_out) others.push_back(ranks[r].awaited);
  return *median(others);
}

}  // namespace

std::optional<Arrivals> arrivals_of(const Passages& passages, const Known& known) {
  if (passages.size() < 2 || passages.front().size() < 2) return std::nullopt;
  using collectives::Passage;
  const auto came = extreme(passages, false, [](const Passage& p) { return p.came; });
  const auto left = extreme(passages, false, [](const Passage& p) { return p.left; });
  const auto waited = extreme(passages, true, [](const Passage& p) { return p.waited; });
  const auto inside = extreme(passages, true, [](const Passage& p) { return p.left - p.came; });
  const double time = *median(inside);
  Arrivals result;
  result.p95 = *quantile(inside, 0.95);
  result.judged = known.alike;
  std::vector<double> deviations;
  for (std::size_t r = 0; r < passages.size(); ++r) {
    const auto& mine = passages[r];
    record::RankTimes times;
    if (known.one_clock) {
      times.arrival = median(of_each(passages, r, [&](std::size_t i) { return mine[i].came - came[i]; }));
      times.finish = median(of_each(passages, r, [&](std::size_t i) { return mine[i].left - left[i]; }));
    }
    times.waited = *median(of_each(passages, r, [&](std::size_t i) { return mine[i].waited; }));
    const auto awaited = of_each(passages, r, [&](std::size_t i) { return waited[i] - mine[i].waited; });
    times.awaited = *median(awaited);
    deviations.push_back((*quantile(awaited, 0.75) - *quantile(awaited, 0.25)) / deviations_of_iqr);
    result.ranks.push_back(std::move(times));
  }
  for (std::size_t r = 0; r < result.ranks.size(); ++r) {
    record::RankTimes& mine = result.ranks[r];
    const double beyond = mine.awaited - median_without(result.ranks, r);
    mine.late = known.alike && beyond > std::max({deviations[r], notable_share * time, least_seconds});
    if (mine.awaited > result.ranks[static_cast<std::size_t>(result.latest)].awaited)
      result.latest = static_cast<int>(r);
  }
  return result;
}

// As many as make some hundredths of a second, so that a tail is seen where that costs nothing.
std::int64_t passages_after(const Passages& first) {
  constexpr double seconds = 0.02;
  constexpr double fewest = 8;
  constexpr double most = 200;
  double longest = 1e-9;
  for (const auto& rank : first)
    for (const auto& passage : rank) longest = std::max(longest, passage.left - passage.came);
  return static_cast<std::int64_t>(std::clamp(seconds / longest, fewest, most));
}

namespace {

bool some_late(const Arrivals& arrivals) {
  return std::any_of(arrivals.ranks.begin(), arrivals.ranks.end(), [](const auto& rank) { return rank.late; });
}

// From the first to the last passage, by the clock of one rank.
double span_of(const Passages& passages) {
  return passages.front().back().left - passages.front().front().came;
}

}  // namespace

void sleep_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

std::optional<Arrivals> watch(const std::function<Passages(std::int64_t times)>& pass, const Known& known,
                              const std::function<void(double seconds)>& pause) {
  constexpr double long_enough = 0.25;
  constexpr double pauses[] = {0.06, 0.19};
  const std::int64_t times = passages_after(pass(first_passages));
  const Passages first = pass(times);
  auto arrivals = arrivals_of(first, known);
  if (!arrivals) return arrivals;
  double looked = span_of(first);
  for (const double between : pauses) {
    if (!some_late(*arrivals) || looked >= long_enough) break;
    pause(between);
    const Passages again = pass(times);
    const auto now = arrivals_of(again, known);
    for (std::size_t r = 0; r < arrivals->ranks.size(); ++r)
      arrivals->ranks[r].late = arrivals->ranks[r].late && now && now->ranks[r].late;
    looked += between + span_of(again);
  }
  return arrivals;
}

}  // namespace ridge::bench::collective
