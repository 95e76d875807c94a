// Joined arrays against a plain loop: every operation and type, in place and not, and nothing beyond the range.
#include "kernels/reduce/combine.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <vector>

#include "kernels/formats/formats.hpp"

using namespace ridge::reduce;

namespace {

template <class T>
T join(Op op, T a, T b) {
  return op == Op::sum ? static_cast<T>(a + b) : op == Op::max ? std::max(a, b) : std::min(a, b);
}

template <class T>
void check(Rule rule, std::int64_t count, std::size_t sources, std::size_t targets, bool in_place) {
  CAPTURE(static_cast<int>(rule.op), static_cast<int>(rule.type), rule.past_caches, count, sources, targets, in_place);
  const std::int64_t begin = count / 3;
  std::vector<std::vector<T>> in(sources);
  for (std::size_t s = 0; s < sources; ++s)
    for (std::int64_t i = 0; i < count + 8; ++i)
      in[s].push_back(static_cast<T>((i * 7 + static_cast<std::int64_t>(s) * 13) % 101 - 50));
  std::vector<std::vector<T>> out(targets, std::vector<T>(static_cast<std::size_t>(count) + 8, T{99}));
  std::vector<T> want(static_cast<std::size_t>(count) + 8);
  for (std::size_t i = 0; i < want.size(); ++i) {
    want[i] = in[0][i];
    for (std::size_t s = 1; s < sources; ++s) want[i] = join(rule.op, want[i], in[s][i]);
  }
  const auto before = in[0];
  std::vector<const void*> from;
  for (const auto& array : in) from.push_back(array.data());
  std::vector<void*> to;
  for (auto& array : out) to.push_back(array.data());
  if (in_place) to[0] = in[0].data();
  combine(rule, from, to, begin, count);
  for (std::size_t t = 0; t < targets; ++t) {
    const auto* const found = static_cast<const T*>(to[t]);
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < count + 8; ++i) {
      const bool mine = i >= begin && i < count;
      const T untouched = t == 0 && in_place ? before[static_cast<std::size_t>(i)] : T{99};
      wrong += found[i] == (mine ? want[static_cast<std::size_t>(i)] : untouched) ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("arrays are joined as a plain loop joins them, and nothing else is touched") {
  for (const Op op : {Op::sum, Op::max, Op::min})
    for (const bool past_caches : {false, true})
      for (const std::int64_t count : {0, 1, 7, 33, 1000})
        for (const std::size_t sources : {1U, 2U, 5U})
          for (const std::size_t targets : {1U, 3U})
            for (const bool in_place : {false, true}) {
              check<float>({op, Type::f32, past_caches}, count, sources, targets, in_place);
              check<double>({op, Type::f64, past_caches}, count, sources, targets, in_place);
              check<std::int32_t>({op, Type::i32, past_caches}, count, sources, targets, in_place);
            }
}

namespace {

// Against values in double, rounded once by the definition of the format.
void check_narrow(Op op, Type type, std::int64_t count, std::size_t sources, bool past_caches) {
  CAPTURE(static_cast<int>(op), static_cast<int>(type), count, sources, past_caches);
  const ridge::formats::Format format = type == Type::f16 ? ridge::formats::f16 : ridge::formats::bf16;
  constexpr std::uint16_t untouched = 0x1234;
  std::vector<std::vector<std::uint16_t>> in(sources);
  for (std::size_t s = 0; s < sources; ++s)
    for (std::int64_t i = 0; i < count + 4; ++i)
      in[s].push_back(static_cast<std::uint16_t>(ridge::formats::encode(
          static_cast<double>((i * 37 + static_cast<std::int64_t>(s) * 101) % 199 - 99) / 8, format)));
  std::vector<std::vector<std::uint16_t>> out(
      2, std::vector<std::uint16_t>(static_cast<std::size_t>(count) + 4, untouched));
  std::vector<const void*> from;
  for (const auto& array : in) from.push_back(array.data());
  std::vector<void*> to{out[0].data(), out[1].data()};
  const std::int64_t begin = count / 3;
  combine({op, type, past_caches}, from, to, begin, count);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < count + 4; ++i) {
    const auto at = static_cast<std::size_t>(i);
    double want = ridge::formats::decode(in[0][at], format);
    for (std::size_t s = 1; s < sources; ++s) want = join(op, want, ridge::formats::decode(in[s][at], format));
    const auto code = i >= begin && i < count ? ridge::formats::encode(want, format) : untouched;
    // A sum of 0 has either sign, as the order has it.
    for (const auto& array : out) wrong += array[at] == code || (want == 0 && (array[at] & 0x7FFF) == 0) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("sixteen-bit formats are joined in f32 and rounded once") {
  for (const Type type : {Type::f16, Type::bf16})
    for (const Op op : {Op::sum, Op::max, Op::min})
      for (const std::int64_t count : {0, 1, 7, 33, 1000})
        for (const std::size_t sources : {1U, 2U, 5U})
          for (const bool past_caches : {false, true}) check_narrow(op, type, count, sources, past_caches);
}

TEST_CASE("a sixteen-bit NaN stays one, and too large a sum is infinite") {
  for (const Type type : {Type::f16, Type::bf16}) {
    const ridge::formats::Format format = type == Type::f16 ? ridge::formats::f16 : ridge::formats::bf16;
    const auto largest = static_cast<std::uint16_t>(ridge::formats::encode(format.largest(), format));
    const std::uint16_t nan = 0x7FFF;
    const std::uint16_t a[]{nan, largest};
    const std::uint16_t b[]{largest, largest};
    std::uint16_t sum[2] = {};
    const void* from[]{a, b};
    void* to[]{sum};
    combine({Op::sum, type}, from, to, 0, 2);
    CHECK(std::isnan(ridge::formats::decode(sum[0], format)));
    CHECK(std::isinf(ridge::formats::decode(sum[1], format)));
  }
}

TEST_CASE("eight-bit formats are joined in f32 and rounded once, every code with every other") {
  for (const Type type : {Type::e4m3, Type::e5m2}) {
    const ridge::formats::Format format = type == Type::e4m3 ? ridge::formats::e4m3 : ridge::formats::e5m2;
    std::vector<std::uint8_t> a, b;
    for (int x = 0; x < 256; ++x)
      for (int y = 0; y < 256; ++y)
        a.push_back(static_cast<std::uint8_t>(x)), b.push_back(static_cast<std::uint8_t>(y));
    const auto count = static_cast<std::int64_t>(a.size());
    const void* from[]{a.data(), b.data()};
    for (const Op op : {Op::sum, Op::max, Op::min}) {
      std::vector<std::uint8_t> result(a.size() + 1, 0x55), same(a.size() + 1, 0x55);
      void* to[]{result.data(), same.data()};
      combine({op, type}, from, to, 1, count);
      std::int64_t wrong = result[0] == 0x55 && result.back() == 0x55 && result == same ? 0 : 1;
      for (std::size_t i = 1; i < a.size(); ++i) {
        const double x = ridge::formats::decode(a[i], format), y = ridge::formats::decode(b[i], format);
        if (std::isnan(x) || std::isnan(y)) {
          if (op == Op::sum) wrong += std::isnan(ridge::formats::decode(result[i], format)) ? 0 : 1;
          continue;
        }
        const double want = op == Op::sum ? ridge::formats::rounded(x + y, format) : join(op, x, y);
        const double got = ridge::formats::decode(result[i], format);
        // A format without infinity has NaN there.
        const bool beyond = std::isinf(want) || std::isnan(want);
        wrong += beyond ? (std::isfinite(got) ? 1 : 0) : got == want ? 0 : 1;
      }
      CAPTURE(static_cast<int>(type), static_cast<int>(op));
      CHECK(wrong == 0);
    }
    std::vector<std::uint8_t> copy(a.size());
    void* to[]{copy.data()};
    combine({Op::sum, type}, {from, 1}, to, 0, count);
    CHECK(copy == a);
  }
}

TEST_CASE("operations and types have the names that options take") {
  CHECK(op_from("max") == Op::max);
  CHECK(type_from("int32") == Type::i32);
  CHECK_FALSE(op_from("prod"));
  CHECK(type_from("bf16") == Type::bf16);
  CHECK(type_from("e4m3") == Type::e4m3);
  CHECK(type_from("e5m2") == Type::e5m2);
  CHECK_FALSE(type_from("e2m1"));
  CHECK(bytes_of(Type::e5m2) == 1);
  CHECK(bytes_of(Type::f64) == 8);
  CHECK(bytes_of(Type::f16) == 2);
}

TEST_CASE("sixteen-bit arrays that begin between two 32-bit places are copied past the caches as others are") {
  constexpr std::int64_t count = 4099;
  for (const std::int64_t from : {0, 1})
    for (const std::int64_t to : {0, 1}) {
      CAPTURE(from, to);
      std::vector<std::uint16_t> source(count + 2), target(count + 2, 0xFFFF);
      for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::uint16_t>(i);
      const void* const sources[] = {source.data() + from};
      void* const targets[] = {target.data() + to};
      combine({Op::sum, Type::f16, true}, sources, targets, 0, count);
      CHECK(std::equal(source.begin() + from, source.begin() + from + count, target.begin() + to));
      CHECK(target[static_cast<std::size_t>(to + count)] == 0xFFFF);
    }
}
