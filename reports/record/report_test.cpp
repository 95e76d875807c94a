// What a set of records makes of a run.
#include "reports/record/report.hpp"

#include <catch2/catch.hpp>

using namespace ridge::record;

namespace {

Record with(Status status, Failure failure = Failure::none) {
  Record record;
  record.status = status;
  record.failure = failure;
  return record;
}

Exit exit_with(std::vector<Record> records) {
  Report report;
  report.records = std::move(records);
  return exit_of(report);
}

}  // namespace

TEST_CASE("the exit status follows from the records") {
  CHECK(exit_with({}) == Exit::nothing_ran);
  CHECK(exit_with({with(Status::skipped), with(Status::skipped)}) == Exit::nothing_ran);
  CHECK(exit_with({with(Status::skipped), with(Status::ok)}) == Exit::success);
  CHECK(exit_with({with(Status::suspect)}) == Exit::success);
  CHECK(exit_with({with(Status::ok), with(Status::failed, Failure::measurement)}) == Exit::failed);
  CHECK(exit_with({with(Status::ok), with(Status::not_run)}) == Exit::failed);
  CHECK(exit_with({with(Status::failed, Failure::measurement), with(Status::failed, Failure::wrong_answer)}) ==
        Exit::worse);
  CHECK(exit_with({with(Status::skipped), with(Status::failed, Failure::measurement)}) == Exit::failed);
}

TEST_CASE("several exit statuses become the one that matters most") {
  const auto of = [](std::vector<Exit> all) { return strongest(all); };
  CHECK(of({}) == Exit::success);
  CHECK(of({Exit::nothing_ran, Exit::undecided}) == Exit::undecided);
  CHECK(of({Exit::undecided, Exit::not_comparable}) == Exit::not_comparable);
  CHECK(of({Exit::not_comparable, Exit::failed}) == Exit::failed);
  CHECK(of({Exit::failed, Exit::worse}) == Exit::worse);
  CHECK(of({Exit::worse, Exit::usage}) == Exit::usage);
  CHECK(of({Exit::usage, Exit::interrupted}) == Exit::interrupted);
}

TEST_CASE("every enumeration is found again by its name") {
  for (const auto text : {"ok", "suspect", "skipped", "failed", "not_run"})
    CHECK(to_string(*status_from(text)) == text);
  for (const auto text : {"none", "wrong_answer", "measurement"}) CHECK(to_string(*failure_from(text)) == text);
  for (const auto text : {"passed", "failed", "not_applicable"}) CHECK(to_string(*check_from(text)) == text);
  for (const auto text : {"note", "warning", "problem"}) CHECK(to_string(*severity_from(text)) == text);
  CHECK_FALSE(status_from("OK"));
  CHECK_FALSE(check_from("ok"));
}

TEST_CASE("a record is identified by benchmark, point and device") {
  Record record = with(Status::ok);
  record.benchmark = "bandwidth.triad";
  record.device = "cpu";
  CHECK(identity(record) == "bandwidth.triad on cpu");
  record.point.set("size", std::int64_t{4096});
  CHECK(identity(record) == "bandwidth.triad size=4096 on cpu");
}

TEST_CASE("metrics are found by name") {
  Record record;
  record.metrics.resize(2);
  record.metrics[0].name = "time";
  record.metrics[1].name = "bandwidth";
  record.metrics[1].value = 2.0;
  REQUIRE(record.metric("bandwidth"));
  CHECK(record.metric("bandwidth")->value == 2.0);
  CHECK(record.metric("flops") == nullptr);
}
