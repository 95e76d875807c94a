// The baseline commands, run … --against, noise and ab.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/gate/folders.hpp"

using namespace ridge;
using namespace ridge::test;
using Catch::Contains;

namespace {

std::string example() {
  return std::string("example-cpu-3000");
}

}  // namespace

TEST_CASE("reports are saved, listed, shown, compared and pruned") {
  const Folder folder;
  const std::string store = folder / "store";
  put(folder, "runs", runs(0, 10));
  auto outcome = invoke({"baseline", "save", "--store", store, "--from", folder / "runs"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains(example()) && Contains("run-ci"));
  outcome = invoke({"baseline", "list", "--store", store});
  CHECK_THAT(outcome.out, Contains("run-ci  10 runs"));
  outcome = invoke({"baseline", "show", "--store", store, "run-ci"});
  CHECK_THAT(outcome.out, Contains("ridge 0.1.0 (0123456789ab)") && Contains("latency.a") && Contains("of 10 runs"));
  CHECK(invoke({"compare", store, folder / "runs"}).status == 0);
  CHECK(invoke({"baseline", "diff", "--store", store, "--last", "3"}).status == 0);
  outcome = invoke({"baseline", "prune", "--store", store, "--keep", "4", "--dry-run"});
  CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 6);
  CHECK(invoke({"baseline", "prune", "--store", store, "--keep", "4"}).status == 0);
  CHECK_THAT(invoke({"baseline", "list", "--store", store}).out, Contains("4 runs, 20250102T030006Z"));
  // The same reports again are the same files.
  invoke({"baseline", "save", "--store", store, "--from", folder / "runs"});
  invoke({"baseline", "save", "--store", store, "--from", folder / "runs"});
  CHECK_THAT(invoke({"baseline", "list", "--store", store}).out, Contains("10 runs"));
}

TEST_CASE("a store that is not there, and a baseline that matches nothing, are status 3") {
  const Folder folder;
  CHECK(invoke({"baseline", "list", "--store", folder / "none"}).status == 3);
  CHECK(invoke({"baseline", "show", "--store", folder / "none"}).status == 3);
  CHECK(invoke({"baseline", "diff", "--store", folder / "none"}).status == 3);
  CHECK(invoke({"baseline", "prune", "--store", folder / "none", "--keep", "3"}).status == 3);
  CHECK(invoke({"baseline"}).status == 2);
  CHECK(invoke({"baseline", "save", "--store", folder / "none", "--runs", "0"}).status == 2);
}

TEST_CASE("doubtful runs are not saved unless told") {
  const std::vector<std::pair<std::string, void (*)(record::Report&)>> doubts{
      {"interrupted", [](record::Report& r) { r.interrupted = true; }},
      {"debug", [](record::Report& r) { r.tool.build_type = "RelWithDebInfo"; }},
      {"suspect",
       [](record::Report& r) {
         r.records[0].status = record::Status::suspect;
         r.records[0].reason = "throttled";
       }},
      {"oversubscribed", [](record::Report& r) {
         r.records[0].status = record::Status::suspect;
         r.records[0].reason = "oversubscribed: more threads than the 2 usable cores";
       }}};
  for (const auto& [kind, change] : doubts) {
    const Folder folder;
    auto all = runs(0, 1);
    change(all.front());
    put(folder, "runs", all);
    const std::vector<std::string> command{"baseline", "save", "--store", folder / "store", "--from", folder / "runs"};
    auto outcome = invoke(command);
    CHECK(outcome.status == 3);
    CHECK_THAT(outcome.err, Contains("--allow " + kind));
    CHECK_FALSE(std::filesystem::exists(folder / "store"));
    auto allowed = command;
    allowed.insert(allowed.end(), {"--allow", kind});
    CHECK(invoke(allowed).status == 0);
  }
}

TEST_CASE("a run far from the history is saved with a warning") {
  const Folder folder;
  put(folder, "before", runs(0, 10));
  put(folder, "after", runs(20, 3, 1.3));
  invoke({"baseline", "save", "--store", folder / "store", "--from", folder / "before"});
  const auto outcome = invoke({"baseline", "save", "--store", folder / "store", "--from", folder / "after"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.err, Contains("far from the 10 runs before") && Contains("latency.a"));
}

TEST_CASE("names in reports never become paths") {
  const Folder folder;
  auto all = runs(0, 1);
  all.front().machine.identity.cpu_model = "../../evil";
  all.front().command = "ridge ../../../etc --x";
  all.front().started = "../../now";
  put(folder, "runs", all);
  const auto outcome = invoke({"baseline", "save", "--store", folder / "store", "--from", folder / "runs"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Catch::StartsWith(folder / "store/evil-"));
  CHECK_THAT(outcome.out, !Contains(".."));
}

TEST_CASE("a store that several processes write at once stays whole") {
  const Folder folder;
  constexpr int writers = 6;
  for (int i = 0; i < writers; ++i) put(folder, fmt::format("runs-{}", i), runs(10 * i, 10));
  std::vector<std::thread> threads;
  std::vector<int> statuses(writers, -1);
  for (int i = 0; i < writers; ++i)
    threads.emplace_back([&, i] {
      statuses[static_cast<std::size_t>(i)] =
          invoke({"baseline", "save", "--store", folder / "store", "--from", folder / fmt::format("runs-{}", i)})
              .status;
    });
  for (auto& thread : threads) thread.join();
  CHECK(statuses == std::vector<int>(writers, 0));
  CHECK_THAT(invoke({"baseline", "list", "--store", folder / "store"}).out, Contains("60 runs"));
  CHECK(invoke({"compare", folder / "store", folder / "runs-0"}).status == 0);
}

TEST_CASE("noise tells which metrics can be gated") {
  const Folder folder;
  std::vector<record::Report> all;
  for (int i = 0; i < 10; ++i) all.push_back(report({1e-6 * wobble(0, i), 2e-6 * (1 + 0.3 * ((i * 7) % 10))}, i));
  put(folder, "runs", all);
  const auto outcome = invoke({"noise", "--from", folder / "runs", "--format", "json"});
  CHECK(outcome.status == 0);
  const auto metrics = nlohmann::json::parse(outcome.out).at("metrics");
  CHECK(metrics.at(0).at("gateable") == true);
  CHECK(metrics.at(1).at("gateable") == false);
  CHECK_THAT(metrics.at(1).at("reason").get<std::string>(), Contains("not gateable"));
  CHECK_THAT(invoke({"noise", "--from", folder / "runs"}).out,
             Contains("1 of 2 metrics can be gated with 10 baseline and 3 new runs"));
}

TEST_CASE("ab runs two programs that write reports where {out} says") {
  const Folder folder;
  put(folder, "fast", {report({1e-6, 2e-6}, 0)});
  put(folder, "slow", {report({1.5e-6, 2e-6}, 0)});
  const std::string fast = "cp " + (folder / "fast/run-00.json") + " {out}";
  const std::string slow = "cp " + (folder / "slow/run-00.json") + " {out}";
  CHECK(invoke({"ab", "--a", fast, "--b", fast, "--runs", "3", "--quiet"}).status == 0);
  const auto outcome = invoke({"ab", "--a", fast, "--b", slow, "--runs", "3", "--quiet", "--keep", folder / "kept"});
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, Contains("1 regressed, 1 same"));
  CHECK(std::filesystem::exists(folder / "kept/a-03-01.json"));
  CHECK(invoke({"ab", "--a", "true", "--b", "true"}).status == 2);
  CHECK(invoke({"ab", "--a", "true {out}", "--b", "true {out}", "--quiet"}).status == 4);
  CHECK(invoke({"ab", "--a", "no-such-program {out}", "--b", fast, "--quiet"}).status == 4);
}

TEST_CASE("run --against measures, finds no baseline or judges, and keeps every try") {
  const Folder folder;
  const std::string store = folder / "store";
  const std::string own = folder / "own.toml";
  put_text(own, "rounds = 2\nmin_time = '1ms'\n[[request]]\nbenchmarks = ['bandwidth.copy']\nsize = '4Ki,16Ki'\n");
  const std::vector<std::string> suite{"run", "--suite", own};
  auto command = suite;
  command.insert(command.end(), {"--against", store, "--runs", "1", "--quiet"});
  auto outcome = invoke(command);
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.err,
             Contains("no baseline in " + store) && Contains("--store " + store + " -- run --suite " + own));
  std::vector<std::string> save{"baseline", "save", "--store", store, "--runs", "2", "--quiet"};
  save.insert(save.end(), {"--allow", "debug", "--allow", "suspect", "--"});
  save.insert(save.end(), suite.begin(), suite.end());
  CHECK(invoke(save).status == 0);
  auto other = suite;
  other.insert(other.end(), {"--against", store, "--runs", "1", "--quiet", "--workload", "other"});
  outcome = invoke(other);
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.err,
             Contains("no baseline of other for") && Contains("there is") && Contains("run-own.toml (2 runs)"));
  command.insert(command.end(), {"--retry", "1", "--keep", folder / "kept", "--out", "json:" + (folder / "gate.json")});
  outcome = invoke(command);
  CHECK((outcome.status == 0 || outcome.status == 1 || outcome.status == 3));  // the machine's mood decides which
  CHECK(nlohmann::json::parse(text_of(folder / "gate.json")).at("exit") == outcome.status);
  CHECK(std::filesystem::exists(folder / "kept/try-1-01.json"));
  CHECK(invoke({"run", "--runs", "3"}).status == 2);
  CHECK(invoke({"run", "--against", store, "--json", "x.json"}).status == 2);
}
