// Structures on a CPU. A field at a time where fields lie apart; where a whole structure is used, its fields at once,
// by code that knows how many they are: that is what a compiler makes of a structure.
#include "kernels/access/fields.hpp"

namespace ridge::access {
namespace {

template <int count>
std::uint64_t load_whole(const std::uint32_t* src, std::int64_t begin, std::int64_t end) {
  std::uint32_t bits[2][count] = {};  // of even and of odd items: spread() puts them at two places
  std::int64_t i = begin;
  if (i < end && i % 2 != 0) {
    for (int f = 0; f < count; ++f) bits[1][f] ^= src[i * count + f];
    ++i;
  }
  for (; i + 2 <= end; i += 2)
    for (int place = 0; place < 2; ++place)
      for (int f = 0; f < count; ++f) bits[place][f] ^= src[(i + place) * count + f];
  for (int f = 0; i < end && f < count; ++f) bits[0][f] ^= src[i * count + f];
  std::uint64_t all = 0;
  for (int f = 0; f < count; ++f) all ^= rotated(spread(bits[0][f], 0) ^ spread(bits[1][f], 1), turn_of_field(f));
  return all;
}

template <int count>
void store_whole(std::uint32_t* dst, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i)
    for (int f = 0; f < count; ++f) dst[i * count + f] = field_value(i, f);
}

// Calls `known` with the number of fields as a constant; false where the fields are not those of whole structures.
template <class Known>
bool as_whole(const Fields& fields, const Known& known) {
  if (fields.per_field != 1 || fields.used != fields.per_item) return false;
  switch (fields.used) {
    case 2:
      known.template operator()<2>();
      return true;
    case 4:
      known.template operator()<4>();
      return true;
    case 8:
      known.template operator()<8>();
      return true;
    case 16:
      known.template operator()<16>();
      return true;
    case 32:
      known.template operator()<32>();
      return true;
    default:
      return false;
  }
}

}  // namespace

std::uint64_t cpu_load_fields(const std::uint32_t* src, const Fields& fields, std::int64_t begin, std::int64_t end) {
  std::uint64_t all = 0;
  if (as_whole(fields, [&]<int count>() { all = load_whole<count>(src, begin, end); })) return all;
  for (std::int64_t f = 0; f < fields.used; ++f) {
    const Pattern one{f * fields.per_field, fields.per_item, fields.items};
    all ^= rotated(cpu_load(src, one, begin, end), turn_of_field(f));
  }
  return all;
}

void cpu_store_fields(std::uint32_t* dst, const Fields& fields, std::int64_t begin, std::int64_t end) {
  if (as_whole(fields, [&]<int count>() { store_whole<count>(dst, begin, end); })) return;
  for (std::int64_t f = 0; f < fields.used; ++f) {
    std::uint32_t* at = dst + f * fields.per_field + begin * fields.per_item;
    for (std::int64_t i = begin; i < end; ++i, at += fields.per_item) *at = field_value(i, f);
  }
}

}  // namespace ridge::access
