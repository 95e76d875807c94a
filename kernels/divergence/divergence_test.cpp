// The closed forms against plain loops over lanes.
#include "kernels/divergence/divergence.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace ridge::divergence;

TEST_CASE("a warp's efficiency is what its lanes do over what its instructions could do, lane by lane") {
  for (const Kind kind : {Kind::branch, Kind::loop})
    for (const Split split : {Split::lane, Split::warp})
      for (const int paths : {1, 2, 3, 5, 8, 31, 32}) {
        const Task task{kind, split, paths, 64};
        CAPTURE(static_cast<int>(kind), static_cast<int>(split), paths);
        std::int64_t done = 0;
        std::int64_t could = 0;
        std::set<int> taken;
        int longest = 0;
        for (int lane = 0; lane < lanes; ++lane) {
          const int path = path_of(task, lane);
          done += rounds_of(task, path);
          longest = std::max(longest, rounds_of(task, path));
          // On branches each path's rounds are instructions of their own; in a loop the longest lane's are all.
          if (kind == Kind::branch && taken.insert(path).second) could += lanes * rounds_of(task, path);
        }
        if (kind == Kind::loop) could = std::int64_t{lanes} * longest;
        CHECK(warp_efficiency(task) == Approx(static_cast<double>(done) / static_cast<double>(could)));
        if (paths > 1 && split == Split::lane) CHECK(warp_efficiency(task) < 1);
      }
}

TEST_CASE("paths are dealt out by lane or by warp, and one step or path more is another number") {
  CHECK(path_of({Kind::branch, Split::lane, 4, 1}, 33) == 1);
  CHECK(path_of({Kind::branch, Split::warp, 4, 1}, 33) == 1);
  CHECK(path_of({Kind::branch, Split::warp, 4, 1}, 31) == 0);
  CHECK(path_of({Kind::branch, Split::warp, 4, 1}, 32 * 5) == 1);
  CHECK(expected({Kind::branch, Split::lane, 4, 2}, 3, 10) == 10 + 7 * 32);
  CHECK(expected({Kind::loop, Split::lane, 4, 64}, 1, 10) == 10 + 3 * 32 * 16);
  CHECK(multiply_adds({Kind::branch, Split::lane, 4, 2}, 100) == 3200);
  CHECK(multiply_adds({Kind::loop, Split::lane, 2, 64}, 64) == (32 * 32 + 32 * 64) * 16);
  constexpr Task longest{Kind::branch, Split::lane, 32, 64};
  CHECK(expected(longest, 31, 65535) < 1 << 24);  // exact
}
