// The ways through an array: by stride, by a table, by structures, by lines.
#include <algorithm>
#include <cstring>

#include "bench/access/walk.hpp"
#include "kernels/access/fields.hpp"
#include "kernels/access/indexed.hpp"
#include "kernels/random/order.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::access {
namespace {

namespace ra = ridge::access;

template <class T>
bool holds(const T& found, const T& wanted) {
  return std::memcmp(&found, &wanted, sizeof(T)) == 0;
}

template <class T>
class Strided final : public Walk<T> {
 public:
  explicit Strided(const record::Point& point)
      : elements_(point.integer("size") / std::int64_t{sizeof(T)}), pattern_(pattern_of(point)) {}
  [[nodiscard]] std::int64_t elements() const override { return elements_; }
  [[nodiscard]] std::int64_t items() const override { return pattern_.count; }
  [[nodiscard]] std::uint64_t load(const T* src, std::int64_t begin, std::int64_t end) const override {
    return ra::cpu_load<T>(src, pattern_, begin, end);
  }
  void store(T* dst, std::int64_t begin, std::int64_t end) const override { ra::cpu_store(dst, pattern_, begin, end); }
  [[nodiscard]] std::uint64_t expected(const T* src, std::int64_t begin, std::int64_t end) const override {
    std::uint64_t bits = 0;
    for (std::int64_t i = begin; i < end; ++i) bits ^= ra::spread(src[pattern_.offset + i * pattern_.stride], i);
    return bits;
  }
  [[nodiscard]] std::int64_t wrong(const T* dst, std::int64_t begin, std::int64_t end) const override {
    std::int64_t wrong = 0;
    std::int64_t next = begin <= pattern_.offset ? 0 : (begin - pattern_.offset - 1) / pattern_.stride + 1;
    for (std::int64_t at = begin; at < end; ++at) {
      const bool mine = next < pattern_.count && at == pattern_.offset + next * pattern_.stride;
      const bool right = mine ? holds(dst[at], ra::pattern<T>(next)) : stream::untouched(dst + at, sizeof(T));
      next += mine ? 1 : 0;
      wrong += right ? 0 : 1;
    }
    return wrong;
  }

 private:
  std::int64_t elements_;
  Pattern pattern_;
};

template <class T>
class Indexed final : public Walk<T> {
 public:
  Indexed(const record::Point& point, std::uint64_t seed, const std::uint32_t* table)
      : elements_(elements_of(point)), order_(seed, elements_), table_(table) {}
  [[nodiscard]] std::int64_t elements() const override { return elements_; }
  [[nodiscard]] std::int64_t items() const override { return elements_; }
  [[nodiscard]] std::uint64_t load(const T* src, std::int64_t begin, std::int64_t end) const override {
    return ra::cpu_gather(src, table_, begin, end);
  }
  void store(T* dst, std::int64_t begin, std::int64_t end) const override { ra::cpu_scatter(dst, table_, begin, end); }
  // From the order, not from the table: a wrong table shows as well.
  [[nodiscard]] std::uint64_t expected(const T* src, std::int64_t begin, std::int64_t end) const override {
    std::uint64_t bits = 0;
    for (std::int64_t i = begin; i < end; ++i) bits ^= ra::turned(src[order_.line(i)], i);
    return bits;
  }
  [[nodiscard]] std::int64_t wrong(const T* dst, std::int64_t begin, std::int64_t end) const override {
    std::int64_t wrong = 0;
    for (std::int64_t at = begin; at < end; ++at) wrong += holds(dst[at], ra::pattern<T>(order_.position(at))) ? 0 : 1;
    return wrong;
  }

 private:
  std::int64_t elements_;
  random::Order order_;
  const std::uint32_t* table_;
};

class Structured final : public Walk<Word> {
 public:
  explicit Structured(const record::Point& point)
      : elements_(point.integer("size") / std::int64_t{sizeof(Word)}), fields_(fields_of(point)) {}
  [[nodiscard]] std::int64_t elements() const override { return elements_; }
  [[nodiscard]] std::int64_t items() const override { return fields_.items; }
  [[nodiscard]] std::uint64_t load(const Word* src, std::int64_t begin, std::int64_t end) const override {
    return ra::cpu_load_fields(src, fields_, begin, end);
  }
  void store(Word* dst, std::int64_t begin, std::int64_t end) const override {
    ra::cpu_store_fields(dst, fields_, begin, end);
  }
  [[nodiscard]] std::uint64_t expected(const Word* src, std::int64_t begin, std::int64_t end) const override {
    std::uint64_t bits = 0;
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t f = 0; f < fields_.used; ++f)
        bits ^= ra::rotated(ra::spread(src[i * fields_.per_item + f * fields_.per_field], i), ra::turn_of_field(f));
    return bits;
  }
  [[nodiscard]] std::int64_t wrong(const Word* dst, std::int64_t begin, std::int64_t end) const override {
    const bool together = fields_.per_item > 1;  // the fields of an item
    const std::int64_t outer = together ? fields_.per_item : fields_.per_field;
    std::int64_t wrong = 0;
    for (std::int64_t at = begin; at < end; ++at) {
      const std::int64_t item = together ? at / outer : at % outer;
      const std::int64_t field = together ? at % outer : at / outer;
      const bool mine = item < fields_.items && field < fields_.used;
      wrong += (mine ? dst[at] == ra::field_value(item, field) : stream::untouched(dst + at, sizeof(Word))) ? 0 : 1;
    }
    return wrong;
  }

 private:
  std::int64_t elements_;
  ra::Fields fields_;
};

// Items from several phases are one stretch of each.
class Phased final : public Walk<Word> {
 public:
  explicit Phased(const record::Point& point)
      : elements_(point.integer("size") / std::int64_t{sizeof(Word)}), phases_(phases_of(point)) {}
  [[nodiscard]] std::int64_t elements() const override { return elements_; }
  [[nodiscard]] std::int64_t items() const override { return phases_.lines; }
  [[nodiscard]] std::uint64_t load(const Word* src, std::int64_t begin, std::int64_t end) const override {
    std::uint64_t bits = 0;
    stretches(begin, end,
              [&](const Pattern& p, std::int64_t from, std::int64_t to) { bits ^= ra::cpu_load(src, p, from, to); });
    return bits;
  }
  void store(Word* dst, std::int64_t begin, std::int64_t end) const override {
    stretches(begin, end,
              [&](const Pattern& p, std::int64_t from, std::int64_t to) { ra::cpu_store(dst, p, from, to); });
  }
  [[nodiscard]] std::uint64_t expected(const Word* src, std::int64_t begin, std::int64_t end) const override {
    std::uint64_t bits = 0;
    for (std::int64_t phase = 0, item = 0; phase < phases_.distance; ++phase)
      for (std::int64_t line = phase, i = 0; line < phases_.lines; line += phases_.distance, ++i, ++item)
        if (item >= begin && item < end) bits ^= ra::spread(src[line * words], i);
    return bits;
  }
  [[nodiscard]] std::int64_t wrong(const Word* dst, std::int64_t begin, std::int64_t end) const override {
    std::int64_t wrong = 0;
    for (std::int64_t at = begin; at < end; ++at) {
      const std::int64_t line = at / words;
      const bool mine = at % words == 0 && line < phases_.lines;
      wrong +=
          (mine ? dst[at] == ra::pattern<Word>(line / phases_.distance) : stream::untouched(dst + at, sizeof(Word)))
              ? 0
              : 1;
    }
    return wrong;
  }

 private:
  static constexpr std::int64_t words = 16;  // of a line

  // Calls `of` for the items [begin, end), phase by phase: the phase's pattern and which of its elements.
  template <class Of>
  void stretches(std::int64_t begin, std::int64_t end, const Of& of) const {
    for (std::int64_t phase = 0; phase < phases_.distance; ++phase) {
      const std::int64_t first = phases_.begin_of(phase);
      const std::int64_t from = std::max(begin, first), to = std::min(end, phases_.begin_of(phase + 1));
      if (from < to) of(phases_.pattern_of(phase), from - first, to - first);
    }
  }

  std::int64_t elements_;
  Phases phases_;
};

}  // namespace

template <class T>
std::unique_ptr<Walk<T>> strided(const record::Point& point) {
  return std::make_unique<Strided<T>>(point);
}
template <class T>
std::unique_ptr<Walk<T>> indexed(const record::Point& point, std::uint64_t seed, const std::uint32_t* table) {
  return std::make_unique<Indexed<T>>(point, seed, table);
}
std::unique_ptr<Walk<Word>> structured(const record::Point& point) {
  return std::make_unique<Structured>(point);
}
std::unique_ptr<Walk<Word>> phased(const record::Point& point) {
  return std::make_unique<Phased>(point);
}

template std::unique_ptr<Walk<std::uint8_t>> strided(const record::Point&);
template std::unique_ptr<Walk<std::uint16_t>> strided(const record::Point&);
template std::unique_ptr<Walk<Word>> strided(const record::Point&);
template std::unique_ptr<Walk<std::uint64_t>> strided(const record::Point&);
template std::unique_ptr<Walk<Wide>> strided(const record::Point&);
template std::unique_ptr<Walk<Word>> indexed(const record::Point&, std::uint64_t, const std::uint32_t*);
template std::unique_ptr<Walk<std::uint64_t>> indexed(const record::Point&, std::uint64_t, const std::uint32_t*);
template std::unique_ptr<Walk<Wide>> indexed(const record::Point&, std::uint64_t, const std::uint32_t*);

}  // namespace ridge::bench::access
