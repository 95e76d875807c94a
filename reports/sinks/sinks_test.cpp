// What people see: approved texts, widths, and that data stays data.
#include "reports/sinks/sinks.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <clocale>
#include <sstream>

#include "reports/record/text.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/sample_report.hpp"

using namespace ridge;
using ridge::test::check_golden;
using ridge::test::sample_report;

namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (const auto& line : lines(text)) most = std::max(most, record::columns(line));
  return most;
}

record::Report sweep() {
  record::Report report = sample_report();
  report.records.clear();
  for (const std::int64_t size : {std::int64_t{4096}, std::int64_t{1} << 20U, std::int64_t{1} << 29U})
    report.records.push_back(ridge::test::bandwidth_record("triad", size, size < 5000 ? 180.1e9 : 19.9e9));
  return report;
}

record::Report hostile() {
  const std::string evil = "\x1b[31m=cmd|' /C calc'!A0\n<script>alert(1)</script>|`x`,\"q\"\t\u202e\xff../..";
  record::Report report = sample_report();
  auto& record = report.records[0];
  record.benchmark = evil;
  record.device = evil;
  record.point.set(evil, evil);
  record.metrics[0].name = evil;
  record.metrics[0].peak->source = evil;
  record.reproduce = evil;
  for (auto& each : report.records) each.reason = evil;
  report.findings[0].message = evil;
  report.machine.identity.cpu_model = evil;
  report.tool.version = evil;
  return report;
}

bool only_text(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; }) &&
         text.find("\u202e") == std::string::npos && text.find('\xff') == std::string::npos;
}

}  // namespace

TEST_CASE("the table as approved, at several widths") {
  check_golden("table-80.txt", sinks::table(sample_report(), {80, false}));
  check_golden("table-40.txt", sinks::table(sample_report(), {40, false}));
  check_golden("table-120.txt", sinks::table(sample_report(), {120, false}));
  check_golden("table-sweep-80.txt", sinks::table(sweep(), {80, false}));
  check_golden("table-colour.txt", sinks::table(sample_report(), {80, true}));
}

TEST_CASE("the other sinks as approved") {
  check_golden("summary-80.txt", sinks::summary(sample_report(), {80, false}, {}, "/home/user/report.json"));
  check_golden("summary-40.txt", sinks::summary(sample_report(), {40, false}, {}, "report.json"));
  check_golden("summary-figures-60.txt",
               sinks::summary(sample_report(), {60, false},
                              {{"L1 1.2 ns up to 32 KiB", "L2\x1b[31m 4 ns"}, {"memory 95 ns"}}, "report.json"));
  check_golden("report.csv", sinks::csv(sample_report()));
  check_golden("report.md", sinks::markdown(sample_report()));
}

TEST_CASE("pairs of devices are matrices, by what copies and which way, as approved") {
  check_golden("pairs-80.txt", sinks::table(ridge::test::pairs_report(3, true), {80, false}));
  check_golden("pairs-no-times.txt", sinks::table(ridge::test::pairs_report(2, false), {80, false}));
  check_golden("pairs.md", sinks::markdown(ridge::test::pairs_report(3, true)));
}

TEST_CASE("eight GPUs fit a terminal as matrices, what does not is listed, and one GPU's pairs are rows") {
  const record::Report eight = ridge::test::pairs_report(8, true);
  const std::string wide = sinks::table(eight, {80, false});
  CHECK(widest(wide) <= 80);
  CHECK(wide.find("from \\ to  cuda:0  cuda:1") != std::string::npos);
  CHECK(wide.find("transfer.peer on cuda:0") == std::string::npos);
  const std::string narrow = sinks::table(eight, {60, false});
  CHECK(widest(narrow) <= 60);
  CHECK(narrow.find("from \\ to") == std::string::npos);
  CHECK(narrow.find("transfer.peer on cuda:7") != std::string::npos);
  record::Report one = ridge::test::pairs_report(3, true);
  std::erase_if(one.records, [](const record::Record& r) { return r.device != "cuda:0"; });
  CHECK(sinks::table(one, {80, false}).find("transfer.peer on cuda:0") != std::string::npos);
  CHECK(sinks::markdown(one).find("from \\ to") == std::string::npos);
}

TEST_CASE("lines keep within the terminal") {
  for (const std::size_t width : {40U, 60U, 80U, 200U}) {
    CHECK(widest(sinks::table(sample_report(), {width, false})) <= width);
    CHECK(widest(sinks::table(hostile(), {width, false})) <= width);
    CHECK(widest(sinks::summary(hostile(), {width, false}, {}, "r.json")) <= width);
  }
}

TEST_CASE("tails give way on a narrow terminal before the table is stacked, and are in every other sink") {
  record::Report report = sweep();
  for (record::Record& record : report.records) {
    record.metrics.push_back(ridge::test::metric("time_p95", 3e-3, record::Unit::seconds, record::Better::neither));
    record.metrics.push_back(ridge::test::metric("latest_rank", 1, record::Unit::count, record::Better::neither));
  }
  const std::string wide = sinks::table(report, {160, false});
  std::size_t columns = 160;
  while (columns > 40 && sinks::table(report, {columns, false}).find("time_p95") != std::string::npos) --columns;
  const std::string narrow = sinks::table(report, {columns, false});
  CHECK(wide.find("time_p95") != std::string::npos);
  CHECK(wide.find("latest_rank") != std::string::npos);
  CHECK(narrow.find("time_p95") == std::string::npos);
  CHECK(lines(narrow).size() <= lines(wide).size() + 4);  // side by side all the same
  CHECK(sinks::csv(report).find("latest_rank") != std::string::npos);
}

TEST_CASE("a peak says what it is a share of and where that comes from") {
  const std::string text = sinks::table(sample_report(), {120, false});
  CHECK(text.find("93 % of 21.4 GB/s measured in this run") != std::string::npos);
  CHECK(text.find("peak 21.4 GB/s: measured in this run: bandwidth.read") != std::string::npos);
  CHECK(text.find("failed: out of memory: needs 3 TiB, 30 GiB free") != std::string::npos);
}

TEST_CASE("a summary is one screen however much was measured and went wrong") {
  record::Report report = sample_report();
  for (int i = 0; i < 500; ++i) {
    auto record = ridge::test::bandwidth_record("kernel" + std::to_string(i), 1 << 20, 1e9);
    report.records.push_back(record);
    record.status = record::Status::failed;
    record.reason = "a long reason " + std::string(300, 'x');
    report.records.push_back(record);
    report.findings.push_back({"many", record::Severity::note, "finding " + std::to_string(i), {}});
  }
  const std::string text = sinks::summary(
      report, {80, false}, {std::vector<std::string>(50, "a figure " + std::string(300, 'x'))}, "report.json");
  CHECK(lines(text).size() <= 24);
  CHECK(text.find("more figures") != std::string::npos);
  CHECK(widest(text) <= 80);
  CHECK(text.find("more benchmarks") != std::string::npos);
  CHECK(text.find("more findings") != std::string::npos);
  CHECK(text.find("report: report.json") != std::string::npos);
  report.findings.clear();
  std::erase_if(report.records, [](const record::Record& r) { return r.status == record::Status::failed; });
  const std::string calm =
      sinks::summary(report, {80, false}, {std::vector<std::string>(10, "a figure")}, "report.json");
  CHECK(lines(calm).size() <= 24);
  CHECK(calm.find("more figures") == std::string::npos);
  CHECK(calm.find("more benchmarks") != std::string::npos);
}

TEST_CASE("however much went wrong, each family of benchmarks is heard before any has a second line") {
  record::Report report = sample_report();
  for (int i = 0; i < 9; ++i) {
    report.records.push_back(ridge::test::bandwidth_record("kernel" + std::to_string(i), 1 << 20, 1e9));
    report.records.back().status = record::Status::failed;
    report.records.back().reason = "a reason";
    report.findings.push_back({"many", record::Severity::note, "finding " + std::to_string(i), {}});
  }
  std::vector<std::vector<std::string>> families;
  for (int i = 0; i < 10; ++i) families.push_back({"first of " + std::to_string(i), "second of " + std::to_string(i)});
  const auto count = [](const std::string& text, const std::string& of) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(of, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  const std::string many = sinks::summary(report, {80, false}, families, "report.json");
  CHECK(lines(many).size() <= 24);
  CHECK(count(many, "first of ") == 10);
  CHECK(count(many, "second of ") == 0);
  CHECK(many.find("and 10 more figures, in the report") != std::string::npos);
  for (const char* said : {"more without a good number", "more findings", "report: report.json"})
    CHECK(many.find(said) != std::string::npos);
  families.resize(6);
  const std::string fewer = sinks::summary(report, {80, false}, families, "report.json");
  CHECK(lines(fewer).size() <= 24);
  CHECK(count(fewer, "first of ") == 6);
  CHECK(fewer.find("a reason") != std::string::npos);
  families.resize(2);
  const std::string few = sinks::summary(report, {80, false}, families, "report.json");
  CHECK(few.find("second of 0\nfirst of 1\nsecond of 1") != std::string::npos);
  CHECK(few.find("more figures") == std::string::npos);
}

TEST_CASE("a summary says of a case with many axes what is wrong with it, and shows the axes that there is room for") {
  record::Report report;
  report.records.push_back(ridge::test::bandwidth_record("many", 1 << 20, 1e9));
  record::Record& skipped = report.records.back();
  for (int i = 0; i < 12; ++i) skipped.point.set("axis_" + std::to_string(i), std::int64_t{i});
  skipped.status = record::Status::skipped;
  skipped.reason = "this processor has no such instruction";
  const std::string text = sinks::summary(report, {100, false}, {}, "r.json");
  CHECK(text.find("...: skipped: this processor has no such instruction\n") != std::string::npos);
  CHECK(widest(text) <= 100);
  skipped.reason += std::string(200, '!');
  const std::string longer = sinks::summary(report, {100, false}, {}, "r.json");
  CHECK(longer.find("...: skipped: this processor has no such instruct") != std::string::npos);
  CHECK(widest(longer) <= 100);
}

TEST_CASE("empty reports have a text too") {
  const record::Report empty;
  CHECK(sinks::table(empty, {80, false}).find("0 cases") == 0);
  CHECK(sinks::summary(empty, {80, false}, {}, "r.json").find("report: r.json") != std::string::npos);
  CHECK(lines(sinks::csv(empty)).size() == 1);
  CHECK(sinks::markdown(empty).find("0 cases") == 0);
}

TEST_CASE("names and reasons are data in every sink") {
  CHECK(only_text(sinks::table(hostile(), {80, false})));
  CHECK(only_text(sinks::summary(hostile(), {80, false}, {}, "\x1b[31m\n")));
  const std::string markdown = sinks::markdown(hostile());
  CHECK(only_text(markdown));
  CHECK(markdown.find("<script>") == std::string::npos);
  for (const auto& line : lines(markdown)) {
    if (line.empty() || line.front() != '|') continue;
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
    CHECK(bars == 6);
  }
  std::string csv = sinks::csv(hostile());
  const auto rows = std::count(csv.begin(), csv.end(), '\n');
  CHECK(rows == 1 + 3 * 2 + 3);  // the heading, three measured records of two metrics, three without
  csv.erase(std::remove(csv.begin(), csv.end(), '\r'), csv.end());
  CHECK(only_text(csv));
}

TEST_CASE("a spreadsheet takes no cell for a formula") {
  record::Report report = sample_report();
  report.records.resize(1);
  for (const char* start : {"=1+1", "+1", "-1", "@SUM(A1)"}) {
    report.records[0].benchmark = start;
    CHECK(lines(sinks::csv(report)).at(1).find("'" + std::string(start)) == 0);
  }
  report.records[0].benchmark = "a \"b\", c";
  CHECK(lines(sinks::csv(report)).at(1).find("\"a \"\"b\"\", c\",1,cpu,536870912,") == 0);
}

TEST_CASE("sinks do not follow the locale") {
  const std::string before = sinks::csv(sample_report()) + sinks::table(sample_report(), {80, false});
  for (const char* name : {"de_DE.UTF-8", "de_DE"})
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  const std::string after = sinks::csv(sample_report()) + sinks::table(sample_report(), {80, false});
  std::setlocale(LC_ALL, "C");
  CHECK(after == before);
}
