// Each part has a rate of its own, and overlap compares what ran together with the same alone.
#include "bench/harness/parts.hpp"

#include <catch2/catch.hpp>

using namespace ridge;
using namespace ridge::bench;

namespace {

record::Record copied(const std::string& direction, double median, std::int64_t size = 64) {
  record::Record record;
  record.benchmark = "transfer.host";
  record.device = "cuda:0";
  record.point.set("size", size);
  record.point.set("direction", direction);
  record.statistics.median = median;
  return record;
}

const Concurrent both{"direction", "both", {"to_device", "to_host"}};

}  // namespace

TEST_CASE("a part's rate is its bytes by the median of its own time") {
  PartSamples samples;
  for (const double seconds : {1.0, 4.0, 2.0}) samples.add({{"to_device", 100, seconds}, {"to_host", 300, 3.0}});
  const auto metrics = samples.metrics();
  REQUIRE(metrics.size() == 2);
  CHECK(metrics[0].name == "bandwidth_to_device");
  CHECK(metrics[0].value == 50.0);
  CHECK(metrics[1].name == "bandwidth_to_host");
  CHECK(metrics[1].value == 100.0);
  CHECK(metrics[1].unit == record::Unit::bytes_per_second);
  CHECK(PartSamples().metrics().empty());
}

TEST_CASE("a part that took no time has no rate") {
  PartSamples samples;
  samples.add({{"to_device", 100, 0.0}});
  CHECK_FALSE(samples.metrics()[0].value);
}

TEST_CASE("overlap is 0 when parts follow each other and 1 when the shorter costs nothing") {
  CHECK(overlap_of(5.0, {2.0, 3.0}) == 0.0);
  CHECK(overlap_of(3.0, {2.0, 3.0}) == 1.0);
  CHECK(overlap_of(4.0, {2.0, 3.0}) == 0.5);
  CHECK(overlap_of(6.0, {2.0, 3.0}) == -0.5);
  CHECK(overlap_of(4.0, {4.0, 4.0, 4.0}) == 1.0);
  CHECK_FALSE(overlap_of(1.0, {1.0}));
  CHECK_FALSE(overlap_of(1.0, {1.0, 0.0}));
}

TEST_CASE("overlap needs each part alone at the same point on the same device") {
  std::vector<record::Record> records{copied("to_device", 2.0), copied("to_host", 3.0), copied("both", 4.0)};
  assign_overlap(records[2], both, records);
  REQUIRE(records[2].metric("overlap") != nullptr);
  CHECK(records[2].metric("overlap")->value == 0.5);
  assign_overlap(records[0], both, records);
  CHECK(records[0].metric("overlap") == nullptr);

  records = {copied("to_device", 2.0), copied("to_host", 3.0, 128), copied("both", 4.0)};
  assign_overlap(records[2], both, records);
  CHECK(records[2].metric("overlap") == nullptr);
  records[1] = copied("to_host", 3.0);
  records[1].device = "cuda:1";
  assign_overlap(records[2], both, records);
  CHECK(records[2].metric("overlap") == nullptr);
  records[1] = copied("to_host", 3.0);
  records[1].statistics.median.reset();
  assign_overlap(records[2], both, records);
  CHECK(records[2].metric("overlap") == nullptr);
}

TEST_CASE("of a pair, the way back alone is the other device's record of this one") {
  const auto pair = [](const std::string& from, const std::string& to, const std::string& direction, double median) {
    record::Record record = copied(direction, median);
    record.device = from;
    record.point.set("peer", to);
    return record;
  };
  const Concurrent ways{"direction", "both", {"out", "out"}, "peer"};
  std::vector<record::Record> records{pair("cuda:0", "cuda:1", "out", 2.0), pair("cuda:1", "cuda:0", "out", 3.0),
                                      pair("cuda:0", "cuda:1", "both", 4.0), pair("cuda:1", "cuda:2", "out", 9.0)};
  assign_overlap(records[2], ways, records);
  REQUIRE(records[2].metric("overlap") != nullptr);
  CHECK(records[2].metric("overlap")->value == 0.5);  // (2 + 3 - 4) / 2
  records.erase(records.begin() + 1);
  records[1].metrics.clear();
  assign_overlap(records[1], ways, records);
  CHECK(records[1].metric("overlap") == nullptr);
}
