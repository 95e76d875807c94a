// One process' results as the gate sees them, whichever tool wrote them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/machine.hpp"
#include "reports/record/status.hpp"
#include "reports/record/unit.hpp"

namespace ridge::compare {

struct Observed {
  std::string metric;           // "bandwidth", "real_time"
  std::optional<double> value;  // in `unit`
  std::string unit;             // "B/s"; other spellings are converted where they can be
  record::Better better = record::Better::neither;
  std::optional<double> peak;  // in `unit`
};

struct Case {
  std::string id;  // of the record: "bandwidth.triad size=… on cpu"
  std::int64_t workload_version = 1;
  record::Status status = record::Status::ok;
  record::Failure failure = record::Failure::none;
  std::string reason;
  std::vector<Observed> metrics;
  std::optional<double> spread;  // within the run: relative standard deviation of the samples
  std::string reproduce;         // a command line that measures this case alone; empty when there is none
};

struct Run {
  std::string source;   // the file
  std::string schema;   // "ridge-report 1", "google-benchmark"
  std::string started;  // RFC 3339
  std::string tool;     // "ridge 0.1.0 (abc123)"
  std::string build_type;
  std::string command;
  bool interrupted = false;
  std::vector<std::string> warnings;  // findings that make the whole run doubtful: code and message
  record::Machine machine;
  std::vector<Case> cases;
};

}  // namespace ridge::compare
