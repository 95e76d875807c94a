// How a benchmark of the family goes through its array: what its cases on the CPU and on a GPU have in common.
#pragma once

#include <cstdint>
#include <memory>

#include "bench/access/points.hpp"

namespace ridge::bench::access {

// Items of a pattern over an array of `elements()` elements of type T; what items are, each walk says.
template <class T>
class Walk {
 public:
  virtual ~Walk() = default;
  [[nodiscard]] virtual std::int64_t elements() const = 0;
  [[nodiscard]] virtual std::int64_t items() const = 0;

  // Items [begin, end), as they are measured on the CPU: the bits that the loads find, and the stores.
  [[nodiscard]] virtual std::uint64_t load(const T* src, std::int64_t begin, std::int64_t end) const = 0;
  virtual void store(T* dst, std::int64_t begin, std::int64_t end) const = 0;

  // The same loads by definition, one by one.
  [[nodiscard]] virtual std::uint64_t expected(const T* src, std::int64_t begin, std::int64_t end) const = 0;
  // How many of the elements [begin, end) do not hold what storing all items leaves in an array of poison.
  [[nodiscard]] virtual std::int64_t wrong(const T* dst, std::int64_t begin, std::int64_t end) const = 0;

 protected:
  Walk() = default;
  Walk(const Walk&) = default;
  Walk& operator=(const Walk&) = default;
};

using Word = std::uint32_t;
using Wide = ridge::access::Wide;

// Items: the elements of a pattern.
template <class T>
std::unique_ptr<Walk<T>> strided(const record::Point& point);
// Items: the rows of a table (items) that names all elements, each once, in a random order. `table` may be null where
// items are only expected and looked for, not walked.
template <class T>
std::unique_ptr<Walk<T>> indexed(const record::Point& point, std::uint64_t seed, const std::uint32_t* table);
// Items: structures.
std::unique_ptr<Walk<Word>> structured(const record::Point& point);
// Items: lines, one element of each.
std::unique_ptr<Walk<Word>> phased(const record::Point& point);

// What a check found: the bits of all items' loads, or the elements that are wrong and whether the guard is untouched.
record::Verification checked_loads(std::int64_t items, std::uint64_t found, std::uint64_t want);
record::Verification checked_stores(std::int64_t elements, std::int64_t wrong, bool inside);

// Calls `with.operator()<T>()` for the type of elements of that many bytes.
template <class With>
auto for_width(std::int64_t width, const With& with) {
  switch (width) {
    case 1:
      return with.template operator()<std::uint8_t>();
    case 2:
      return with.template operator()<std::uint16_t>();
    case 8:
      return with.template operator()<std::uint64_t>();
    case 16:
      return with.template operator()<Wide>();
    default:
      return with.template operator()<Word>();
  }
}
template <class With>
auto for_indexed_width(std::int64_t width, const With& with) {
  switch (width) {
    case 8:
      return with.template operator()<std::uint64_t>();
    case 16:
      return with.template operator()<Wide>();
    default:
      return with.template operator()<Word>();
  }
}

}  // namespace ridge::bench::access
