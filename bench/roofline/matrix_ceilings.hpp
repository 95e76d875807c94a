// How fast products of narrow types were in a run, by what: the ceiling of a type is the best of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/record/record.hpp"

namespace ridge::bench::roofline {

struct MatrixRate {
  double value = 0;  // FLOP/s; OP/s of whole numbers
  std::string by;    // "wgmma", "mma", "the library"; empty for the one instruction that a CPU has
};

// Of one type of the records of roofline.dot_peak and roofline.dot_ops on one device and number of threads.
struct MatrixCeiling {
  std::string dtype;
  bool whole = false;             // of whole numbers
  std::vector<MatrixRate> rates;  // the fastest first, at least one

  // "790 TFLOP/s wgmma"; "800 TFLOP/s by the library (790 TFLOP/s wgmma)" where no instruction was as fast.
  [[nodiscard]] std::string text() const;
};

// Those under which `under` belongs, types in the order of the records. A type that was asked for has a ceiling too
// where no instruction gave a figure but a library did.
std::vector<MatrixCeiling> matrix_ceilings(std::span<const record::Record> records, const record::Record& under);

}  // namespace ridge::bench::roofline
