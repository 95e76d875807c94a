// The patterns on a CPU against the plain definition, whole and in parts.
#include "kernels/access/access.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <vector>

using namespace ridge::access;

namespace {

template <class T>
std::vector<T> filled(std::size_t count) {
  std::vector<T> array(count);
  auto* bytes = reinterpret_cast<unsigned char*>(array.data());
  for (std::size_t i = 0; i < count * sizeof(T); ++i)
    bytes[i] = static_cast<unsigned char>(word(3, static_cast<std::int64_t>(i)));
  return array;
}

template <class T>
void check(std::int64_t count, std::int64_t stride, std::int64_t offset) {
  CAPTURE(sizeof(T), count, stride, offset);
  const Pattern p{offset, stride, count};
  const auto src = filled<T>(static_cast<std::size_t>(offset + (count - 1) * stride + 1));
  std::uint64_t plain = 0;
  for (std::int64_t i = 0; i < count; ++i) plain ^= spread(src[static_cast<std::size_t>(offset + i * stride)], i);
  CHECK(cpu_load(src.data(), p, 0, count) == plain);
  CHECK((cpu_load(src.data(), p, 0, count / 3) ^ cpu_load(src.data(), p, count / 3, count)) == plain);
  std::vector<T> dst(src.size() + 1);
  std::memset(static_cast<void*>(dst.data()), 0xEE, dst.size() * sizeof(T));
  const auto before = dst;
  cpu_store(dst.data(), p, count / 3, count);
  cpu_store(dst.data(), p, 0, count / 3);
  std::int64_t wrong = 0;
  for (std::size_t at = 0; at < dst.size(); ++at) {
    const std::int64_t past = static_cast<std::int64_t>(at) - offset;
    const bool mine = past >= 0 && past % stride == 0 && past / stride < count;
    const T want = mine ? pattern<T>(past / stride) : before[at];
    wrong += std::memcmp(&dst[at], &want, sizeof(T)) == 0 ? 0 : 1;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("patterns touch their elements and no other") {
  for (const std::int64_t count : {1, 7, 8, 9, 100, 1000})
    for (const std::int64_t stride : {1, 2, 3, 64})
      for (const std::int64_t offset : {0, 1, 31}) {
        check<std::uint8_t>(count, stride, offset);
        check<std::uint16_t>(count, stride, offset);
        check<std::uint32_t>(count, stride, offset);
        check<std::uint64_t>(count, stride, offset);
        check<Wide>(count, stride, offset);
      }
}

TEST_CASE("a load that misses, doubles or shifts an element has other bits") {
  const auto src = filled<std::uint8_t>(1000);
  const auto whole = cpu_load(src.data(), {0, 1, 900}, 0, 900);
  CHECK(cpu_load(src.data(), {0, 1, 900}, 0, 899) != whole);
  CHECK(cpu_load(src.data(), {0, 1, 900}, 1, 900) != whole);
  CHECK(cpu_load(src.data(), {1, 1, 900}, 0, 900) != whole);
  CHECK((whole ^ cpu_load(src.data(), {0, 1, 900}, 5, 6)) != whole);
}
