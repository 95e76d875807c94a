// Nothing from a file or a command line may act on the terminal that shows it.
#include "reports/record/text.hpp"

#include <catch2/catch.hpp>

using namespace ridge::record;

TEST_CASE("control characters and escapes are spelled out") {
  CHECK(printable("plain ASCII, caf\u00e9 \u2264 \u4e2d") == "plain ASCII, caf\u00e9 \u2264 \u4e2d");
  CHECK(printable("a\nb\r\tc") == "a\\nb\\r\\tc");
  CHECK(printable("\x1b[31mred\x1b[0m") == "\\x1b[31mred\\x1b[0m");
  CHECK(printable(std::string_view("\0\x7f", 2)) == "\\x00\\x7f");
  CHECK(printable("\u009b31m") == "\\x9b31m");  // C1: a one-character escape sequence
  CHECK(printable("ab\u202e"
                  "cd") == "ab\\u202ecd");  // turns the rest of the line around
}

TEST_CASE("bytes that are not UTF-8 are spelled out one by one") {
  CHECK(printable("a\xff") == "a\\xff");
  CHECK(printable("\xc3") == "\\xc3");                             // cut short
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                    // overlong
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond Unicode
}

TEST_CASE("width counts columns, not bytes") {
  CHECK(columns("abc") == 3);
  CHECK(columns("caf\u00e9") == 4);
  CHECK(columns("\u4e2d\u6587") == 4);
  CHECK(columns("e\u0301") == 1);
}

TEST_CASE("cutting keeps within the width and never splits a character") {
  CHECK(cut("bandwidth", 9) == "bandwidth");
  CHECK(cut("bandwidth", 8) == "bandw...");
  CHECK(cut("bandwidth", 2) == "ba");
  CHECK(cut("\u4e2d\u6587\u4e2d", 5) == "\u4e2d...");
  CHECK(cut("anything", 0).empty());
}
