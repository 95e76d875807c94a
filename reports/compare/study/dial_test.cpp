// A dial is tried at every setting, and the best one for each of the two errors is found.
#include "reports/compare/study/dial.hpp"

#include <catch2/catch.hpp>
#include <limits>

using ridge::study::Dial;

namespace {

// Unchanged reports reach strengths of 1 to 4, slowdowns of 3 to 6.
const Dial dial{"of four", {1, 2, 3, 4}, {3, 4, 5, 6}};

}  // namespace

TEST_CASE("a strength above the setting alarms, one at it does not") {
  CHECK(dial.at(3).alarms == 1);
  CHECK(dial.at(3).missed == 1);
  CHECK(dial.at(2.5).alarms == 2);
  CHECK(dial.at(2.5).missed == 0);
}

TEST_CASE("the best setting for one error leaves the least of the other") {
  CHECK(dial.missed_at_alarms(0) == 2);
  CHECK(dial.missed_at_alarms(1) == 1);
  CHECK(dial.missed_at_alarms(2) == 0);
  CHECK(dial.alarms_at_missed(0) == 2);
  CHECK(dial.alarms_at_missed(1) == 1);
  CHECK(dial.alarms_at_missed(2) == 0);
}

TEST_CASE("a dial that cannot separate alarms always or never") {
  const Dial blind{"blind", {7, 7}, {7, 7}};
  CHECK(blind.missed_at_alarms(0) == 2);
  CHECK(blind.missed_at_alarms(1) == 2);
  CHECK(blind.alarms_at_missed(0) == 2);
  CHECK(blind.alarms_at_missed(2) == 0);
  const Dial mute{"mute", {-std::numeric_limits<double>::infinity()}, {-std::numeric_limits<double>::infinity()}};
  CHECK(mute.alarms_at_missed(0) == 1);  // as never to see anything is no setting that sees all
}
