// Known summaries, and the sizes at which a spread is a number.
#include "bench/harness/statistics.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace ridge::bench;

TEST_CASE("quantiles interpolate between order statistics") {
  const std::vector<double> values{4, 1, 3, 2};
  CHECK(*median(values) == 2.5);
  CHECK(*quantile(values, 0.0) == 1.0);
  CHECK(*quantile(values, 1.0) == 4.0);
  CHECK(*quantile(values, 0.25) == 1.75);
  CHECK_FALSE(quantile({}, 0.5).has_value());
}

TEST_CASE("a summary keeps the best, the worst and the middle") {
  const std::vector<double> samples{2, 4, 4, 4, 5, 5, 7, 9};
  const auto s = summarise(samples);
  CHECK(s.count == 8);
  CHECK(*s.median == 4.5);
  CHECK(*s.mean == 5.0);
  CHECK(*s.best == 2.0);
  CHECK(*s.worst == 9.0);
  CHECK(*s.stddev == Approx(2.13809).epsilon(1e-5));
  CHECK(*s.iqr == 1.5);
  CHECK(*s.relative_spread == Approx(1.5 / 4.5));
}

TEST_CASE("under five samples there is no spread") {
  const std::vector<double> four{1, 2, 3, 4};
  CHECK_FALSE(summarise(four).stddev.has_value());
  CHECK_FALSE(summarise(four).iqr.has_value());
  CHECK(summarise(four).median.has_value());
  CHECK(summarise({}).count == 0);
  CHECK_FALSE(summarise({}).median.has_value());
}
