// A reader says what is wrong with a text, where, and in which field.
#include "reports/json/read.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "reports/json/write.hpp"
#include "tests/support/sample_report.hpp"

using namespace ridge;

namespace {

std::string refusal(const std::string& text) {
  try {
    json::read(text, "report.json");
  } catch (const json::ReadError& error) {
    return error.what();
  }
  return "accepted";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

const std::string& sample() {
  static const std::string text = json::write(ridge::test::sample_report());
  return text;
}

const std::string header = R"({"schema": "ridge-report", "schema_version": "1.0", )";

}  // namespace

TEST_CASE("what is not a report is refused with its place") {
  CHECK(refusal("") == "report.json:1:1: it is empty");
  CHECK(refusal(" \n ") == "report.json:2:2: the text ends where a value should be");
  CHECK(refusal("{}") == "report.json:1:2: the key \"schema\" is missing: this is not a Ridge report");
  CHECK(refusal("[1, 2]") == "report.json:1:1: expected an object, found an array");
  CHECK(refusal("{\"context\": {}, \"benchmarks\": []}").find("not a Ridge report") != std::string::npos);
  CHECK(refusal("{\n  \"schema\": \"other\"}") == "report.json:2:13: schema: \"other\" is not \"ridge-report\"");
  CHECK(refusal(std::string("\x7f"
                            "ELF\x02\x01\0\0",
                            8)) == "report.json:1:1: expected a value, found '\\x7f'");
}

TEST_CASE("schema versions: newer minor ones are read, newer major ones are not") {
  CHECK_NOTHROW(json::read(replaced(sample(), "\"1.0\"", "\"1.7\""), ""));
  CHECK(refusal(replaced(sample(), "\"1.0\"", "\"2.0\"")) ==
        "report.json:3:21: schema_version: version 2.0 of the schema; this program reads 1.x");
  for (const char* bad : {"\"1\"", "\"\"", "\"1.\"", "\"1.0.0\"", "\"-1.0\"", "\"99999999999.0\""})
    CHECK(refusal(replaced(sample(), "\"1.0\"", bad)).find("is not a version") != std::string::npos);
  CHECK(refusal(replaced(sample(), "\"1.0\"", "1.0")) ==
        "report.json:3:21: schema_version: expected text, found a number");
}

TEST_CASE("the schema may stand behind the records") {
  const std::string moved = "{\"zzz\": [1, {\"a\": null}], " + replaced(sample(), "{", "");
  CHECK(json::read(moved, "").records.size() == 6);
}

TEST_CASE("every truncation is refused") {
  for (std::size_t length = 0; length < sample().size() - 2; length += 7)
    REQUIRE(refusal(sample().substr(0, length)) != "accepted");
  CHECK(refusal(sample() + "x").find("something follows") != std::string::npos);
}

TEST_CASE("a wrong type names the field and its position") {
  CHECK(refusal(replaced(sample(), "\"duration\": 42.5", "\"duration\": \"42.5\"")) ==
        "report.json:17:15: duration: expected a number, found text");
  CHECK(refusal(replaced(sample(), "\"value\":19900000000.0", "\"value\":\"fast\""))
            .find("records[0].metrics[0].value: expected a number, found text") != std::string::npos);
  CHECK(refusal(replaced(sample(), "\"status\": \"ok\"", "\"status\": \"OK\""))
            .find("records[0].status: \"OK\" is none of ok, suspect") != std::string::npos);
  CHECK(refusal(replaced(sample(), "\"sockets\": 1", "\"sockets\": 1.5"))
            .find("machine.identity.sockets: expected an integer") != std::string::npos);
  CHECK(refusal(replaced(sample(), "\"sockets\": 1", "\"sockets\": 3000000000")).find("at most 32 bits") !=
        std::string::npos);
}

TEST_CASE("a missing field is named") {
  CHECK(refusal(replaced(sample(), "\"started\"", "\"begun\"")).find("the key \"started\" is missing") !=
        std::string::npos);
  CHECK(refusal(replaced(sample(), "\"unit\":", "\"units\":"))
            .find("records[0].metrics[0]: the key \"unit\" is missing") != std::string::npos);
}

TEST_CASE("numbers that JSON does not have are refused") {
  for (const char* bad : {"NaN", "Infinity", "-Infinity", "-NaN"})
    CHECK(refusal(replaced(sample(), "42.5", bad)).find("duration: NaN and Infinity are no JSON numbers") !=
          std::string::npos);
  CHECK(refusal(replaced(sample(), "42.5", "1e400")).find("beyond what a double can hold") != std::string::npos);
  CHECK(refusal(replaced(sample(), "42.5", "042")).find("leading zeros") != std::string::npos);
  for (const char* bad : {"+1", "1.", ".5", "1e", "-", "0x10", "1_000"})
    CHECK(refusal(replaced(sample(), "42.5", bad)) != "accepted");
}

TEST_CASE("integers as other tools write them are taken") {
  CHECK(
      json::read(replaced(sample(), "\"page_size\": 4096", "\"page_size\": 4.096e3"), "").machine.software.page_size ==
      4096);
  CHECK(refusal(replaced(sample(), "\"page_size\": 4096", "\"page_size\": 1e300")).find("at most 64 bits") !=
        std::string::npos);
  CHECK(refusal(replaced(sample(), "18446744073709551615", "-1")).find("not negative") != std::string::npos);
}

TEST_CASE("keys that occur twice are refused wherever they are") {
  CHECK(refusal(replaced(sample(), "\"command\"", "\"started\": \"\", \"command\""))
            .find("the key \"started\" occurs twice") != std::string::npos);
  CHECK(refusal(replaced(sample(), "\"size\":", "\"dtype\":\"f32\",\"size\":")).find("\"dtype\" occurs twice") !=
        std::string::npos);
  CHECK(refusal(replaced(sample(), "{\"openblas\":", "{\"openbl\\u0061s\":\"\",\"openblas\":"))
            .find("\"openblas\" occurs twice") != std::string::npos);
  CHECK(refusal(header + "\"zz\": {\"a\": 1, \"a\": 2}}").find("zz: the key \"a\" occurs twice") != std::string::npos);
  CHECK(refusal(header + "\"zz\": 1, \"zz\": 2}").find("the key \"zz\" occurs twice") != std::string::npos);
}

TEST_CASE("nesting has a limit and does not cost a stack") {
  const std::string bomb(1'000'000, '[');
  CHECK(refusal(bomb) != "accepted");
  CHECK(refusal(header + "\"zz\": " + bomb).find("nested deeper than 64 levels") != std::string::npos);
}

TEST_CASE("bytes that are not UTF-8 are refused at their place") {
  CHECK(refusal(header + "\"zz\": \"caf\xe9\"}") == "report.json:1:63: zz: the bytes here are not UTF-8");
  CHECK(refusal(header + "\"zz\": \"\xc0\xaf\"}").find("not UTF-8") != std::string::npos);
  CHECK(refusal(header + "\"zz\": \"\\ud800\"}").find("half of a surrogate pair") != std::string::npos);
  CHECK(refusal(header + "\"zz\": \"a\nb\"}").find("control character") != std::string::npos);
}

TEST_CASE("what a message quotes cannot act on a terminal") {
  const std::string message = refusal(replaced(sample(), "\"status\": \"ok\"", "\"status\": \"\\u001b[31m\""));
  CHECK(message.find('\x1b') == std::string::npos);
  CHECK(message.find("\\x1b[31m") != std::string::npos);
  const std::string key = refusal(header + "\"\\u001b]0;x\\u0007\": nul}");
  CHECK(key.find('\x1b') == std::string::npos);
}

TEST_CASE("what has to be looked at is seen at every place of a string") {
  for (std::size_t length = 0; length < 20; ++length)
    for (std::size_t at = 0; at <= length; ++at) {
      const auto with = [&](const std::string& piece) {
        std::string text(length, 'a');
        return header + "\"zz\": \"" + text.insert(at, piece) + "\"}";
      };
      REQUIRE(refusal(with("\x1f")).find("control character") != std::string::npos);
      REQUIRE(refusal(with("\x80")).find("not UTF-8") != std::string::npos);
      REQUIRE(refusal(with("\\x")).find("no such escape") != std::string::npos);
      REQUIRE(refusal(with("\"")).find("expected ',' or '}'") != std::string::npos);
      REQUIRE(refusal(with("\x7f\xc3\xa9\\u0000")).find("is missing") != std::string::npos);  // all of it is fine
    }
}

TEST_CASE("keys may come in any order") {
  const std::string moved =
      replaced(replaced(sample(), "\"workload_version\": 1,", ""), "\"device\"", "\"workload_version\": 1, \"device\"");
  CHECK(json::write(json::read(moved, "")) == sample());
  CHECK(refusal(replaced(moved, "\"reproduce\"", "\"workload_version\": 1, \"reproduce\""))
            .find("records[0]: the key \"workload_version\" occurs twice") != std::string::npos);
}

TEST_CASE("integers are taken as far as 64 bits go, however they are written") {
  const auto page_size = [](const std::string& text) {
    return json::read(replaced(sample(), "\"page_size\": 4096", "\"page_size\": " + text), "")
        .machine.software.page_size;
  };
  CHECK(page_size("0") == 0);
  CHECK(page_size("-0") == 0);
  CHECK(page_size("-12") == -12);
  CHECK(page_size("999999999999999999") == 999999999999999999);
  CHECK(page_size("9223372036854775807") == INT64_MAX);
  CHECK(page_size("-9223372036854775808") == INT64_MIN);
  CHECK(page_size("120e-1") == 12);
  for (const char* bad : {"9223372036854775808", "012", "-", "1.5", "12.", "12e", "1e99", "--1", "+1"}) {
    INFO(bad);
    CHECK_THROWS_AS(page_size(bad), json::ReadError);
  }
}

TEST_CASE("samples that are dropped are checked all the same") {
  const auto with = [](const std::string& number) {
    return replaced(sample(), "\"samples\": [", "\"samples\": [" + number + ",");
  };
  const auto kept = [&](const std::string& number) { json::read(with(number), "r"); };
  const auto dropped = [&](const std::string& number) { json::read(with(number), "r", [](auto&) {}); };
  for (const char* good :
       {"0", "-0", "1.5", "1e99", "1.0023e-05", "5E+1", "1e300", "-1e-300", "1234567890123456789012345"}) {
    INFO(good);
    CHECK_NOTHROW(kept(good));
    CHECK_NOTHROW(dropped(good));
  }
  for (const char* bad : {"1e999", "-1e400", "1e-400", "1e0000000000999", "NaN", "Infinity", "01", "1.", ".5", "1e",
                          "-", "\"1\"", "null", "[1]", "1 2"}) {
    INFO(bad);
    CHECK_THROWS_AS(kept(bad), json::ReadError);
    CHECK_THROWS_AS(dropped(bad), json::ReadError);
  }
}

TEST_CASE("records can be handed over one by one, complete but for their samples") {
  auto expected = ridge::test::sample_report();
  expected.records[0].status = record::Status::failed;
  const std::string text = json::write(expected);
  std::vector<record::Record> taken;
  auto report = json::read(text, "", [&](record::Record& each) { taken.push_back(std::move(each)); });
  CHECK(report.records.empty());
  report.records = std::move(taken);
  CHECK(report.records[0].failure == record::Failure::measurement);
  for (auto& each : expected.records) each.samples.clear();
  CHECK(json::write(report) == json::write(json::read(json::write(expected), "")));
  CHECK_THROWS_WITH(json::read(replaced(sample(), "\"status\": \"skipped\"", "\"status\": 1"), "r", [](auto&) {}),
                    Catch::Contains("].status: expected text"));
}

TEST_CASE("a byte order mark, CRLF, unknown keys and null are fine") {
  std::string windows = "\xEF\xBB\xBF";
  for (const char c : sample()) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(json::write(json::read(windows, "")) == sample());
  CHECK(json::write(json::read(replaced(sample(), "\"device\"", "\"colour\": {\"red\": [1e3, \"\"]}, \"device\""),
                               "")) == sample());
  CHECK(json::read(replaced(sample(), "\"kernel\": \"6.1.0\"", "\"kernel\": null"), "").machine.software.kernel ==
        std::nullopt);
}

TEST_CASE("a failed record without a kind of failure is told apart by its verification") {
  auto report = ridge::test::sample_report();
  report.records.resize(2);
  for (auto& record : report.records) record.status = record::Status::failed;
  report.records[0].verification.status = record::Check::failed;
  const auto read = json::read(json::write(report), "");
  CHECK(read.records[0].failure == record::Failure::wrong_answer);
  CHECK(read.records[1].failure == record::Failure::measurement);
}
