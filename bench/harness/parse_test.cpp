// The grammar of quantities: what is accepted, what is refused, and with which words.
#include "bench/harness/parse.hpp"

#include <catch2/catch.hpp>

using namespace ridge::bench;
using Catch::Contains;

TEST_CASE("sizes use decimal and binary suffixes, with or without B") {
  CHECK(parse_bytes("4096") == 4096);
  CHECK(parse_bytes("64Ki") == 65536);
  CHECK(parse_bytes("1MiB") == 1048576);
  CHECK(parse_bytes("2G") == 2'000'000'000);
  CHECK(parse_bytes("2GB") == 2'000'000'000);
  CHECK(parse_bytes("1.5GiB") == 1'610'612'736);
  CHECK(parse_bytes("1B") == 1);
  CHECK(parse_bytes("9223372036854775807") == 9223372036854775807LL);
  CHECK(parse_bytes("5Gi") == 5'368'709'120);  // beyond 2^32
}

TEST_CASE("sizes that are not sizes are refused with what is allowed") {
  for (const char* bad : {"", "0", "-1", "1e400", "12Q", "Ki", "1.2.3Ki", "0.5", "1.0001Ki", "9223372036854775808",
                          "9Pi9", " 1", "1 ", "0x10", "nan", "inf", "1.", "+1", "16384Pi"}) {
    INFO("input: " << bad);
    CHECK_THROWS_WITH(parse_bytes(bad), Contains("expected a size such as 4096"));
  }
  CHECK_THROWS_WITH(parse_bytes("-1"), Contains("'-1'"));
  CHECK_THROWS_WITH(parse_bytes("1e400"), Contains("'1e400'"));
}

TEST_CASE("counts take suffixes but no B") {
  CHECK(parse_count("7") == 7);
  CHECK(parse_count("1Ki") == 1024);
  CHECK_THROWS_AS(parse_count("7B"), UsageError);
  CHECK_THROWS_AS(parse_count("0"), UsageError);
  CHECK_THROWS_AS(parse_count("1.5"), UsageError);
}

TEST_CASE("durations are positive and carry a unit or mean seconds") {
  CHECK(parse_seconds("2") == 2.0);
  CHECK(parse_seconds("10ms") == Approx(0.01));
  CHECK(parse_seconds("500us") == Approx(5e-4));
  CHECK(parse_seconds("1.5min") == 90.0);
  for (const char* bad : {"", "0", "-1", "1e400", "3x", "s", "0ms", "inf", "1,5"}) {
    INFO("input: " << bad);
    CHECK_THROWS_AS(parse_seconds(bad), UsageError);
  }
}

TEST_CASE("lists join single values and ranges") {
  using V = std::vector<std::int64_t>;
  CHECK(parse_list("1Ki:8Ki:*2", parse_bytes) == V{1024, 2048, 4096, 8192});
  CHECK(parse_list("1:8", parse_count) == V{1, 2, 4, 8});
  CHECK(parse_list("1:9:+4,3", parse_count) == V{1, 5, 9, 3});
  CHECK(parse_list("5:6:*10", parse_count) == V{5});
  CHECK(parse_list("4Pi:8191Pi:*2", parse_bytes).back() == 4096LL << 50);  // stops before it overflows
}

TEST_CASE("ranges that cannot be are refused") {
  for (const char* bad : {"8:1", "1:8:*1", "1:8:2", "1:8:", "1:", ":8", "1,,2", "", "1:1000000000000:+1", "1:2:3:4"}) {
    INFO("input: " << bad);
    CHECK_THROWS_AS(parse_list(bad, parse_count), UsageError);
  }
}

TEST_CASE("a misspelt name is answered with the nearest ones") {
  const std::vector<std::string> names{"bandwidth.copy", "bandwidth.triad", "bandwidth.read", "hierarchy.latency"};
  CHECK(nearest("traid", names).front() == "bandwidth.triad");
  CHECK(nearest("bandwith.copy", names).front() == "bandwidth.copy");
  CHECK(nearest("zzzzzzzz", names).empty());
  CHECK(did_you_mean("traid", names) == " (did you mean bandwidth.triad?)");
}

TEST_CASE("only what is near is suggested, and never the whole list again") {
  const std::vector<std::string> factors{"0", "0.5", "1"};
  CHECK(nearest("2", factors).empty());
  CHECK(nearest("5", factors) == std::vector<std::string>{"0.5"});
  CHECK(not_one_of("2", factors) == "'2' is not one of 0, 0.5, 1");
  CHECK(not_one_of("0.4", factors) == "'0.4' is not one of 0, 0.5, 1 (did you mean 0.5?)");
  CHECK(not_one_of("xy", {"nn", "nt", "tn", "tt"}) == "'xy' is not one of nn, nt, tn, tt");
  CHECK(not_one_of("xt", {"nn", "nt", "tn", "tt"}) == "'xt' is not one of nn, nt, tn, tt (did you mean nt, tt?)");
  CHECK(not_one_of("e3m2", {"e4m2", "e5m2"}) == "'e3m2' is not one of e4m2, e5m2");
  CHECK(not_one_of("tf23", {"tf32"}) == "'tf23' is not one of tf32");
  CHECK(not_one_of("f46", {"f64", "f32"}) == "'f46' is not one of f64, f32 (did you mean f64?)");
}
