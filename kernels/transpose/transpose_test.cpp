// The CPU's transposes at sides that fit no tile, whole and in parts.
#include "kernels/transpose/transpose.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace ridge::transpose;

TEST_CASE("every element is where it belongs, and rows of others are left alone") {
  for (const Variant variant : {Variant::naive, Variant::tiled, Variant::padded})
    for (const std::int64_t n : {1, 31, 32, 33, 100, 128}) {
      CAPTURE(static_cast<int>(variant), n);
      std::vector<std::uint32_t> in(static_cast<std::size_t>(n * n));
      for (std::int64_t i = 0; i < n * n; ++i) in[static_cast<std::size_t>(i)] = element(i / n, i % n, n);
      std::vector<std::uint32_t> out(in.size(), 0xFFFFFFFFU);
      cpu_transpose(variant, in.data(), out.data(), n, n / 3, n);
      for (std::int64_t i = 0; i < n / 3 * n; ++i) REQUIRE(out[static_cast<std::size_t>(i)] == 0xFFFFFFFFU);
      cpu_transpose(variant, in.data(), out.data(), n, 0, n / 3);
      std::int64_t wrong = 0;
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = 0; i < n; ++i)
          wrong += out[static_cast<std::size_t>(j * n + i)] == element(i, j, n) ? 0 : 1;
      CHECK(wrong == 0);
    }
}

TEST_CASE("variants are found by their names") {
  CHECK(variant_from("padded") == Variant::padded);
  CHECK_FALSE(variant_from("clever"));
}
