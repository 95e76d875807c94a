// Records of pairs of devices as matrices: rows from, columns to.
#pragma once

#include <string>
#include <vector>

#include "reports/record/report.hpp"
#include "reports/sinks/grid.hpp"

namespace ridge::sinks {

// One metric of all pairs that otherwise have the same point.
struct PairMatrix {
  std::string title;                            // "size=64 MiB by=engine direction=out: bandwidth in GB/s"
  std::vector<std::string> devices;             // the names of rows and columns
  std::vector<std::vector<std::string>> cells;  // [from][to]; "-" on the diagonal, empty where there is no record

  [[nodiscard]] Grid grid() const;
};

// A benchmark whose records name the other device (the axis `peer`), some measured, taken on two devices at least.
struct Pairs {
  std::string benchmark;  // as it stands in the record
  std::vector<PairMatrix> matrices;
  // What a person has to know about cells without a good number; of many that were not measured, the first.
  std::vector<std::string> remarks;

  [[nodiscard]] std::size_t width() const;
};

std::vector<Pairs> pairs(const record::Report& report);

// Of that benchmark, or null.
const Pairs* find_pairs(const std::vector<Pairs>& all, const std::string& benchmark);

}  // namespace ridge::sinks
