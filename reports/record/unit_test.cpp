// Numbers as a person sees them.
#include "reports/record/unit.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace ridge::record;

TEST_CASE("every unit and direction is found again by its spelling") {
  for (const std::string_view text : {"s", "B", "B/s", "FLOP/s", "OP/s", "FLOP/B", "Hz", "W", "degC", "1", "ratio"}) {
    REQUIRE(unit_from(text));
    CHECK(symbol(*unit_from(text)) == text);
  }
  CHECK_FALSE(unit_from("GB/s"));
  for (const std::string_view text : {"higher", "lower", "neither"}) CHECK(to_string(*better_from(text)) == text);
  CHECK_FALSE(better_from(""));
}

TEST_CASE("human numbers have four significant digits and a decimal prefix") {
  CHECK(human(12.344e9, Unit::bytes_per_second) == "12.34 GB/s");
  CHECK(human(31.2e-9, Unit::seconds) == "31.2 ns");
  CHECK(human(1.5e12, Unit::flop_per_second) == "1.5 TFLOP/s");
  CHECK(human(21, Unit::celsius) == "21 degC");
  CHECK(human(0.9312, Unit::ratio) == "0.9312");
  CHECK(human(123456, Unit::count) == "123456");
  CHECK(human(0, Unit::bytes_per_second) == "0 B/s");
  CHECK(human(-2.5e6, Unit::hertz) == "-2.5 MHz");
}

TEST_CASE("a number that rounds up to a thousand takes the next prefix") {
  CHECK(human(999.94e6, Unit::bytes_per_second) == "999.9 MB/s");
  CHECK(human(999.96e6, Unit::bytes_per_second) == "1 GB/s");
}

TEST_CASE("long times stay seconds and small rates have no fractional prefix") {
  CHECK(human(86400, Unit::seconds) == "86400 s");
  CHECK(human(0.25, Unit::bytes_per_second) == "0.25 B/s");
  CHECK(human(5e-324, Unit::seconds).find("ps") != std::string::npos);
  CHECK(human(std::numeric_limits<double>::max(), Unit::bytes).find("EB") != std::string::npos);
}

TEST_CASE("bytes are binary where that is what was meant") {
  CHECK(human_bytes(512.0 * 1024 * 1024) == "512 MiB");
  CHECK(human_bytes(4096) == "4 KiB");
  CHECK(human_bytes(1536) == "1.5 KiB");
  CHECK(human_bytes(1000) == "1000 B");
  CHECK(human_bytes(1) == "1 B");
  CHECK(human_bytes(0) == "0 B");
  CHECK(human_bytes(1000003 * 8) == "8 MB");
  CHECK(human_bytes(0x1p30 - 8) == "1 GiB");  // 2³⁰ rounded down to a multiple of three elements
  CHECK(human_bytes(0x1p62) == "4 EiB");
  CHECK(human_bytes(24683656.0 * 1024) == "25.28 GB");  // every multiple of 256 B is some quarter of a KiB
}
