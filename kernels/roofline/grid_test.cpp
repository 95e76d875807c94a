// The stencil against its plain reference on cubes of awkward sides, faces untouched, mistakes refused.
#include "kernels/roofline/grid.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

#include "kernels/random/counter.hpp"

using namespace ridge;
using namespace ridge::roofline;

namespace {

template <class T>
struct Cube {
  std::int64_t n;
  std::vector<T> in, out;
  explicit Cube(std::int64_t side) : n(side), in(static_cast<std::size_t>(n * n * n)), out(in.size(), T{99}) {
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = random::full_mantissa<T>(random::bits(3, i));
  }
  void step() { stencil_kernel<T>()({out.data(), in.data(), n}, 1, n - 1); }
  [[nodiscard]] bool interior(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return std::min({z, y, x}) > 0 && std::max({z, y, x}) < n - 1;
  }
  // Interior points outside of the bound, and faces that were written.
  [[nodiscard]] int wrong() const {
    int count = 0;
    for (std::int64_t z = 0; z < n; ++z)
      for (std::int64_t y = 0; y < n; ++y)
        for (std::int64_t x = 0; x < n; ++x) {
          const T have = out[static_cast<std::size_t>((z * n + y) * n + x)];
          if (!interior(z, y, x)) {
            count += have == T{99} ? 0 : 1;
            continue;
          }
          const Expected want = stencil_expected(in.data(), n, z, y, x);
          count += std::fabs(static_cast<double>(have - want.value)) <= want.bound ? 0 : 1;
        }
    return count;
  }
};

}  // namespace

TEST_CASE("the stencil is its reference on every cube, and leaves the faces alone") {
  for (const std::int64_t n : {3, 4, 9, 18, 35}) {
    CAPTURE(n);
    Cube<float> f32(n);
    f32.step();
    CHECK(f32.wrong() == 0);
    Cube<double> f64(n);
    f64.step();
    CHECK(f64.wrong() == 0);
  }
}

TEST_CASE("a wrong neighbour, weight or bit is refused") {
  Cube<double> cube(10);
  cube.step();
  const auto right = cube.out;
  const auto at = [](std::int64_t z, std::int64_t y, std::int64_t x) {
    return static_cast<std::size_t>((z * 10 + y) * 10 + x);
  };
  cube.out[at(5, 5, 5)] += neighbour<double> * (cube.in[at(5, 5, 6)] - cube.in[at(5, 5, 7)]);
  CHECK(cube.wrong() == 1);
  cube.out = right;
  cube.out[at(8, 8, 8)] -= neighbour<double> * cube.in[at(9, 8, 8)];
  CHECK(cube.wrong() == 1);
  cube.out = right;
  cube.out[at(1, 1, 1)] *= 1 + 1e-14;
  CHECK(cube.wrong() == 1);
  cube.out = right;
  cube.out[at(0, 4, 4)] = 0;
  CHECK(cube.wrong() == 1);
}

TEST_CASE("points and reads are those on paper") {
  CHECK(stencil_points(4) == 8);
  CHECK(stencil_reads(4) == 8 + 24);
  CHECK(stencil_points(2) == 0);
  CHECK(stencil_reads(1) == 0);
}
