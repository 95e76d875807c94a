// Suites: named requests with settings, kept as data in bench/suites/*.toml.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/harness/plan.hpp"

namespace ridge::bench {

struct Suite {
  std::string name;
  std::string description;
  int rounds = 5;
  double min_time = 0.02;  // seconds
  std::vector<Request> requests;
};

// Reads a suite's TOML: description, rounds, min_time, and [[request]] tables whose keys besides `benchmarks` and `on`
// are axes.
// UsageError with the line for anything else.
Suite parse_suite(const std::string& name, std::string_view toml);

// Name → TOML.
using SuiteSources = std::vector<std::pair<std::string, std::string_view>>;

// UsageError with the names there are.
Suite find_suite(const std::string& name, const SuiteSources& sources);

// The suites of this binary. Written by CMake from bench/suites/, as make_registry is from the folders.
SuiteSources suite_sources();

}  // namespace ridge::bench
