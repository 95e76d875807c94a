// Wrapping and alignment: nothing is lost, nothing is wider than asked for.
#include "reports/info/columns.hpp"

#include <catch2/catch.hpp>

using namespace ridge::info;
using Pieces = std::vector<std::string>;

TEST_CASE("text is cut at blanks, and a word too long is cut anyway") {
  CHECK(wrapped("one two three", 7) == Pieces{"one two", "three"});
  CHECK(wrapped("one two three", 13) == Pieces{"one two three"});
  CHECK(wrapped("abcdefgh", 3) == Pieces{"abc", "def", "gh"});
  CHECK(wrapped("ab   cd", 4) == Pieces{"ab", "cd"});
}

TEST_CASE("an empty text is one empty piece, and a width below one is one") {
  CHECK(wrapped("", 10) == Pieces{""});
  CHECK(wrapped("ab", 0) == Pieces{"a", "b"});
}

TEST_CASE("code points are counted and never cut apart") {
  CHECK(wrapped("äöü", 3) == Pieces{"äöü"});
  CHECK(wrapped("äöü", 2) == Pieces{"äö", "ü"});
}

TEST_CASE("control characters do not reach the terminal") {
  CHECK(wrapped("a\x1b[31mb\n\t\x7f", 40) == Pieces{"a?[31mb???"});
}

TEST_CASE("values stand under each other, names only once") {
  Columns columns(80);
  columns.heading("Title");
  columns.row("caches", Pieces{"L1", "L2"});
  columns.row("governor", std::optional<std::string>{});
  CHECK(columns.text() ==
        "Title\n"
        "  caches            L1\n"
        "                    L2\n"
        "  governor          unknown\n");
}

TEST_CASE("a long name wraps beside its value, and no line ends in blanks") {
  Columns columns(40);
  columns.row("a name of more than eighteen", std::optional<std::string>{"x"});
  columns.row("empty", std::optional<std::string>{""});
  CHECK(columns.text() ==
        "  a name of more    x\n"
        "  than eighteen\n"
        "  empty\n");
}
