// The report: records with the machine they were taken on, and what a person should know about them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/machine.hpp"
#include "reports/record/record.hpp"

namespace ridge::record {

inline constexpr const char* schema_name = "ridge-report";
inline constexpr int schema_major = 1;
inline constexpr int schema_minor = 0;

struct Tool {
  std::string name = "ridge";
  std::string version;
  std::string commit;
  std::string build_type;
  std::string compiler;
  std::vector<std::string> architectures;  // of the embedded GPU code; empty without
};

enum class Severity { note, warning, problem };
std::string_view to_string(Severity severity);
std::optional<Severity> severity_from(std::string_view text);

// Something the tool noticed and a person should know: throttled, narrow link, non-Release build.
struct Finding {
  std::string code;  // stable, kebab-case: "cgroup-throttled"
  Severity severity = Severity::note;
  std::string message;
  std::vector<std::string> records;  // identities of the records it is about; empty: the whole run
};

// Of one rank in the collective of one record: medians, in seconds, over passages apart from the samples.
struct RankTimes {
  std::string record;             // its identity
  std::optional<double> arrival;  // after the first rank; absent where ranks have no clock in common
  std::optional<double> finish;   // likewise
  double waited = 0;              // for others; between processes the time inside of the call, which has it in it
  double awaited = 0;             // by how much less than the rank that waited longest
  bool late = false;              // the others wait for it
};

// One process, or thread, of several that measured together.
struct Rank {
  int rank = 0;
  std::string host;
  std::int64_t pid = 0;
  std::optional<std::int64_t> cpu;  // the one it was bound to; absent where it may move
  std::vector<RankTimes> times = {};
  std::optional<std::string> gpu = {};  // "cuda:1 (GPU-…)", where it is one
};

struct Report {
  Tool tool;
  std::string command;  // as typed, quoted for a shell
  std::string started;  // RFC 3339, UTC
  double duration = 0;  // seconds, steady clock
  std::uint64_t seed = 0;
  bool interrupted = false;
  Machine machine;          // of rank 0, where there are several
  std::vector<Rank> ranks;  // empty where nothing was measured between several
  std::vector<Record> records;
  std::vector<Finding> findings;
};

// The exit status that a measuring command ends with: 1 where an answer was wrong, else 4 where a measurement failed or
// was not reached, else 5 where nothing was measured, else 0. A signal is the command's to add, through `strongest`.
Exit exit_of(const Report& report);

}  // namespace ridge::record
