// What cannot be read, and what nobody can compare: status 2 with the place, and nothing on stdout.
#include <catch2/catch.hpp>

#include "tests/gate/folders.hpp"

using namespace ridge;
using namespace ridge::test;
using Catch::Contains;

namespace {

// A good baseline against this text.
Outcome against_text(const std::string& text) {
  const Folder folder;
  put(folder, "base", runs(0, 3));
  put_text(folder / "bad.json", text);
  return invoke({"compare", folder / "base", folder / "bad.json"});
}

std::string good() {
  return json::write(runs(0, 1).front());
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("malformed reports are refused with file, position and field") {
  const std::vector<std::pair<std::string, std::string>> bad{
      {"", "empty"},
      {"{}", "schema"},
      {"[]", "bad.json:1:1"},
      {"null", "bad.json:1:1"},
      {good().substr(0, good().size() / 2), "bad.json:"},
      {replaced(good(), "\"ridge-report\"", "\"other\""), "schema"},
      {replaced(good(), "\"1.0\"", "\"2.0\""), "schema_version"},
      {replaced(good(), "\"unit\":\"s\"", "\"unit\":7"), "unit"},
      {replaced(good(), "\"command\"", "\"tool\": {}, \"command\""), "twice"},
      {std::string(100000, '['), "bad.json:1:"},
      {"\x7f"
       "ELF\x01\x02\x03",
       "bad.json:1:1"},
      {"{\"schema\": \"\xff\xfe\"}", "bad.json:1:"},
      {"{\"a\": NaN}", "bad.json:1:"},
  };
  for (const auto& [text, expected] : bad) {
    const auto outcome = against_text(text);
    INFO(text.substr(0, 200));
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains(expected));
  }
}

TEST_CASE("a byte order mark and CRLF are fine") {
  std::string text = good();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
  CHECK(against_text("\xEF\xBB\xBF" + text).status == 0);
}

TEST_CASE("names that lead nowhere are refused") {
  const Folder folder;
  put(folder, "base", runs(0, 3));
  std::filesystem::create_directories(folder / "empty");
  for (const auto* name : {"nothing.json", "empty", "*.none"}) {
    const auto outcome = invoke({"compare", folder / "base", folder / name});
    CHECK(outcome.status == 2);
    CHECK_FALSE(outcome.err.empty());
  }
  CHECK(invoke({"compare", folder / "base"}).status == 2);
  CHECK(invoke({"compare", "--new", folder / "base"}).status == 2);
  CHECK(invoke({"compare", folder / "base", folder / "base", folder / "base"}).status == 2);
}

TEST_CASE("a report beyond the size that is read is refused unread") {
  const Folder folder;
  put(folder, "base", runs(0, 3));
  put_text(folder / "large.json", "{");
  std::filesystem::resize_file(folder / "large.json", std::uintmax_t{1} << 30U);  // sparse
  const auto outcome = invoke({"compare", folder / "base", folder / "large.json"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("larger than"));
}

TEST_CASE("globs and repeated options name the same runs as folders") {
  const Folder folder;
  put(folder, "base", runs(0, 10));
  put(folder, "new", runs(20, 3));
  const auto by_folder = invoke({"compare", folder / "base", folder / "new", "--format", "openmetrics"});
  CHECK(by_folder.status == 0);
  CHECK(invoke({"compare", folder / "base/*.json", folder / "new/run-0?.json", "--format", "openmetrics"}).out ==
        by_folder.out);
  CHECK(invoke({"compare", "--base", folder / "base", "--base", folder / "base/run-00.json", "--new", folder / "new",
                "--format", "openmetrics"})
            .out == by_folder.out);
}

TEST_CASE("reports without anything in common are never a pass") {
  const Folder folder;
  put(folder, "base", {report({}, 0)});
  put(folder, "new", {report({1e-6}, 1)});
  CHECK(invoke({"compare", folder / "base", folder / "new"}).status == 3);
  CHECK(invoke({"compare", folder / "base", folder / "base"}).status == 3);
}

TEST_CASE("Google Benchmark's reports are read, and not compared with Ridge's") {
  const Folder folder;
  put(folder, "ridge", runs(0, 3));
  const auto made = [&](const std::string& name, double time, const std::string& unit) {
    put_text(
        folder / name,
        fmt::format(
            R"({{"context": {{"date": "2025-01-01T00:00:00+00:00", "num_cpus": 2, "library_build_type": "release"}},
              "benchmarks": [{{"name": "BM_x", "run_name": "BM_x", "run_type": "iteration", "repetition_index": 0,
              "iterations": 10, "real_time": {}, "cpu_time": {}, "time_unit": "{}"}}]}})",
            time, time, unit));
  };
  made("a.json", 1500, "ns");
  made("b.json", 1.52, "us");
  made("c.json", 1.8, "us");
  CHECK(invoke({"compare", folder / "a.json", folder / "b.json"}).status == 0);
  CHECK(invoke({"compare", folder / "a.json", folder / "c.json"}).status == 1);
  CHECK(invoke({"compare", folder / "a.json", folder / "ridge", "--allow-different-machine"}).status == 3);
  put_text(folder / "bad.json", R"({"context": {}, "benchmarks": [{"name": "x", "real_time": "fast"}]})");
  const auto outcome = invoke({"compare", folder / "a.json", folder / "bad.json"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("benchmarks[0].real_time") && Contains("bad.json:1:"));
}

TEST_CASE("rule files: what they do not know and what they do not match is an error") {
  const Folder folder;
  put(folder, "base", runs(0, 10));
  put(folder, "new", runs(20, 3, 1.10));
  const auto with = [&](const std::string& rules) {
    put_text(folder / "rules.toml", rules);
    return invoke({"compare", folder / "base", folder / "new", "--rules", folder / "rules.toml"});
  };
  CHECK(with("# no rules\n").status == 1);
  CHECK(with("[[rule]]\nmatch = \"latency.a *\"\ntolerance = \"20 %\"\n").status == 0);
  CHECK(with("[[rule]]\nmatch = \"*: time\"\nfloor = \"1 us\"\n").status == 0);
  const auto ungated = with("[[rule]]\nmatch = \"latency.a *\"\ngated = false\nreason = \"known to be slow\"\n");
  CHECK(ungated.status == 0);
  CHECK_THAT(ungated.out, Contains("known to be slow") && Contains("regressed (not gated)"));
  const std::vector<std::pair<std::string, std::string>> bad{
      {"[[rule]]\nmatch = \"latency.z *\"\n", "matches no metric"},
      {"[[rule]]\nmatch = \"*\"\ngated = false\n", "needs a reason"},
      {"[[rule]]\nmatch = \"*\"\ntolerence = 1\n", "rules.toml:3: unknown key 'tolerence'"},
      {"[[rule]]\nmatch = \"*\"\ntolerance = -1\n", "tolerance"},
      {"[[rule]]\nmatch = \"*\"\nbetter = \"higher\"\n", "lower-is-better"},
      {"[[rule]]\nmatch = \"*\"\nfloor = \"1 GB/s\"\n", "is in s"},
      {"[[rule]]\ntolerance = 0.1\n", "'match' is missing"},
      {"[other]\n", "unknown key 'other'"},
      {"[[rule]\n", "rules.toml:1"},
      {"[[ratio]]\nname = \"r\"\nnumerator = \"latency.a *\"\ndenominator = \"latency.*\"\n", "more than one metric"},
  };
  for (const auto& [rules, expected] : bad) {
    const auto outcome = with(rules);
    INFO(rules);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains(expected));
  }
}

TEST_CASE("a ratio of two metrics of the same run cancels what the run did to both") {
  const Folder folder;
  std::vector<record::Report> base;
  std::vector<record::Report> fresh;
  for (int i = 0; i < 13; ++i) {
    const double mood = 1 + 0.1 * (i % 3);
    (i < 10 ? base : fresh)
        .push_back(report({1e-6 * mood * wobble(0, i), 2e-6 * mood * wobble(1, i) * (i < 10 ? 1 : 1.2)}, i));
  }
  put(folder, "base", base);
  put(folder, "new", fresh);
  put_text(folder / "rules.toml",
           "[[ratio]]\nname = \"b over a\"\nnumerator = \"latency.b *\"\ndenominator = \"latency.a *\"\nbetter = "
           "\"lower\"\n");
  const auto outcome = invoke({"compare", folder / "base", folder / "new", "--rules", folder / "rules.toml"});
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, Contains("b over a: ratio"));
}
