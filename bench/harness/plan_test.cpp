// What is asked for: matching, expansion of axes, sizes, options, and the line that reproduces a record.
#include "bench/harness/plan.hpp"

#include <catch2/catch.hpp>

#include "bench/harness/made_plans.hpp"

using namespace ridge;
using bench::UsageError;
using bench::fake::Asked;
using bench::fake::MiB;
using Catch::Contains;
using record::Status;

TEST_CASE("names, families and patterns select, nothing is planned twice") {
  Asked a;
  CHECK(a.plan({"fake"}).cases.size() == 2);
  CHECK(a.plan({"fake.copy"}).cases.size() == 1);
  CHECK(a.plan({"*.tri*", "fake.triad", "fake"}).cases.size() == 2);
  CHECK_THROWS_WITH(a.plan({"fake.traid"}), "there is no benchmark 'fake.traid' (did you mean fake.triad?)");
}

TEST_CASE("choices of one architecture are left out elsewhere, unless they were named") {
  Asked a;
  const auto choices = [&](const std::string& capability, const std::string& asked) {
    a.inventory.devices[0].capability = capability;
    std::string planned;
    const auto plan = a.plan({"fake.copy"}, {{"way", asked}});
    for (const auto& each : plan.cases) planned += each.draft.point.text("way") + " ";
    return planned;
  };
  a.registry[0].axes.push_back({"way", "", "way", bench::AxisKind::choice, "all", {"old", "new", "newer"}});
  a.registry[0].axes.back().of_capability = {{"new", "9.0"}, {"newer", "10.0,10.3"}};
  for (a.by_suite = false;; a.by_suite = true) {
    CHECK(choices("", "all") == "old ");
    CHECK(choices("8.0", "all") == "old ");
    CHECK(choices("9.0", "all") == "old new ");
    CHECK(choices("10.0", "all") == "old newer ");
    CHECK(choices("10.3", "all") == "old newer ");
    CHECK(choices("10.1", "all") == "old ");
    CHECK(choices("0.3", "all") == "old ");
    CHECK(choices("8.0", "new,old") == (a.by_suite ? "old " : "new old "));
    CHECK(choices("9.0", "newer") == (a.by_suite ? "" : "newer "));
    if (a.by_suite) break;
  }
  CHECK(a.plan({"fake.copy"}).cases.size() == 2);  // the default, on 9.0
  CHECK_THROWS_AS(choices("9.0", "newest"), UsageError);
}

TEST_CASE("a count may be as large as one before it") {
  Asked a;
  a.registry[0].axes.push_back({"m", "", "rows", bench::AxisKind::count, "3,5", {}});
  a.registry[0].axes.push_back({"n", "", "columns", bench::AxisKind::count, "m,7", {}});
  const auto plan = a.plan({"fake.copy"});
  REQUIRE(plan.cases.size() == 4);
  CHECK(plan.cases[0].draft.point.integer("n") == 3);
  CHECK(plan.cases[2].draft.point.integer("n") == 5);
  CHECK(plan.cases[3].draft.point.integer("n") == 7);
  CHECK_THROWS_AS(a.plan({"fake.copy"}, {{"m", "n"}}), UsageError);  // n comes after m
}

TEST_CASE("axes multiply, the first slowest, and the point keeps the declared order") {
  Asked a;
  const auto plan = a.plan({"fake.copy"}, {{"dtype", "all"}, {"size", "4Ki,8Ki"}, {"threads", "1:2"}});
  REQUIRE(plan.cases.size() == 8);
  CHECK(plan.cases[0].draft.point.to_text() == "size=4096 threads=1 dtype=f32");
  CHECK(plan.cases[0].draft.method.level == std::optional<std::string>("L1"));
  CHECK(*plan.cases[0].draft.method.working_set == 4096);
}

TEST_CASE("choices that only others of a family know leave a benchmark out, unless it was named") {
  Asked a;
  a.registry[1].axes.push_back({"dtype", "", "type", bench::AxisKind::choice, "int8", {"int8", "f32"}});
  const auto identities = [](const bench::Plan& plan) {
    std::vector<std::string> all;
    for (const auto& planned : plan.cases)
      all.push_back(planned.draft.benchmark + " " + planned.draft.point.text("dtype"));
    return all;
  };
  CHECK(identities(a.plan({"fake"}, {{"dtype", "f64"}})) == std::vector<std::string>{"fake.copy f64"});
  CHECK(identities(a.plan({"fake"}, {{"dtype", "int8,f64"}})) ==
        std::vector<std::string>{"fake.copy f64", "fake.triad int8"});
  CHECK(identities(a.plan({"fake"}, {{"dtype", "f32"}})) ==
        std::vector<std::string>{"fake.copy f32", "fake.triad f32"});
  CHECK(identities(a.plan({"fake"}, {{"dtype", "all"}})).size() == 4);
  CHECK_THROWS_WITH(a.plan({"fake"}, {{"dtype", "f46"}}), Contains("'f46' is not one of"));
  CHECK_THROWS_WITH(a.plan({"fake"}, {{"dtype", "f64,f46"}}), Contains("'f46' is not one of"));
  CHECK_THROWS_WITH(a.plan({"fake.copy", "fake.triad"}, {{"dtype", "f64"}}), Contains("'f64' is not one of int8, f32"));
}

TEST_CASE("what goes over a link is in no memory level") {
  Asked a;
  a.registry[0].over_a_link = true;
  CHECK_FALSE(a.plan({"fake.copy"}, {{"size", "4Ki"}}).cases.front().draft.method.level);
}

TEST_CASE("levels become sizes: half of a cache, four times the last one") {
  Asked a;
  CHECK(a.plan({"fake.copy"}, {{"size", "L1"}}).cases[0].draft.point.integer("size") == 16 << 10);
  CHECK(a.plan({"fake.copy"}, {{"size", "L1"}, {"threads", "2"}}).cases[0].draft.point.integer("size") == 32 << 10);
  CHECK(a.plan({"fake.copy"}, {{"size", "memory"}}).cases[0].draft.point.integer("size") == 128 * MiB);
  std::erase_if(a.registry[1].axes, [](const bench::Axis& axis) { return axis.name == "threads"; });
  a.registry[1].buffers = a.registry[0].buffers;
  CHECK(a.plan({"fake.triad"}, {{"size", "L1"}}).cases[0].draft.point.integer("size") == 16 << 10);
  a.registry[1].buffers = [](const record::Point& p) { return std::vector<std::int64_t>(3, p.integer("size")); };
  CHECK(a.plan({"fake.triad"}, {{"size", "memory"}}).cases[0].draft.point.integer("size") == 64 * MiB);
  CHECK_THROWS_WITH(a.plan({"fake.copy"}, {{"size", "L4"}}), Contains("--size") && Contains("no cache level L4"));
  a.inventory.levels.clear();
  CHECK(a.plan({"fake.copy"}, {{"size", "memory"}}).cases[0].draft.status == Status::failed);  // 1 GiB of 1000 MiB
}

TEST_CASE("a default may depend on whether the working set lies in a cache") {
  Asked a;
  a.registry[0].axes.push_back(
      {"way", "", "way", bench::AxisKind::choice, "past", {"past", "through"}, std::nullopt, 1, "through"});
  const auto way = [&](std::map<std::string, std::string> axes) {
    const auto plan = a.plan({"fake.copy"}, std::move(axes));
    REQUIRE(plan.cases.size() == 1);
    return std::get<std::string>(*plan.cases[0].draft.point.find("way"));
  };
  CHECK(way({{"size", "16Ki"}}) == "through");
  CHECK(way({{"size", "L3"}}) == "through");
  CHECK(way({{"size", "memory"}}) == "past");
  CHECK(way({{"size", "48Mi"}}) == "past");  // between the last level and memory
  CHECK(way({{"size", "16Ki"}, {"way", "past"}}) == "past");
}

TEST_CASE("sizes are rounded down to whole elements and said, below one element is refused") {
  Asked a;
  const auto plan = a.plan({"fake.copy"}, {{"size", "4099"}});
  CHECK(plan.cases[0].draft.point.integer("size") == 4096);
  REQUIRE(plan.findings.size() == 1);
  CHECK(plan.findings[0].code == "size-rounded");
  CHECK_THAT(plan.findings[0].message, Contains("4099 B") && Contains("4096 B"));
  CHECK_THROWS_WITH(a.plan({"fake.copy"}, {{"size", "7"}}), "--size: 7 B is less than one element of 8 B");
  CHECK_THROWS_WITH(a.plan({"fake.copy"}, {{"size", "0"}}), Contains("--size: '0'"));
}

TEST_CASE("the option --elements counts elements of the type") {
  Asked a;
  CHECK(a.plan({"fake.copy"}, {{"elements", "1000003"}, {"dtype", "f32"}}).cases[0].draft.point.integer("size") ==
        4000012);
  CHECK(a.plan({"fake.copy"}, {{"elements", "1"}}).cases[0].draft.point.integer("size") == 8);
  CHECK_THROWS_AS(a.plan({"fake.copy"}, {{"elements", "7"}, {"size", "8"}}), UsageError);
  CHECK_THROWS_AS(a.plan({"fake.copy"}, {{"elements", "4611686018427387904"}}), UsageError);
}

TEST_CASE("an option that nothing selected has is refused with those there are") {
  Asked a;
  CHECK_THROWS_WITH(a.plan({"fake.triad"}, {{"dtype", "f32"}}),
                    Contains("--dtype") && Contains("--elements --size --threads"));
  CHECK(a.plan({"fake"}, {{"dtype", "f32"}}).cases.size() == 2);
  CHECK_THROWS_WITH(a.plan({"fake.copy"}, {{"dtype", "f46"}}), Contains("--dtype") && Contains("did you mean f64"));
}

TEST_CASE("data that a benchmark does not know of is skipped, and named in the record") {
  Asked a;
  a.settings.fill = bench::Fill::ones;
  a.registry[1].fills.push_back(bench::Fill::ones);
  const auto plan = a.plan({"fake"});
  CHECK(plan.cases[0].draft.status == record::Status::skipped);
  CHECK(plan.cases[0].draft.reason == "fake.copy knows no data of ones");
  CHECK(plan.cases[1].draft.status == record::Status::not_run);
  CHECK(plan.cases[1].draft.method.fill == "ones");
  CHECK_THAT(plan.cases[1].draft.reproduce, Contains("--fill ones"));
}

TEST_CASE("a reproduction line names everything that makes the record") {
  Asked a;
  const auto plan = a.plan({"fake.copy"}, {{"size", "4Ki"}});
  CHECK(plan.cases[0].draft.reproduce ==
        "ridge fake copy --device cpu --size 4096 --threads 1 --dtype f64 --cache warm --fill random --rounds 5 "
        "--min-time 0.02s "
        "--seed 1");
}
