// The chain against its closed form at every number of operations the ladder uses, and one step more or less refused.
#include "kernels/roofline/chain.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

#include "kernels/random/counter.hpp"

using namespace ridge;
using namespace ridge::roofline;

namespace {

template <class T>
std::vector<T> inputs(std::int64_t count) {
  std::vector<T> x(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = random::full_mantissa<T>(random::bits(7, i));
  return x;
}

// How many elements lie outside of the oracle's bound for `operations`.
template <class T>
int wrong(const std::vector<T>& in, const std::vector<T>& out, std::int64_t operations) {
  const ChainOracle<T> oracle(operations);
  int found = 0;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (!(std::fabs(static_cast<double>(out[i] - oracle.expected(in[i]))) <= oracle.bound(in[i]))) ++found;
  return found;
}

template <class T>
std::vector<T> run(const std::vector<T>& in, std::int64_t operations, Stores stores) {
  std::vector<T> out(in.size(), T{-1});
  chain_kernel<T>(stores)({out.data(), in.data(), operations}, 0, static_cast<std::int64_t>(in.size()));
  return out;
}

template <class T>
void check_all(std::int64_t most) {
  for (const std::int64_t count : {1, 7, 191, 192, 193, 2 * 192 + 5})
    for (const Stores stores : {Stores::ordinary, Stores::nontemporal})
      for (std::int64_t operations = 1; operations <= most; operations *= 2) {
        CAPTURE(count, operations);
        const auto in = inputs<T>(count);
        CHECK(wrong(in, run(in, operations, stores), operations) == 0);
      }
}

}  // namespace

TEST_CASE("chains of every length are what the closed form says") {
  check_all<float>(2048);
  check_all<double>(4096);
}

TEST_CASE("long ranges, walked at four places, are complete") {
  for (const Stores stores : {Stores::ordinary, Stores::nontemporal}) {
    const auto in = inputs<float>((1 << 18) * 5 + 77);
    CHECK(wrong(in, run(in, 4, stores), 4) == 0);
  }
}

TEST_CASE("parts of a range touch nothing else") {
  const auto in = inputs<double>(1000);
  std::vector<double> out(in.size(), -1.0);
  chain_kernel<double>(Stores::nontemporal)({out.data(), in.data(), 2}, 3, 901);
  CHECK(out[2] == -1.0);
  CHECK(out[3] != -1.0);
  CHECK(out[900] != -1.0);
  CHECK(out[901] == -1.0);
}

TEST_CASE("one step more or less is refused for every element") {
  const auto f32 = inputs<float>(500);
  const auto f64 = inputs<double>(500);
  for (const std::int64_t operations : {2, 16, 256, 2048}) {
    CAPTURE(operations);
    CHECK(wrong(f32, run(f32, operations + 2, Stores::ordinary), operations) == 500);
    CHECK(wrong(f64, run(f64, operations + 2, Stores::ordinary), operations) == 500);
    if (operations > 2) CHECK(wrong(f32, run(f32, operations - 2, Stores::ordinary), operations) == 500);
  }
  CHECK(wrong(f32, run(f32, 2, Stores::ordinary), 1) == 500);
  CHECK(wrong(f64, run(f64, 4096 - 2, Stores::ordinary), 4096) == 500);
}
