// Runs brought together: what is left out of some runs, what each side disagrees about, what is only informative.
#include "reports/compare/comparison.hpp"

#include <catch2/catch.hpp>

#include "reports/compare/noise.hpp"

using namespace ridge::compare;
using ridge::record::Better;
using ridge::record::Exit;
using ridge::record::Status;

namespace {

Case made(const std::string& id, double value, const std::string& unit = "s", Better better = Better::lower) {
  Case each;
  each.id = id;
  each.metrics.push_back({"time", value, unit, better, std::nullopt});
  return each;
}

std::vector<Run> runs(int first, int count, double value = 1) {
  std::vector<Run> all;
  for (int i = first; i < first + count; ++i) {
    Run run;
    run.source = "run-" + std::to_string(i);
    run.schema = "ridge-report 1";
    run.cases.push_back(made("a", value * (1 + 0.002 * ((i * 7) % 5))));
    run.cases.push_back(made("b", 2 * (1 + 0.002 * ((i * 3) % 5))));
    all.push_back(run);
  }
  return all;
}

}  // namespace

TEST_CASE("values are gathered over the runs of each side, in the order of the baseline") {
  const auto comparison = compare(runs(0, 10), runs(20, 3, 1.2), {});
  REQUIRE(comparison.rows.size() == 2);
  CHECK(comparison.rows[0].name() == "a: time");
  CHECK(comparison.rows[0].series.base.size() == 10);
  CHECK(comparison.rows[0].judgement.verdict == Verdict::regressed);
  CHECK(comparison.rows[1].judgement.verdict == Verdict::same);
  CHECK(comparison.exit() == Exit::worse);
}

TEST_CASE("values in another unit of the same dimension are converted") {
  auto fresh = runs(20, 3);
  for (Run& run : fresh) {
    *run.cases[0].metrics[0].value *= 1e3;
    run.cases[0].metrics[0].unit = "ms";
  }
  const auto comparison = compare(runs(0, 10), fresh, {});
  CHECK(comparison.exit() == Exit::success);
  CHECK(comparison.rows[0].series.fresh[0] == Approx(1).epsilon(0.01));
}

TEST_CASE("a doubtful run among good ones is left out with a note") {
  auto fresh = runs(20, 3);
  fresh[1].cases[0].status = Status::suspect;
  fresh[1].cases[0].reason = "throttled";
  const auto comparison = compare(runs(0, 10), fresh, {});
  CHECK(comparison.rows[0].series.fresh.size() == 2);
  REQUIRE(comparison.rows[0].notes.size() == 1);
  CHECK(comparison.rows[0].notes[0] == "in 2 of 3 new runs: suspect: throttled");
  CHECK(comparison.exit() == Exit::success);
}

TEST_CASE("runs of one side that disagree are not comparable") {
  auto base = runs(0, 10);
  base[4].cases[0].metrics[0].unit = "B";
  CHECK(compare(base, runs(20, 3), {}).rows[0].judgement.verdict == Verdict::not_comparable);
  base = runs(0, 10);
  base[4].cases[0].workload_version = 2;
  CHECK(compare(base, runs(20, 3), {}).rows[0].judgement.verdict == Verdict::not_comparable);
  base = runs(0, 10);
  base[4].schema = "google-benchmark";
  auto fresh = runs(20, 3);
  fresh[0].schema = "google-benchmark";
  CHECK(compare(base, fresh, {}).exit() == Exit::not_comparable);
}

TEST_CASE("metrics without a direction are counted and not judged") {
  auto base = runs(0, 3);
  auto fresh = runs(20, 3);
  for (auto* side : {&base, &fresh})
    for (Run& run : *side) run.cases[0].metrics.push_back({"temperature", 50, "degC", Better::neither, std::nullopt});
  const auto comparison = compare(base, fresh, {});
  CHECK(comparison.rows.size() == 2);
  CHECK(comparison.ignored == 1);
}

TEST_CASE("a metric that is not gated neither fails nor costs the others power") {
  Options options;
  options.rules.rules.push_back({"rules:1", "a: *", {}, {}, {}, false, "known"});
  const auto comparison = compare(runs(0, 10), runs(20, 3, 1.2), options);
  CHECK(comparison.exit() == Exit::success);
  CHECK(comparison.rows[0].judgement.verdict == Verdict::regressed);
  CHECK(comparison.count(Verdict::regressed) == 0);
  CHECK(comparison.count(Verdict::same) == 1);
}

TEST_CASE("later rules go over earlier ones, key by key") {
  Options options;
  options.rules.rules.push_back({"rules:1", "*", 0.5, {}, {}, {}, ""});
  options.rules.rules.push_back({"rules:2", "a: time", 0.02, {}, {}, {}, ""});
  const auto comparison = compare(runs(0, 10), runs(20, 3, 1.05), options);
  CHECK(comparison.rows[0].judgement.verdict == Verdict::regressed);
  CHECK(comparison.rows[0].series.tolerance.source == "rules:2");
  CHECK(comparison.rows[1].judgement.tolerance == Approx(0.5));
}

TEST_CASE("a ratio within one run is held to a tighter tolerance than what a whole run may slow down") {
  const auto with_speedups = [](std::vector<Run> all, double factor) {
    for (Run& run : all) {
      const double noise = *run.cases[1].metrics[0].value / 2;
      run.cases.push_back(made("fused", 2 * noise / factor, "ratio", Better::higher));
    }
    return all;
  };
  Options options;
  for (const double wider : {0.0, 0.10}) {
    if (wider > 0) options.rules.tolerance = wider;  // the default of all, which a ratio stays below
    const auto comparison = compare(with_speedups(runs(0, 10), 1), with_speedups(runs(20, 3, 1.03), 1.03), options);
    REQUIRE(comparison.rows.size() == 3);
    CHECK(comparison.rows[0].judgement.verdict == Verdict::same);  // as much worse
    CHECK(comparison.rows[2].judgement.verdict == Verdict::regressed);
    CHECK(comparison.rows[2].judgement.tolerance == Approx(0.02));
    CHECK(comparison.rows[2].series.tolerance.source == "default");
  }
  CHECK(compare(with_speedups(runs(0, 10), 1), with_speedups(runs(20, 3), 1.01), {}).exit() == Exit::success);
  options.rules.rules.push_back({"rules:1", "fused: *", 0.2, {}, {}, {}, ""});  // a rule for it goes over that
  CHECK(compare(with_speedups(runs(0, 10), 1), with_speedups(runs(20, 3), 1.03), options).exit() == Exit::success);
}

namespace {

// Each of the runs' cases gets the rate that belongs to its time.
std::vector<Run> with_rates(std::vector<Run> all, double bytes) {
  for (Run& run : all)
    for (Case& each : run.cases)
      each.metrics.push_back({"bandwidth", bytes / *each.metrics[0].value, "B/s", Better::higher, std::nullopt});
  return all;
}

}  // namespace

TEST_CASE("a metric that is a function of another of its case is judged with it") {
  const auto alone = compare(runs(0, 10), runs(20, 3, 1.2), {});
  const auto both = compare(with_rates(runs(0, 10), 3e9), with_rates(runs(20, 3, 1.2), 3e9), {});
  REQUIRE(both.rows.size() == 2);
  CHECK(both.rows[0].metric == "time");
  CHECK(both.rows[0].together == std::vector<std::string>{"bandwidth"});
  CHECK(both.count(Verdict::regressed) == 1);
  CHECK(both.rows[0].judgement.detectable == alone.rows[0].judgement.detectable);  // nothing was paid for the second
}

TEST_CASE("a metric that is no longer the same function of another is judged for itself") {
  const auto changed = compare(with_rates(runs(0, 10), 3e9), with_rates(runs(20, 3), 2e9), {});
  REQUIRE(changed.rows.size() == 4);
  CHECK(changed.rows[0].judgement.verdict == Verdict::same);
  CHECK(changed.rows[1].judgement.verdict == Verdict::regressed);
  auto once = with_rates(runs(20, 3), 3e9);
  *once[1].cases[0].metrics[1].value *= 1.0001;
  CHECK(compare(with_rates(runs(0, 10), 3e9), once, {}).rows.size() == 3);
}

TEST_CASE("a metric with a rule of its own is judged for itself") {
  Options options;
  options.rules.rules.push_back({"rules:1", "a: bandwidth", 0.5, {}, {}, {}, ""});
  const auto comparison = compare(with_rates(runs(0, 10), 3e9), with_rates(runs(20, 3, 1.2), 3e9), options);
  REQUIRE(comparison.rows.size() == 3);
  CHECK(comparison.rows[0].judgement.verdict == Verdict::regressed);
  CHECK(comparison.rows[1].judgement.verdict == Verdict::same);
}

namespace {

std::vector<Run> with_stopped(std::vector<Run> all, Status status) {
  for (Run& run : all) {
    Case each;
    each.id = "c";
    each.status = status;
    each.reason = "no device";
    run.cases.push_back(each);
  }
  return all;
}

}  // namespace

TEST_CASE(
    "a case that failed on both sides is invalid, one that was skipped on both is told, neither is a pass in silence") {
  const auto failed = compare(with_stopped(runs(0, 10), Status::failed), with_stopped(runs(20, 3), Status::failed), {});
  REQUIRE(failed.rows.size() == 3);
  CHECK(failed.rows[2].name() == "c: *");
  CHECK(failed.rows[2].judgement.verdict == Verdict::invalid);
  CHECK(failed.rows[2].judgement.reason ==
        "measured on neither side; in the baseline failed: no device; in the new report failed: no device");
  CHECK(failed.exit() == Exit::not_comparable);
  CHECK(compare(with_stopped(runs(0, 10), Status::skipped), with_stopped(runs(20, 3), Status::failed), {}).exit() ==
        Exit::not_comparable);
  const auto skipped =
      compare(with_stopped(runs(0, 10), Status::skipped), with_stopped(runs(20, 3), Status::not_run), {});
  CHECK(skipped.rows.size() == 2);
  REQUIRE(skipped.notes.size() == 1);
  CHECK(skipped.notes[0] == "1 case was skipped or not run on both sides: not compared");
  CHECK(skipped.exit() == Exit::success);
}

TEST_CASE("a case that is new and failed is told, and a rule may leave out what is broken on both sides") {
  const auto added = compare(runs(0, 10), with_stopped(runs(20, 3), Status::failed), {});
  REQUIRE(added.rows.size() == 3);
  CHECK(added.rows[2].judgement.verdict == Verdict::added);
  CHECK(added.rows[2].judgement.reason == "not in the baseline, and failed: no device");
  Options options;
  options.rules.rules.push_back({"rules:1", "c: *", {}, {}, {}, false, "known"});
  CHECK(compare(with_stopped(runs(0, 10), Status::failed), with_stopped(runs(20, 3), Status::failed), options).exit() ==
        Exit::success);
}

TEST_CASE("a warning that several runs have is told once") {
  auto base = runs(0, 10);
  for (std::size_t i = 2; i < 6; ++i) base[i].warnings = {"stolen-time: over " + std::to_string(i) + " %"};
  auto fresh = runs(20, 3);
  fresh[1].warnings = {"throttled: by the quota"};
  const auto comparison = compare(base, fresh, {});
  REQUIRE(comparison.notes.size() == 2);
  CHECK(comparison.notes[0] == "run-2: stolen-time: over 2 %; 3 more runs warn of stolen-time");
  CHECK(comparison.notes[1] == "run-21: throttled: by the quota");
}

TEST_CASE("a baseline of one run is said to be one") {
  const auto comparison = compare(runs(0, 1), runs(20, 3), {});
  REQUIRE_FALSE(comparison.notes.empty());
  CHECK(comparison.notes[0].find("the baseline is one run") == 0);
}

TEST_CASE("the noise of runs with themselves says which metrics can be gated") {
  auto all = runs(0, 10);
  for (std::size_t i = 0; i < all.size(); ++i)
    *all[i].cases[1].metrics[0].value = 2 + 0.4 * static_cast<double>((i * 7) % 10);
  const auto report = noise(all, {}, {}, 3);
  REQUIRE(report.metrics.size() == 2);
  CHECK(report.metrics[0].gateable);
  CHECK_FALSE(report.metrics[1].gateable);
  CHECK(*report.metrics[1].between > 0.2);
  CHECK_FALSE(noise(runs(0, 1), {}, {}, 3).metrics[0].gateable);
}
