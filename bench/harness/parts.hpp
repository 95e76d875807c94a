// What runs at once, taken apart: the rate of each part, and how far the parts overlap.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/harness/definition.hpp"
#include "reports/record/record.hpp"

namespace ridge::bench {

class PartSamples {
 public:
  // After each interval.
  void add(const std::vector<Part>& parts);
  // bandwidth_<part> of each, in B/s: bytes by the median of its seconds.
  [[nodiscard]] std::vector<record::Metric> metrics() const;

 private:
  struct Samples {
    std::int64_t bytes = 0;
    std::vector<double> seconds;
  };
  std::map<std::string, Samples> parts_;
};

// (Σ alone - together) / (Σ alone - longest alone): 0 when the parts took as long together as one after the other, 1
// when all but the longest cost nothing. Noise can take it a little beyond either. Nothing of fewer than two parts.
std::optional<double> overlap_of(double together, const std::vector<double>& alone);

// Gives a record in which `concurrent.parts` ran at once the metric `overlap`, where `records` has each part alone at
// otherwise the same point on the same device, with a median each.
void assign_overlap(record::Record& record, const Concurrent& concurrent, const std::vector<record::Record>& records);

}  // namespace ridge::bench
