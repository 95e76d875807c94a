// Units that convert, units that refuse, and patterns.
#include "reports/compare/units.hpp"

#include <catch2/catch.hpp>

#include "reports/compare/percent.hpp"
#include "reports/compare/rules.hpp"

using namespace ridge::compare;

TEST_CASE("units of the same dimension convert by their prefixes") {
  CHECK(*conversion("GB/s", "B/s") == 1e9);
  CHECK(*conversion("GiB/s", "GB/s") == Approx(1.073741824));
  CHECK(*conversion("us", "ns") == Approx(1000));
  CHECK(*conversion("\xC2\xB5s", "us") == Approx(1));
  CHECK(*conversion("TFLOP/s", "GFLOP/s") == Approx(1000));
  CHECK(*conversion("%", "ratio") == Approx(0.01));
  CHECK(*conversion("furlong", "furlong") == 1);
}

TEST_CASE("units of different dimensions refuse") {
  CHECK_FALSE(conversion("s", "B"));
  CHECK_FALSE(conversion("B/s", "B"));
  CHECK_FALSE(conversion("OP/s", "FLOP/s"));
  CHECK_FALSE(conversion("furlong", "m"));
  CHECK_FALSE(conversion("Kis", "s"));  // binary prefixes are for bytes
  CHECK_FALSE(scale_of(""));
}

TEST_CASE("quantities as rule files spell them") {
  CHECK(quantity("2 us")->value == 2);
  CHECK(quantity("2 us")->unit == "us");
  CHECK(quantity("1.5GiB/s")->unit == "GiB/s");
  CHECK(quantity("0.02")->unit.empty());
  CHECK_FALSE(quantity("fast"));
  CHECK_FALSE(quantity("inf s"));
}

TEST_CASE("patterns match the whole name") {
  CHECK(matches("*", ""));
  CHECK(matches("bandwidth.*: time", "bandwidth.triad size=4096 on cpu: time"));
  CHECK(matches("a*b*c", "aXbXbXc"));
  CHECK(matches("?b", "ab"));
  CHECK_FALSE(matches("bandwidth", "bandwidth.triad"));
  CHECK_FALSE(matches("a*b", "acbd"));
  CHECK_FALSE(matches("", "a"));
  CHECK(matches(std::string(2000, '*') + "b", std::string(2000, 'a') + "b"));
}

TEST_CASE("a share is spelled in percent, without powers of ten") {
  CHECK(percent(0.0725) == "7.25 %");
  CHECK(percent(0.41) == "41 %");
  CHECK(percent(1.215) == "122 %");
  CHECK(percent(2.083) == "208 %");
  CHECK(percent(20.83) == "over 1000 %");
}
