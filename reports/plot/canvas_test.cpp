// Where glyphs land, what wins, and that no line is wider than asked.
#include "reports/plot/canvas.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <sstream>

using namespace ridge;

namespace {

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

plot::Canvas small() {
  return {{1, 100, number, 10}, {1, 100, number, 10}, 31, 7};
}

}  // namespace

TEST_CASE("corners, curves and marks land where they belong") {
  plot::Canvas canvas = small();
  canvas.curve([](double x) { return x; }, '.');
  canvas.mark(1, 100, 'a');
  canvas.mark(10, 10, 'b');
  canvas.mark(100, 1, 'c');
  CHECK(canvas.text() ==
        "     100 |a                 ...\n"
        "         |             .....\n"
        "      10 |        ..b..\n"
        "         |   .....\n"
        "       1 |...                 c\n"
        "         +---------------------\n"
        "          1        10       100\n");
}

TEST_CASE("lines can be labelled with their own values") {
  plot::Canvas canvas({1, 100, number, 10}, {2, 32, number, 0}, 31, 7);
  canvas.mark(1, 2, 'a');
  CHECK(canvas.text().starts_with("      32 |\n         |\n         |\n       4 |\n       2 |a\n"));
}

TEST_CASE("two marks at one place say so, the same twice does not") {
  plot::Canvas canvas = small();
  canvas.mark(10, 10, 'a');
  canvas.mark(10, 10, 'a');
  CHECK(canvas.text().find('+') == canvas.text().rfind('+'));  // the corner
  canvas.mark(10, 10, 'b');
  CHECK(canvas.text().find('+') != canvas.text().rfind('+'));
}

TEST_CASE("what lies outside is put at the edge, what has no logarithm is left out") {
  plot::Canvas canvas = small();
  canvas.mark(1e9, 1e9, 'a');
  canvas.mark(0, 5, 'z');
  canvas.mark(5, -1, 'z');
  canvas.curve([](double) { return std::nan(""); }, 'z');
  CHECK(canvas.text().find('z') == std::string::npos);
  CHECK(canvas.text().substr(0, 31) == "     100 |                    a");
}

TEST_CASE("pictures keep within their width, labels that do not fit are left out") {
  for (const int columns : {24, 25, 40, 80, 200}) {
    plot::Canvas canvas({1.0 / 16, 256, [](double v) { return number(v) + " FLOP/B"; }, 4}, {1e8, 3e12, number, 10},
                        columns, 20);
    std::istringstream lines(canvas.text());
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      CHECK(line.size() <= static_cast<std::size_t>(columns));
      CHECK((line.empty() || line.back() != ' '));
    }
    CHECK(count == 20);
  }
}
