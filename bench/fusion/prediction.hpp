// What the family's predictions share: times of its records, the bandwidth of the same run, and a gap explained.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "reports/record/report.hpp"

namespace ridge::bench::fusion {

// Of a record of the family that was measured.
std::optional<double> seconds_of(const record::Record& record);
// Of a repetition with warm caches: its time, or in a cold run what it took warm besides.
std::optional<double> warm_seconds_of(const record::Record& record);
// Same device, cache policy and threads.
bool alike(const record::Record& a, const record::Record& b);
// Bytes a second that one step over an array beyond the caches reaches on that record's device and threads.
std::optional<double> memory_bandwidth(std::span<const record::Record> all, const record::Record& record);

// A pass with exponentials takes the longer of its bytes and of all the arithmetic there is, and other passes their
// bytes; a fused kernel, and passes of little arithmetic, take the longer of the two as a whole.
struct Predicted {
  double by_bytes = 0;  // of what overlaps with arithmetic
  double by_arithmetic = 0;
  double besides = 0;  // bytes of passes that do not
  double product = 0;  // what a library's product takes by itself
  [[nodiscard]] double seconds() const { return product + besides + std::max(by_bytes, by_arithmetic); }
};

// Adds bytes_time and, where it is known, arithmetic_time: the two terms; predicted_time and roof_share.
void add_prediction(record::Record& record, const std::optional<Predicted>& predicted);
// Adds speedup, and with both predictions predicted_speedup and share_of_prediction. Where that is off by a tenth or
// more, one line on what explains it: which side is how far from its own roof, and why.
std::optional<record::Finding> add_speedup(record::Record& fused, const std::optional<Predicted>& of_fused,
                                           const record::Record& unfused, const std::optional<Predicted>& of_unfused);
// Bytes that the reference machine counted, second readings included; nothing unless the work is proven.
std::optional<double> counted_bytes(const record::Record& record);
// Bytes that a record's work states, second readings left out.
double stated_bytes(const record::Record& record);
void add_told(record::Record& record, const char* name, double value, record::Unit unit);
// Adds byte_ratio, all bytes counted of the first `unfused` one / those of `fused`, where both are proven, and as
// predicted_speedup, which has no clock to be measured by, the same. Answers that other record, or null.
template <class Unfused>
const record::Record* add_counted_ratio(record::Record& fused, std::span<const record::Record> all,
                                        const Unfused& unfused) {
  const auto bytes = counted_bytes(fused);
  if (!bytes) return nullptr;
  for (const record::Record& other : all)
    if (const auto more = counted_bytes(other); more && unfused(other)) {
      add_told(fused, "byte_ratio", *more / *bytes, record::Unit::ratio);
      add_told(fused, "predicted_speedup", *more / *bytes, record::Unit::ratio);
      return &other;
    }
  return nullptr;
}
// "softmax", "chain of 8", "causal attention of 2048 by 64".
std::string name_of(const record::Record& record);

}  // namespace ridge::bench::fusion
