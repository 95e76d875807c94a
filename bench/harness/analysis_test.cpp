// Each family is asked once, about all records, and only when it has one among them.
#include "bench/harness/analysis.hpp"

#include <catch2/catch.hpp>

using namespace ridge;

namespace {

bench::Registry two_families(int& asked) {
  auto analysis = std::make_shared<bench::Analysis>();
  analysis->conclude = [&asked](std::span<record::Record> records) {
    ++asked;
    records.front().metrics.push_back({"predicted", 1.0, record::Unit::ratio, record::Better::neither, {}, {}});
    return std::vector<record::Finding>{{"found", record::Severity::note, "something", {}}};
  };
  analysis->key_figures = [](std::span<const record::Record> records) {
    return std::vector<std::string>{std::to_string(records.size()) + " records"};
  };
  analysis->draw = [](std::span<const record::Record>, int columns) {
    return std::string(static_cast<std::size_t>(columns), '#') + "\n";
  };
  bench::Registry registry(3);
  registry[0].name = "steps.up";
  registry[1].name = "steps.down";
  registry[2].name = "plain.one";
  registry[0].analysis = registry[1].analysis = analysis;
  return registry;
}

std::vector<record::Record> records_of(const std::vector<std::string>& names) {
  std::vector<record::Record> records(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) records[i].benchmark = names[i];
  return records;
}

}  // namespace

TEST_CASE("a family's analysis is asked once for all its records") {
  int asked = 0;
  const auto registry = two_families(asked);
  auto records = records_of({"plain.one", "steps.up", "steps.down"});
  const auto findings = bench::conclude(registry, records);
  CHECK(asked == 1);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "found");
  CHECK(records.front().metric("predicted") != nullptr);
  CHECK(bench::key_figures(registry, records) == std::vector<std::vector<std::string>>{{"3 records"}});
  CHECK(bench::draw(registry, records, 4) == "####\n");
}

TEST_CASE("a family without a record is not asked") {
  int asked = 0;
  const auto registry = two_families(asked);
  auto records = records_of({"plain.one"});
  CHECK(bench::conclude(registry, records).empty());
  CHECK(asked == 0);
  CHECK(bench::key_figures(registry, records).empty());
  CHECK(bench::draw(registry, records, 4).empty());
}

TEST_CASE("a family can be drawn where its analysis draws") {
  int asked = 0;
  const auto registry = two_families(asked);
  const bench::Definition* drawn[] = {&registry[0]};
  const bench::Definition* plain[] = {&registry[2]};
  CHECK(bench::can_draw(drawn));
  CHECK_FALSE(bench::can_draw(plain));
}
