// Suites as data: what is read, and what is refused with its line.
#include "bench/harness/suite.hpp"

#include <catch2/catch.hpp>

#include <cstdio>
#include <fstream>

using namespace ridge::bench;
using Catch::Contains;

TEST_CASE("a suite is settings and requests") {
  const Suite suite = parse_suite("s", R"(
description = "two"
rounds = 12
min_time = "5ms"
[[request]]
benchmarks = ["a.b", "c"]
size = "L1,L2"
threads = 2
[[request]]
benchmarks = ["d"]
on = "gpu"
)");
  CHECK(suite.description == "two");
  CHECK(suite.rounds == 12);
  CHECK(suite.min_time == Approx(0.005));
  REQUIRE(suite.requests.size() == 2);
  CHECK(suite.requests[0].benchmarks == std::vector<std::string>{"a.b", "c"});
  CHECK(suite.requests[0].axes == std::map<std::string, std::string>{{"size", "L1,L2"}, {"threads", "2"}});
  CHECK(suite.requests[0].on.empty());
  CHECK(suite.requests[1].axes.empty());
  CHECK(suite.requests[1].on == "gpu");
}

TEST_CASE("what a suite cannot hold is refused with its line") {
  CHECK_THROWS_WITH(parse_suite("s", "rounds = 5\nround = 6\n[[request]]\nbenchmarks = ['a']"),
                    Contains("line 2") && Contains("round"));
  CHECK_THROWS_WITH(parse_suite("s", "rounds = "), Contains("suite s, line 1"));
  CHECK_THROWS_WITH(parse_suite("s", "rounds = 5"), Contains("no [[request]]"));
  CHECK_THROWS_WITH(parse_suite("s", "[[request]]\nsize = 'L1'"), Contains("names no benchmarks"));
  CHECK_THROWS_WITH(parse_suite("s", "[[request]]\nbenchmarks = 'a'"), Contains("line 2"));
  CHECK_THROWS_WITH(parse_suite("s", "[[request]]\nbenchmarks = ['a']\nsize = 1.5"), Contains("line 3"));
  CHECK_THROWS_WITH(parse_suite("s", "[[request]]\nbenchmarks = ['a']\non = 'tpu'"),
                    Contains("line 3") && Contains("gpu"));
  CHECK_THROWS_AS(parse_suite("s", "rounds = 0\n[[request]]\nbenchmarks = ['a']"), UsageError);
}

TEST_CASE("an unknown suite is answered with those there are") {
  const SuiteSources sources{{"quick", "[[request]]\nbenchmarks = ['a']"}, {"ci", ""}};
  CHECK(find_suite("quick", sources).name == "quick");
  CHECK_THROWS_WITH(find_suite("quik", sources), Contains("--suite") && Contains("quick, ci"));
}

TEST_CASE("a suite of one's own is a file, and what is wrong with it names the file") {
  const auto kept = [](const std::string& name, const std::string& text) {
    std::ofstream(name) << text;
    return name;
  };
  const SuiteSources sources{{"quick", ""}};
  const std::string good = kept("own-suite.toml", "rounds = 3\n[[request]]\nbenchmarks = ['a']");
  CHECK(find_suite(good, sources).name == good);
  CHECK(find_suite(good, sources).rounds == 3);
  CHECK(find_suite("./" + good, sources).rounds == 3);
  CHECK_THROWS_WITH(find_suite(kept("own-suite-bad.toml", "\nturns = 3"), sources),
                    "suite own-suite-bad.toml, line 2: unknown key 'turns'");
  CHECK_THROWS_WITH(find_suite("no-such.toml", sources),
                    "--suite: cannot read no-such.toml: No such file or directory");
  CHECK_THROWS_WITH(find_suite("./", sources), "--suite: cannot read ./: Is a directory");
  CHECK_THROWS_WITH(find_suite(kept("own-suite-large.toml", std::string((1 << 20) + 1, '#')), sources),
                    Contains("larger than 1 MiB"));
  for (const char* name : {"own-suite.toml", "own-suite-bad.toml", "own-suite-large.toml"}) std::remove(name);
}

TEST_CASE("a part of a suite keeps the axes of what it measures, and nothing else") {
  Registry registry(3);
  registry[0].name = "a.x";
  registry[1].name = "a.y";
  registry[2].name = "b.z";
  const Suite suite = parse_suite("s", R"(
rounds = 12
[[request]]
benchmarks = ["a", "b.z"]
size = "L1"
[[request]]
benchmarks = ["b"]
[[request]]
benchmarks = ["a.y"]
on = "gpu"
)");
  const Suite of_a = part_of(suite, registry, {"a"});
  CHECK(of_a.rounds == 12);
  REQUIRE(of_a.requests.size() == 2);
  CHECK(of_a.requests[0].benchmarks == std::vector<std::string>{"a.x", "a.y"});
  CHECK(of_a.requests[0].axes.at("size") == "L1");
  CHECK(of_a.requests[1].on == "gpu");
  REQUIRE(part_of(suite, registry, {"a.x"}).requests.size() == 1);
  CHECK(part_of(suite, registry, {"a.x"}).requests[0].benchmarks == std::vector<std::string>{"a.x"});
  const Suite only_b = parse_suite("t", "[[request]]\nbenchmarks = ['b']");
  CHECK_THROWS_WITH(part_of(only_b, registry, {"a"}), "--suite: t measures nothing of a");
  CHECK_THROWS_AS(part_of(only_b, registry, {"c"}), UsageError);
}
