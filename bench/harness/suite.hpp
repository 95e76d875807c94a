// Suites: named requests with settings, kept as data in bench/suites/*.toml or in a file of the user's.
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

// What of the suite measures `wanted`, names or patterns as a request's: requests keep their axes and lose all other
// benchmarks. UsageError when nothing is left, or for a name that is none.
Suite part_of(const Suite& suite, const Registry& registry, const std::vector<std::string>& wanted);

// Name → TOML.
using SuiteSources = std::vector<std::pair<std::string, std::string_view>>;

// The suite of that name, or, of a name with a slash or the ending .toml, the one in that file.
// UsageError with the names there are, or with what the file cannot be read for.
Suite find_suite(const std::string& name, const SuiteSources& sources);

// The suites of this binary. Written by CMake from bench/suites/, as make_registry is from the folders.
SuiteSources suite_sources();

}  // namespace ridge::bench
