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
  [[nodiscard]] double seconds() const { return besides + std::max(by_bytes, by_arithmetic); }
};

// Adds predicted_time and roof_share.
void add_prediction(record::Record& record, const std::optional<Predicted>& predicted);
// Adds speedup, and with both predictions predicted_speedup. Where the first stays well behind the second, one line on
// what explains it: which side is how far from its own roof, and by what.
std::optional<record::Finding> add_speedup(record::Record& fused, const std::optional<Predicted>& of_fused,
                                           const record::Record& unfused, const std::optional<Predicted>& of_unfused);
// Bytes that the reference machine counted, second readings included; nothing unless the work is proven.
std::optional<double> counted_bytes(const record::Record& record);
// Adds predicted_speedup = counted bytes of the first `unfused` one / those of `fused`, where both are proven.
template <class Unfused>
void add_counted_ratio(record::Record& fused, std::span<const record::Record> all, const Unfused& unfused) {
  const auto bytes = counted_bytes(fused);
  if (!bytes) return;
  for (const record::Record& other : all)
    if (const auto more = counted_bytes(other); more && unfused(other)) {
      fused.metrics.push_back(
          {"predicted_speedup", *more / *bytes, record::Unit::ratio, record::Better::neither, {}, {}});
      return;
    }
}
// "softmax", "chain of 8", "causal attention of 2048".
std::string name_of(const record::Record& record);

}  // namespace ridge::bench::fusion
