// Who is late in constructed passages, and nobody where nobody is; how often it is looked.
#include "collectives/family/arrivals.hpp"

#include <catch2/catch.hpp>

#include "collectives/family/made_passages.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace family = ridge::bench::collective;
using collectives::Passage;
using family::arrivals_of;
using family::make_late;
using family::Passages;
using family::together;
using family::with_late;

namespace {

std::vector<int> late_of(const Passages& passages, const family::Known& known = {}) {
  const auto arrivals = arrivals_of(passages, known);
  REQUIRE(arrivals);
  std::vector<int> late;
  for (std::size_t r = 0; r < arrivals->ranks.size(); ++r)
    if (arrivals->ranks[r].late) late.push_back(static_cast<int>(r));
  return late;
}

// Looks whose passages are these, in turn; what was asked for between them.
struct Looks {
  std::vector<Passages> answers;
  std::vector<double> pauses = {};
  std::size_t asked = 0;
  std::optional<family::Arrivals> watched() {
    return family::watch(
        [this](std::int64_t times) {
          if (times == family::first_passages) return together(2, 0.99e-3, 3);
          CHECK(times == 20);
          return answers.at(asked++);
        },
        {}, [this](double seconds) { pauses.push_back(seconds); });
  }
};

constexpr std::size_t nobody = 2;

}  // namespace

TEST_CASE("ranks that come together are on time, whatever their clocks say") {
  for (const int ranks : {2, 5}) CHECK(late_of(together(ranks, 1e-3)).empty());
  const auto arrivals = arrivals_of(together(3, 1e-3), {});
  CHECK(arrivals->p95 == Approx(1e-3));
  CHECK(arrivals_of(together(3, 1e-3), {false, true})->ranks[1].arrival == std::nullopt);
}

TEST_CASE("a rank that the others always wait for is named, on one host or on several") {
  for (const bool one_clock : {true, false})
    for (const std::size_t late : {0U, 2U}) {
      Passages passages = together(4, 1e-3);
      for (std::size_t i = 0; i < passages[0].size(); ++i) make_late(passages, late, i, 2e-3);
      CHECK(late_of(passages, {one_clock, true}) == std::vector<int>{static_cast<int>(late)});
      const auto arrivals = arrivals_of(passages, {one_clock, true});
      CHECK(arrivals->latest == static_cast<int>(late));
      CHECK(arrivals->ranks[late].awaited == Approx(2e-3));
      CHECK(arrivals->ranks[1].waited == Approx(2.1e-3));
      CHECK(arrivals->p95 == Approx(3e-3));
    }
}

TEST_CASE("arrival and finish are after the first rank, by the clock of the host") {
  Passages passages(2);
  for (int i = 0; i < 9; ++i) {
    passages[0].push_back({10.0 + i, 10.5 + i, 0.2});
    passages[1].push_back({10.25 + i, 10.625 + i, 0});
  }
  const auto arrivals = arrivals_of(passages, {});
  CHECK(arrivals->ranks[0].arrival == 0.0);
  CHECK(arrivals->ranks[1].arrival == 0.25);
  CHECK(arrivals->ranks[1].finish == 0.125);
}

TEST_CASE("both of two late ranks are named, and all but one late are the one that is early") {
  Passages passages = together(5, 1e-3);
  for (std::size_t i = 0; i < passages[0].size(); ++i) {
    for (std::size_t r = 0; r < 5; ++r)
      if (r != 1 && r != 3) passages[r][i].waited += 1e-3;
  }
  CHECK(late_of(passages) == std::vector<int>{1, 3});
}

TEST_CASE("a rank that is late now and then, by a tenth of the time, or by less than clocks tell, is not named") {
  Passages in_turn = together(4, 1e-3);
  for (std::size_t i = 0; i < in_turn[0].size(); ++i) make_late(in_turn, i % 4, i, 2e-3);
  CHECK(late_of(in_turn).empty());
  Passages once = together(2, 1e-3);
  make_late(once, 1, 3, 1.0);
  CHECK(late_of(once).empty());
  for (const auto& [seconds, named] : {std::pair{0.9e-4, false}, std::pair{1.3e-4, true}}) {
    Passages little = together(2, 1e-3);
    for (std::size_t i = 0; i < little[0].size(); ++i) make_late(little, 1, i, seconds);
    CHECK(late_of(little).size() == (named ? 1 : 0));
  }
  for (const auto& [seconds, named] : {std::pair{0.9e-6, false}, std::pair{1.1e-6, true}}) {
    Passages tiny = together(2, 1e-7);
    for (std::size_t i = 0; i < tiny[0].size(); ++i) make_late(tiny, 1, i, seconds);
    CHECK(late_of(tiny).size() == (named ? 1 : 0));
  }
}

TEST_CASE("a rank that is late by less than its own standard deviation is not named") {
  Passages passages = together(2, 1e-3, 40);
  // Late by 0, 1, 2, 3 ms in turn: a median of 1.5 ms, an interquartile range of 1.5 ms, 1.11 ms of deviation.
  for (std::size_t i = 0; i < 40; ++i) make_late(passages, 1, i, 1e-3 * static_cast<double>(i % 4));
  CHECK(late_of(passages) == std::vector<int>{1});
  // 0, 0, 1, 4 ms: 0.5 ms against a range of 1.75 ms.
  passages = together(2, 1e-3, 40);
  for (std::size_t i = 0; i < 40; ++i) make_late(passages, 1, i, 1e-3 * (i % 4 < 2 ? 0 : i % 4 == 2 ? 1 : 4));
  CHECK(late_of(passages).empty());
}

TEST_CASE("where ranks do not do the same, or wait for a CPU, nobody is named, and one rank waits for nobody") {
  Passages passages = together(2, 1e-3);
  for (std::size_t i = 0; i < passages[0].size(); ++i) make_late(passages, 1, i, 5e-3);
  CHECK(late_of(passages, {true, false}).empty());
  CHECK(arrivals_of(passages, {true, false})->latest == 1);
  CHECK_FALSE(arrivals_of(together(1, 1e-3), {}));
  CHECK_FALSE(arrivals_of({}, {}));
  CHECK(family::passages_after(together(2, 1.0)) == 8);
  CHECK(family::passages_after(together(2, 0.99e-3)) == 20);
  CHECK(family::passages_after(together(2, 1e-9)) == 200);
}

TEST_CASE("a rank that seems late is looked at again, and is late if it was each time") {
  Looks always{{with_late(1), with_late(1), with_late(1)}};
  const auto late = always.watched();
  CHECK(always.asked == 3);
  CHECK(always.pauses.size() == 2);
  CHECK(late->ranks[1].late);
  CHECK_FALSE(late->ranks[0].late);

  Looks once{{with_late(1), with_late(nobody)}};
  CHECK_FALSE(once.watched()->ranks[1].late);
  CHECK(once.asked == 2);

  Looks twice{{with_late(1), with_late(1), with_late(nobody)}};
  CHECK_FALSE(twice.watched()->ranks[1].late);
  CHECK(twice.asked == 3);

  Looks in_turn{{with_late(1), with_late(0)}};
  const auto changed = in_turn.watched();
  CHECK_FALSE((changed->ranks[0].late || changed->ranks[1].late));

  Looks calm{{with_late(nobody)}};
  CHECK_FALSE(calm.watched()->ranks[1].late);
  CHECK(calm.pauses.empty());
}

TEST_CASE("passages that took a quarter of a second are long enough a look") {
  Passages slow = together(2, 1e-3);  // one a second
  for (std::size_t i = 0; i < slow[0].size(); ++i) make_late(slow, 1, i, 5e-3);
  Looks looks{{slow}};
  CHECK(looks.watched()->ranks[1].late);
  CHECK(looks.asked == 1);
  CHECK(looks.pauses.empty());
}
