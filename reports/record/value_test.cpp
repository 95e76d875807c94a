// Points name cases: their text must tell any two of them apart.
#include "reports/record/value.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ridge::record;

TEST_CASE("values print without a locale and read back equal") {
  CHECK(to_text(Value{std::int64_t{4194304}}) == "4194304");
  CHECK(to_text(Value{0.1}) == "0.1");
  CHECK(std::stod(to_text(Value{1.0 / 3})) == 1.0 / 3);
  CHECK(to_text(Value{true}) == "true");
  CHECK(to_text(Value{std::string{"f64"}}) == "f64");
}

TEST_CASE("a point keeps the order of its axes, and setting one again replaces it") {
  Point point;
  point.set("size", std::int64_t{4096});
  point.set("dtype", std::string{"f64"});
  point.set("size", std::int64_t{8192});
  CHECK(point.to_text() == "size=8192 dtype=f64");
  CHECK(point.integer("size") == 8192);
  CHECK(point.text("dtype") == "f64");
  CHECK(point.find("threads") == nullptr);
}

TEST_CASE("asking a point for an axis it lacks is a fault of the program") {
  Point point;
  point.set("dtype", std::string{"f64"});
  CHECK_THROWS_AS(point.integer("size"), std::logic_error);
  CHECK_THROWS_AS(point.integer("dtype"), std::logic_error);
}

TEST_CASE("text cannot forge a second axis") {
  Point forged;
  forged.set("dtype", std::string{"f64 threads=2"});
  Point honest;
  honest.set("dtype", std::string{"f64"});
  honest.set("threads", std::int64_t{2});
  CHECK(forged.to_text() == "dtype=\"f64 threads=2\"");
  CHECK(forged.to_text() != honest.to_text());
}
