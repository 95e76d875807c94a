// The gate on recorded runs of the ci suite: what did not change passes, a planted slowdown of twice the tolerance
// fails.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reports/compare/study/recorded.hpp"
#include "tests/gate/folders.hpp"

using namespace ridge;
using namespace ridge::test;

namespace {

const std::vector<study::Recorded>& metrics() {
  static const auto all = study::parse_recorded(text_of(RIDGE_RECORDED));
  return all;
}

// Run `index` as a report, with one metric slowed by the factor.
record::Report recorded_run(std::size_t index, std::size_t slowed = 0, double factor = 1) {
  record::Report made = report({}, static_cast<int>(index));
  for (std::size_t i = 0; i < metrics().size(); ++i) {
    const auto& metric = metrics()[i];
    const auto colon = metric.name.rfind(": ");
    record::Record record = latency("", metric.values[index]);
    record.benchmark = metric.name.substr(0, colon);
    record.metrics[0].name = metric.name.substr(colon + 2);
    record.metrics[0].unit = record::unit_from(metric.unit).value();
    record.metrics[0].better = metric.better;
    if (i == slowed) *record.metrics[0].value *= metric.better == record::Better::higher ? 1 / factor : factor;
    made.records.push_back(record);
  }
  return made;
}

// Ten runs in the order of time against the three that came next.
Outcome judged(std::size_t first, std::size_t slowed = 0, double factor = 1) {
  const Folder folder;
  std::vector<record::Report> base;
  std::vector<record::Report> fresh;
  for (std::size_t i = first; i < first + 10; ++i) base.push_back(recorded_run(i));
  for (std::size_t i = first + 10; i < first + 13; ++i) fresh.push_back(recorded_run(i, slowed, factor));
  put(folder, "base", base);
  put(folder, "new", fresh);
  return invoke({"compare", folder / "base", folder / "new", "--format", "json"});
}

}  // namespace

TEST_CASE("recorded runs against those that came before them pass") {
  REQUIRE(metrics().size() >= 5);
  for (std::size_t first = 0; first + 13 <= metrics()[0].values.size(); first += 13) {
    INFO("from run " << first);
    CHECK(judged(first).status == 0);
  }
}

TEST_CASE(
    "a slowdown of twice the learned tolerance, planted in one recorded metric, fails and is the only one named") {
  const auto unchanged = nlohmann::json::parse(judged(0).out).at("metrics");
  REQUIRE(unchanged.size() == metrics().size());
  for (std::size_t i = 0; i < metrics().size(); ++i) {
    const auto outcome = judged(0, i, 1 + 2 * unchanged.at(i).at("tolerance").get<double>());
    INFO(metrics()[i].name);
    CHECK(outcome.status == 1);
    const auto found = nlohmann::json::parse(outcome.out);
    CHECK(found.at("metrics").at(i).at("verdict") == "regressed");
    CHECK(found.at("counts").at("regressed") == 1);
  }
}
