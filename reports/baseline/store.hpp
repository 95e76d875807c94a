// A folder of reports, STORE/<machine>/<workload>/<date>-<hash>.json, which several processes may use at once.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reports/compare/run.hpp"

namespace ridge::baseline {

// "amd-epyc-9654-2f6b01c4": readable, and different whenever a field of the identity tier is. Never a path.
std::string machine_key(const record::Machine& machine);

// "run-ci" of `ridge run --suite ci`, the executable's name of a Google Benchmark program. Never a path.
std::string workload_key(const compare::Run& run);
std::string key_of(std::string_view text);  // letters, digits, - and . only, at most 64 of them, none hidden

// Why a run should not become a baseline: "interrupted", "suspect", "oversubscribed", "debug", each with its detail.
struct Objection {
  std::string kind;
  std::string detail;
};
std::vector<Objection> objections(const compare::Run& run);

struct Group {
  std::string machine;
  std::string workload;
  std::vector<std::filesystem::path> files;  // oldest first
};

class Store {
 public:
  explicit Store(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Puts the text of a report where its run belongs, whole or not at all; the same report twice is one file.
  // std::runtime_error when it cannot be written.
  std::filesystem::path save(const std::string& text, const compare::Run& run, const std::string& workload);

  [[nodiscard]] std::vector<Group> list() const;  // sorted by machine and workload; none for a store that is not there
  [[nodiscard]] std::vector<std::filesystem::path> files(const std::string& machine, const std::string& workload) const;

  // Removes all but the newest `keep` of each group; gives what was, or with `dry` would be, removed.
  std::vector<std::filesystem::path> prune(std::size_t keep, bool dry);

 private:
  std::filesystem::path folder_;
};

}  // namespace ridge::baseline
