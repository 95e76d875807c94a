// What is written is read back the same, and never holds a number that is none.
#include "reports/json/write.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <clocale>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "reports/json/read.hpp"
#include "tests/support/sample_report.hpp"

using namespace ridge;

namespace {

std::string rewritten(const record::Report& report) {
  return json::write(json::read(json::write(report), ""));
}

// Any bit pattern that is a finite number.
double any_double(std::mt19937_64& random) {
  while (true) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) return value;
  }
}

// Valid UTF-8 from all planes, control characters and quotes among them.
std::string any_text(std::mt19937_64& random) {
  constexpr std::array pieces{"a",      "\"",     "\\",     "\n",         "\x01",      "\x7f",
                              "\u00e9", "\u202e", "\u4e2d", "\U0001f600", "</script>", "\x1b[31m"};
  std::string text;
  for (auto left = random() % 6; left > 0; --left) text += pieces[random() % pieces.size()];
  return text;
}

template <class T, class Make>
std::optional<T> maybe(std::mt19937_64& random, Make make) {
  if (random() % 3 == 0) return std::nullopt;
  return static_cast<T>(make(random));
}

record::Record any_record(std::mt19937_64& random) {
  record::Record r;
  r.benchmark = any_text(random);
  r.point.set(any_text(random), static_cast<std::int64_t>(random()));
  r.point.set("x" + any_text(random), any_double(random));
  r.point.set("y", any_text(random));
  r.point.set("z", random() % 2 == 0);
  r.status = static_cast<record::Status>(random() % 5);
  r.failure =
      r.status == record::Status::failed ? static_cast<record::Failure>(1 + random() % 2) : record::Failure::none;
  r.reason = any_text(random);
  r.work.items = maybe<std::int64_t>(random, [](auto& g) { return g(); });
  r.work.bytes_read = maybe<std::int64_t>(random, [](auto& g) { return g(); });
  for (auto left = random() % 8; left > 0; --left) r.samples.push_back(any_double(random));
  r.statistics.median = maybe<double>(random, any_double);
  for (auto left = random() % 3; left > 0; --left) {
    auto m = ridge::test::metric(any_text(random), any_double(random), static_cast<record::Unit>(random() % 10),
                                 static_cast<record::Better>(random() % 3));
    if (random() % 2 == 0) m.value.reset();
    if (random() % 2 == 0) m.peak = record::Peak{any_double(random), any_text(random)};
    r.metrics.push_back(m);
  }
  r.verification.status = static_cast<record::Check>(random() % 3);
  r.conditions.throttled = maybe<bool>(random, [](auto& g) { return g() % 2; });
  return r;
}

}  // namespace

TEST_CASE("a report with every field filled comes back whole") {
  const auto report = ridge::test::sample_report();
  CHECK(rewritten(report) == json::write(report));

  const auto read = json::read(json::write(report), "");
  CHECK(read.tool.architectures == report.tool.architectures);
  CHECK(read.seed == report.seed);
  CHECK(read.duration == report.duration);
  CHECK(read.machine.identity.caches.at(1).bytes == 1048576);
  CHECK(read.machine.identity.gpus.at(0).mig == "1g.10gb");
  CHECK(read.machine.incidental.cpu_quota == 1.5);
  CHECK(read.ranks.at(0).cpu == 2);
  CHECK(read.ranks.at(1).host == "node-2");
  CHECK_FALSE(read.ranks.at(1).cpu);
  CHECK(read.ranks.at(0).times.at(0).late);
  CHECK(read.ranks.at(1).gpu == "cuda:1 (GPU-7)");
  CHECK(read.ranks.at(0).times.at(0).finish == 2e-6);
  CHECK_FALSE(read.ranks.at(1).times.at(0).arrival);
  CHECK(read.ranks.at(1).times.at(0).waited == 7e-6);
  CHECK(read.machine.software.environment == report.machine.software.environment);
  const auto& record = read.records.at(0);
  CHECK(record.point == report.records[0].point);
  CHECK(record.samples == report.records[0].samples);
  CHECK(record.work.counting == report.records[0].work.counting);
  CHECK(record.method.level == "memory");
  CHECK(record.metrics.at(0).peak->source == "measured in this run: bandwidth.read");
  CHECK(record.conditions.involuntary_switches == 3);
  CHECK(record.conditions.run_delay_fraction == 0.25);
  CHECK(record.verification.bound == 2.2e-16);
  CHECK(read.findings.at(0).severity == record::Severity::warning);
  CHECK(read.findings.at(0).records == report.findings[0].records);
}

TEST_CASE("random reports survive writing and reading to the last bit") {
  std::mt19937_64 random(20250101);
  for (int round = 0; round < 300; ++round) {
    record::Report report;
    report.command = any_text(random);
    report.duration = std::abs(any_double(random));
    report.seed = random();
    report.machine.software.environment[any_text(random)] = any_text(random);
    for (auto left = random() % 4; left > 0; --left) report.records.push_back(any_record(random));
    const auto read = json::read(json::write(report), "");
    REQUIRE(json::write(read) == json::write(report));
    REQUIRE(read.records.size() == report.records.size());
    for (std::size_t i = 0; i < read.records.size(); ++i) {
      REQUIRE(read.records[i].samples == report.records[i].samples);
      REQUIRE(read.records[i].point == report.records[i].point);
      REQUIRE(read.records[i].benchmark == report.records[i].benchmark);
    }
  }
}

TEST_CASE("the writer refuses what is not a finite number, and names it") {
  auto report = ridge::test::sample_report();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto refusal = [](const record::Report& bad) {
    try {
      json::write(bad);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  report.records[1].metrics[0].value = nan;
  CHECK(refusal(report) == "records[1].metrics[0].value is nan: a report holds finite numbers or null");
  report.records[1].metrics[0].value = 1;
  report.records[0].samples[2] = -infinity;
  CHECK(refusal(report).find("records[0].samples[2] is -inf") == 0);
  report.records[0].samples[2] = 1;
  report.records[0].point.set("scale", infinity);
  CHECK(refusal(report).find("records[0].point.scale is inf") == 0);
}

TEST_CASE("numbers do not follow the locale") {
  const std::string before = json::write(ridge::test::sample_report());
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"})
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  const std::string after = json::write(ridge::test::sample_report());
  const double duration = json::read(after, "").duration;
  std::setlocale(LC_ALL, "C");
  CHECK(after == before);
  CHECK(duration == 42.5);
}

TEST_CASE("absent numbers are null and bytes that are not UTF-8 do not lose the report") {
  auto report = ridge::test::sample_report();
  report.records[0].metrics[0].peak.reset();
  report.command = "ridge \xff";
  const std::string text = json::write(report);
  CHECK(text.find("\"peak\":null") != std::string::npos);
  CHECK(text.find("\"reason\": null") != std::string::npos);
  CHECK(json::read(text, "").command == "ridge \uFFFD");
}
