// Levels from made-up curves: found where they are, not invented where they are not, held against what the system says.
#include "bench/hierarchy/curve.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

using namespace ridge::bench::hierarchy;

namespace {

constexpr std::int64_t KiB = 1 << 10;
constexpr std::int64_t MiB = 1 << 20;

struct Step {
  std::int64_t capacity;
  double seconds;
};

// An ideal hierarchy: a set of lines in random order hits each level by the share that fits there.
std::vector<CurvePoint> staircase(const std::vector<Step>& steps, std::int64_t from = 4 * KiB,
                                  std::int64_t to = 256 * MiB) {
  std::vector<CurvePoint> curve;
  for (std::int64_t bytes = from; bytes <= to; bytes *= 2) {
    double seconds = 0;
    double covered = 0;
    for (const Step& step : steps) {
      const double share = std::min(1.0, static_cast<double>(step.capacity) / static_cast<double>(bytes));
      seconds += (std::max(share, covered) - covered) * step.seconds;
      covered = std::max(share, covered);
    }
    curve.push_back({bytes, seconds, std::nullopt});
  }
  return curve;
}

void tell(std::vector<CurvePoint>& curve, const std::vector<std::pair<std::string, std::int64_t>>& capacities,
          std::int64_t memory_from) {
  for (CurvePoint& point : curve) {
    for (const auto& [name, bytes] : capacities)
      if (!point.told && point.bytes <= bytes) point.told = name;
    if (!point.told && point.bytes >= memory_from) point.told = "memory";
  }
}

const std::vector<Step> ordinary{
    {32 * KiB, 1.3e-9}, {512 * KiB, 4e-9}, {16 * MiB, 15e-9}, {std::int64_t{1} << 40, 100e-9}};

bool mentions(const Staircase& found, const std::string& text) {
  for (const std::string& remark : found.remarks)
    if (remark.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("levels and capacities are found in the curve alone where the caches are hidden") {
  const auto found = find_levels(staircase(ordinary));
  REQUIRE(found.levels.size() == 4);
  const double seconds[] = {1.3e-9, 4e-9, 15e-9, 100e-9};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(found.levels[i].name == "level " + std::to_string(i + 1));
    CHECK(found.levels[i].seconds == Approx(seconds[i]).epsilon(0.15));
  }
  CHECK(found.levels[0].up_to == 32 * KiB);
  CHECK(found.levels[1].up_to == 512 * KiB);
  CHECK(found.levels[2].up_to == 16 * MiB);
  CHECK(found.levels[3].open);
  CHECK(mentions(found, "the system says nothing"));
}

TEST_CASE("change a level's capacity or latency and what is found moves with it") {
  auto steps = ordinary;
  steps[1] = {2 * MiB, 5e-9};
  const auto found = find_levels(staircase(steps));
  REQUIRE(found.levels.size() == 4);
  CHECK(found.levels[1].up_to == 2 * MiB);
  CHECK(found.levels[1].seconds == Approx(5e-9).epsilon(0.1));
}

TEST_CASE("levels carry the system's names, and agreement needs no remark") {
  auto curve = staircase(ordinary);
  tell(curve, {{"L1", 32 * KiB}, {"L2", 512 * KiB}, {"L3", 16 * MiB}}, 64 * MiB);
  const auto found = find_levels(curve);
  REQUIRE(found.levels.size() == 4);
  CHECK(found.levels[0].name == "L1");
  CHECK(found.levels[1].name == "L2");
  CHECK(found.levels[2].name == "L3");
  CHECK(found.levels[3].name == "memory");
  CHECK(found.remarks.empty());
}

TEST_CASE("a last level of which a share only is ours is said to be left early") {
  auto curve = staircase(ordinary);
  tell(curve, {{"L1", 32 * KiB}, {"L2", 512 * KiB}, {"L3", 128 * MiB}}, 512 * MiB);
  CHECK(mentions(find_levels(curve), "the system says that L3 holds 128 MiB; the curve leaves it above 16 MiB"));
}

TEST_CASE("a level without a step of its own is said, not invented") {
  auto steps = ordinary;
  steps[1].seconds = 1.5e-9;  // as good as the first
  auto curve = staircase(steps);
  tell(curve, {{"L1", 32 * KiB}, {"L2", 512 * KiB}, {"L3", 16 * MiB}}, 64 * MiB);
  const auto found = find_levels(curve);
  REQUIRE(found.levels.size() == 3);
  CHECK(mentions(found, "L2, which the system says holds 512 KiB, has no step of its own"));
  CHECK(found.levels[1].name == "L3");
}

TEST_CASE("a curve that only rises has no level, a flat one has one") {
  std::vector<CurvePoint> rising;
  std::vector<CurvePoint> flat;
  for (int i = 0; i < 10; ++i) {
    rising.push_back({KiB << i, 1e-9 * std::pow(1.5, i)});
    flat.push_back({KiB << i, 5e-9});
  }
  CHECK(find_levels(rising).levels.empty());
  CHECK(mentions(find_levels(rising), "no step"));
  REQUIRE(find_levels(flat).levels.size() == 1);
  CHECK(find_levels(flat).levels[0].open);
}

TEST_CASE("a bump within a step, as a neighbour makes it, is not a level") {
  auto curve = staircase(ordinary);
  curve[8].seconds *= 1.9;  // 1 MiB, in the third level
  CHECK(find_levels(curve).levels.size() == 4);
  curve = staircase(ordinary);
  curve[1].seconds *= 3;  // 8 KiB, in the first
  CHECK(find_levels(curve).levels.size() == 4);
}

TEST_CASE("memory that rises slowly with the page walks stays one level") {
  auto curve = staircase(ordinary);
  for (CurvePoint& point : curve)
    if (point.bytes > 32 * MiB)
      point.seconds *= std::pow(1.15, std::log2(static_cast<double>(point.bytes) / (32 * MiB)));
  const auto found = find_levels(curve);
  REQUIRE(found.levels.size() == 4);
  CHECK(found.levels[3].highest > 1.2 * found.levels[3].lowest);
}

TEST_CASE("a curve that ends on its way up says that the next level was not reached") {
  const auto found = find_levels(staircase(ordinary, 4 * KiB, 2 * MiB));
  CHECK_FALSE(found.levels.back().open);
  CHECK(mentions(found, "still rises at 2 MiB"));
}

TEST_CASE("few sizes tell of nothing, in any order, without a remark") {
  CHECK(find_levels({}).levels.empty());
  auto curve = staircase(ordinary, 4 * KiB, 64 * KiB);  // 5 sizes
  CHECK(find_levels(curve).levels.empty());
  CHECK(find_levels(curve).remarks.empty());
  curve = staircase(ordinary);
  std::swap(curve.front(), curve.back());
  CHECK(find_levels(curve).levels.size() == 4);
}
