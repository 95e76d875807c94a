// The roofline model (S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful visual performance model for
// multicore architectures", CACM 52, 2009) on ceilings that the same run measured.
//
//   attainable FLOP/s = min(peak, bandwidth · intensity)      ridge point = peak / bandwidth, FLOP/B
//
// Which bandwidth: the memory level that the kernel's data sits in, and of that the ceiling of like traffic, for memory
// that only reads is another than memory that also writes.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "reports/record/record.hpp"

namespace ridge::bench::roofline {

enum class Traffic { reading, mixed };

// mixed where a twentieth or more of the bytes are written.
Traffic traffic_of(const record::Work& work);

// FLOP/B; nothing where either is not stated or there are no bytes.
std::optional<double> intensity_of(const record::Work& work);

double attainable(double peak, double bandwidth, double intensity);
double ridge_point(double peak, double bandwidth);

struct Ceiling {
  double value = 0;    // FLOP/s or B/s
  std::string source;  // the benchmark that reached it
};

// The best that `ok` records of one device, thread count and cache policy reached: peaks by type, bandwidths by level
// and traffic. Only kernels that each byte passes once are ceilings of bandwidth: those of the bandwidth family, and
// gemv, which then stands at its own roof.
class Ceilings {
 public:
  // Those under which `under` belongs.
  static Ceilings of(std::span<const record::Record> records, const record::Record& under);

  [[nodiscard]] std::optional<Ceiling> peak(const std::string& dtype) const;
  [[nodiscard]] std::optional<Ceiling> bandwidth(const std::string& level, Traffic traffic) const;

 private:
  void raise(std::map<std::string, Ceiling>& ceilings, const std::string& key, double value, const std::string& source);

  std::map<std::string, Ceiling> peaks_;
  std::map<std::string, Ceiling> bandwidths_;
};

// What a record could reach under these ceilings, with both terms in words; nothing where one is missing.
struct Roof {
  double flops = 0;
  double intensity = 0;
  bool memory_bound = false;
  std::string source;
};
std::optional<Roof> roof_of(const record::Record& record, const Ceilings& ceilings);

// Share of the roof that a concluded record reached, 1 for all of it.
std::optional<double> share_of(const record::Record& record);

}  // namespace ridge::bench::roofline
