// What a case may tell besides its time: figures that it computes itself, and how a long run ended.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/harness/conditions.hpp"
#include "reports/record/record.hpp"

namespace ridge::bench {

// For the metric of that name, whose rule the work gives no rate for. A value that is no finite number is absent.
struct Figure {
  std::string name;
  double value = 0;
};

// A Case that has such figures is one of these as well. Asked once, after verifying; where the case's stream has no
// clock they are its only metrics.
class TellsFigures {
 public:
  virtual ~TellsFigures() = default;
  [[nodiscard]] virtual std::vector<Figure> figures() = 0;

 protected:
  TellsFigures() = default;
  TellsFigures(const TellsFigures&) = default;
  TellsFigures& operator=(const TellsFigures&) = default;
};

// std::logic_error for a figure that no rule declares.
void assign_figures(std::vector<record::Metric>& metrics, std::span<const Figure> figures);

// Of a record whose samples are a second or longer, at least twenty of them in the order of time: what the first second
// gave, the last ten, and which share of the first lasted; beside them clock and power as far as they were told at the
// samples' ends, of the last ten their median. Others stay as they are.
void assign_sustained(record::Record& record, std::span<const Moment> moments);

}  // namespace ridge::bench
