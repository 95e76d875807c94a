// Gathers, scatters, structures and banks on the CPU against their definitions, whole and in parts.
#include "kernels/access/indexed.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "kernels/access/banks.hpp"
#include "kernels/access/fields.hpp"
#include "kernels/random/order.hpp"

using namespace ridge;
using namespace ridge::access;

namespace {

std::vector<std::uint32_t> table_of(std::int64_t n) {
  const random::Order order(5, n);
  std::vector<std::uint32_t> table;
  for (std::int64_t i = 0; i < n; ++i) table.push_back(static_cast<std::uint32_t>(order.line(i)));
  return table;
}

std::vector<std::uint32_t> filled(std::int64_t n) {
  std::vector<std::uint32_t> array;
  for (std::int64_t i = 0; i < n; ++i) array.push_back(static_cast<std::uint32_t>(word(3, i)));
  return array;
}

}  // namespace

TEST_CASE("a gather finds what its table names, and a scatter puts it there") {
  for (const std::int64_t n : {1, 7, 8, 9, 100}) {
    const auto table = table_of(n);
    const auto src = filled(n);
    std::uint64_t plain = 0;
    for (std::int64_t i = 0; i < n; ++i) plain ^= turned(src[table[static_cast<std::size_t>(i)]], i);
    CHECK(cpu_gather(src.data(), table.data(), 0, n) == plain);
    CHECK((cpu_gather(src.data(), table.data(), 0, n / 3) ^ cpu_gather(src.data(), table.data(), n / 3, n)) == plain);
    auto dst = src;
    cpu_scatter(dst.data(), table.data(), n / 3, n);
    cpu_scatter(dst.data(), table.data(), 0, n / 3);
    for (std::int64_t i = 0; i < n; ++i) CHECK(dst[table[static_cast<std::size_t>(i)]] == pattern<std::uint32_t>(i));
  }
}

TEST_CASE("a gather in another order, or of another element, has other bits") {
  auto table = table_of(1000);
  const auto src = filled(1000);
  const auto whole = cpu_gather(src.data(), table.data(), 0, 1000);
  for (std::size_t i = 0; i + 1 < table.size(); i += 7) {
    std::swap(table[i], table[i + 1]);
    CHECK(cpu_gather(src.data(), table.data(), 0, 1000) != whole);
    std::swap(table[i], table[i + 1]);
  }
  table[500] = table[501];
  CHECK(cpu_gather(src.data(), table.data(), 0, 1000) != whole);
}

TEST_CASE("structures in both layouts are their definition, whole and in parts") {
  for (const std::int64_t items : {1, 2, 3, 10, 33})
    for (const std::int64_t each : {2, 3, 4, 8, 16, 32})
      for (const std::int64_t used : {std::int64_t{1}, each})
        for (const bool together : {true, false}) {
          CAPTURE(items, each, used, together);
          const Fields f{items, together ? each : 1, together ? 1 : items, used};
          const auto src = filled(items * each);
          std::uint64_t plain = 0;
          auto stored = src;
          for (std::int64_t i = 0; i < items; ++i)
            for (std::int64_t field = 0; field < used; ++field) {
              const auto at = static_cast<std::size_t>(i * f.per_item + field * f.per_field);
              plain ^= rotated(spread(src[at], i), turn_of_field(field));
              stored[at] = field_value(i, field);
            }
          CHECK(cpu_load_fields(src.data(), f, 0, items) == plain);
          const std::int64_t cut = items / 3;
          CHECK((cpu_load_fields(src.data(), f, 0, cut) ^ cpu_load_fields(src.data(), f, cut, items)) == plain);
          auto dst = src;
          cpu_store_fields(dst.data(), f, cut, items);
          cpu_store_fields(dst.data(), f, 0, cut);
          CHECK(dst == stored);
        }
}

TEST_CASE("the sum over banks is that of the words that lanes read") {
  std::uint32_t sum = 0;
  for (unsigned thread = 0; thread < bank_threads; ++thread)
    for (std::uint32_t s = 0; s < 5; ++s) sum += bank_word(thread % 32 * 3 + s) * weight_of_thread(thread);
  CHECK(banks_sum(3, 5) == sum);
  std::set<std::uint32_t> sums;
  for (std::int64_t stride = 1; stride <= 128; ++stride) sums.insert(banks_sum(stride, 16));
  CHECK(sums.size() == 128);
  CHECK(wavefronts_per_request(1) == 1);
  CHECK(wavefronts_per_request(33) == 1);
  CHECK(wavefronts_per_request(6) == 2);
  CHECK(wavefronts_per_request(64) == 32);
}
