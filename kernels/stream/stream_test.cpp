// Every kernel, type and store against the oracle: empty, tiny, odd and long ranges, at unaligned beginnings.
#include <catch2/catch.hpp>

#include <vector>

#include "kernels/stream/check.hpp"
#include "kernels/stream/stream.hpp"

using namespace ridge::stream;

namespace {

constexpr std::int64_t guard = 32;  // elements before and behind the target that must stay as they are

template <class T>
struct Arrays {
  Arrays(std::int64_t n, std::int64_t shift) : count(n), offset(guard + shift) {
    const auto size = static_cast<std::size_t>(n + offset + guard);
    a.resize(size);
    b.resize(size);
    c.resize(size);
    std::memset(a.data(), poison_byte, size * sizeof(T));
    data.fill(b.data() + offset, 0, 0, n);
    data.fill(c.data() + offset + 0, 1, 0, n);
  }
  [[nodiscard]] Operands<T> operands() { return {a.data() + offset, b.data() + offset, c.data() + offset, scalar<T>}; }
  [[nodiscard]] bool guards_untouched() const {
    return untouched(a.data(), static_cast<std::size_t>(offset) * sizeof(T)) &&
           untouched(a.data() + offset + count, static_cast<std::size_t>(guard) * sizeof(T));
  }
  Data data{1234, Content::random};
  std::int64_t count;
  std::int64_t offset;
  std::vector<T> a, b, c;
};

const std::vector<std::int64_t> counts{0,  1,  2,  7,   8,   15,   16,   31,      32,     33,
                                       63, 64, 65, 127, 129, 1000, 4099, 200'003, 300'007};

}  // namespace

TEMPLATE_TEST_CASE("what is written is what the oracle says, up to the last element and not beyond", "", float,
                   double) {
  using T = TestType;
  for (const Facts& fact : all_facts()) {
    if (fact.arrays_written == 0) continue;
    for (const Stores stores : {Stores::ordinary, Stores::nontemporal})
      for (const std::int64_t count : counts)
        for (const std::int64_t shift : {0, 1, 3}) {
          CAPTURE(fact.name, to_string(stores), count, shift);
          Arrays<T> arrays(count, shift);
          cpu_kernel<T>(fact.op, stores)(arrays.operands(), 0, count);
          const Check check = check_target(fact.op, arrays.operands().a, arrays.data, 0, count);
          REQUIRE(check.checked == count);
          REQUIRE(check.wrong == 0);
          REQUIRE(arrays.guards_untouched());
        }
  }
}

TEMPLATE_TEST_CASE("a range in the middle leaves the rest alone", "", float, double) {
  using T = TestType;
  for (const Facts& fact : all_facts()) {
    if (fact.arrays_written == 0) continue;
    for (const Stores stores : {Stores::ordinary, Stores::nontemporal}) {
      CAPTURE(fact.name, to_string(stores));
      Arrays<T> arrays(1003, 1);
      T* a = arrays.operands().a;
      cpu_kernel<T>(fact.op, stores)(arrays.operands(), 101, 877);
      CHECK(check_target(fact.op, a, arrays.data, 101, 877).wrong == 0);
      CHECK(untouched(a, 101 * sizeof(T)));
      CHECK(untouched(a + 877, (1003 - 877) * sizeof(T)));
    }
  }
}

TEMPLATE_TEST_CASE("dot is within its bound on real data and exact on whole numbers", "", float, double) {
  using T = TestType;
  const auto dot = cpu_kernel<T>(Op::dot, Stores::ordinary);
  for (const std::int64_t count : counts)
    for (const std::int64_t shift : {0, 1}) {
      CAPTURE(count, shift);
      Arrays<T> arrays(count, shift);
      const auto want = reference_reduction<T>(arrays.data, 0, count);
      const double got = dot(arrays.operands(), 0, count).sum;
      CHECK(std::fabs(got - static_cast<double>(want.sum)) <= dot_bound<T>(count, static_cast<double>(want.magnitude)));

      const Data whole(99, Content::whole);
      whole.fill(arrays.b.data() + arrays.offset, 0, 0, count);
      whole.fill(arrays.c.data() + arrays.offset, 1, 0, count);
      CHECK(dot(arrays.operands(), 0, count).sum == static_cast<double>(reference_reduction<T>(whole, 0, count).sum));
    }
}

TEMPLATE_TEST_CASE("read sees every bit of every element of its range", "", float, double) {
  using T = TestType;
  const auto read = cpu_kernel<T>(Op::read, Stores::ordinary);
  for (const std::int64_t count : counts)
    for (const std::int64_t shift : {0, 1}) {
      CAPTURE(count, shift);
      Arrays<T> arrays(count, shift);
      CHECK(read(arrays.operands(), 0, count).bits == reference_reduction<T>(arrays.data, 0, count).bits);
      const std::int64_t begin = count / 3;
      const std::int64_t end = count - count / 5;
      CHECK(read(arrays.operands(), begin, end).bits == reference_reduction<T>(arrays.data, begin, end).bits);
    }
}

TEST_CASE("the error bounds leave no room for a wrong last bit of the scalar") {
  Arrays<float> arrays(4096, 0);
  Operands<float> operands = arrays.operands();
  operands.q = std::nextafter(operands.q, 2.0F);
  for (const Op op : {Op::scale, Op::triad}) {
    cpu_kernel<float>(op, Stores::ordinary)(operands, 0, 4096);
    CHECK(check_target(op, operands.a, arrays.data, 0, 4096).wrong > 0);
  }
}

TEST_CASE("the facts add up to the traffic that STREAM counts") {
  CHECK(facts(Op::copy).arrays_read + facts(Op::copy).arrays_written == 2);
  CHECK(facts(Op::triad).arrays_read + facts(Op::triad).arrays_written == 3);
  CHECK(facts(Op::dot).arrays_read == 2);
  CHECK(facts(Op::read).arrays_written == 0);
  CHECK(stores_from("nontemporal") == Stores::nontemporal);
  CHECK(stores_from("ordinary") == Stores::ordinary);
  CHECK_FALSE(stores_from("temporal").has_value());
}
