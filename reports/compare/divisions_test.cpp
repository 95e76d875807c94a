// Divisions of runs: all of them or a sample, each measured as by hand, and the share in which something was larger.
#include "reports/compare/divisions.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "reports/compare/median.hpp"

using namespace ridge::compare;

namespace {

Division real(std::size_t base, std::size_t fresh) {
  Division division(base + fresh, false);
  std::fill(division.begin() + static_cast<std::ptrdiff_t>(base), division.end(), true);
  return division;
}

}  // namespace

TEST_CASE("few runs are divided in every way but the real one, many in as many as are looked at") {
  for (const auto& [base, fresh, count] :
       {std::tuple{1, 1, 1}, {2, 1, 2}, {10, 1, 10}, {10, 3, 285}, {5, 5, 251}, {10, 10, 500}, {1000, 3, 500}}) {
    const auto all = divisions_of(static_cast<std::size_t>(base), static_cast<std::size_t>(fresh));
    CHECK(all.size() == static_cast<std::size_t>(count));
    for (const Division& each : all) {
      CHECK(std::count(each.begin(), each.end(), true) == fresh);
      CHECK(each != real(static_cast<std::size_t>(base), static_cast<std::size_t>(fresh)));
    }
    CHECK(all == divisions_of(static_cast<std::size_t>(base), static_cast<std::size_t>(fresh)));
  }
  const auto enumerated = divisions_of(10, 3);
  CHECK(std::set<Division>(enumerated.begin(), enumerated.end()).size() == 285);
}

TEST_CASE("a division is measured as the two sides alone would be") {
  const std::vector<double> base{3, 1, 4, 1.5, 9};
  const std::vector<double> fresh{2.6, 5};
  const Divisible runs(base, fresh);
  const auto as_it_was = runs.at(real(5, 2));
  CHECK(as_it_was.slowdown == Approx(median_of(fresh) - median_of(base)));
  CHECK(as_it_was.base_squares == Approx(sum_of_squares(base)));
  CHECK(as_it_was.fresh_squares == Approx(sum_of_squares(fresh)));
  const auto other = runs.at({true, false, false, false, true, false, false});
  CHECK(other.slowdown == Approx(6 - 2.6));
  CHECK(other.fresh_squares == Approx(18));
  CHECK(runs.range() == Approx(8));
}

TEST_CASE("the largest of all metrics is counted with the real division, unless no other reaches the value") {
  Largest largest;
  largest.take(std::vector<double>{0.1, 0.9, 0.2});
  largest.take(std::vector<double>{0.5, 0.1, 0.3});
  CHECK(largest.share(0.4) == Approx(3.0 / 4));
  CHECK(largest.share(0.9) == Approx(2.0 / 4));
  CHECK(largest.share(1) == 0);
  largest.take({});
  largest.take(std::vector<double>{0, 0, 0, 0, 0, 2});  // a metric with more runs: the others repeat theirs
  CHECK(largest.share(1) == Approx(2.0 / 7));
  CHECK(largest.share(0.9) == Approx(4.0 / 7));
}
