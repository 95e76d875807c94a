// The options that every measuring command shares, and those that follow from the axes of its benchmarks.
#pragma once

#include <CLI/CLI.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/harness/registry.hpp"
#include "bench/harness/settings.hpp"
#include "bench/harness/suite.hpp"

namespace ridge::cmd {

struct MeasureOptions {
  std::string device = "auto";
  std::string json;              // a path, "-" for stdout, empty for none
  std::string format = "table";  // table, json, csv, markdown
  std::string rounds;
  std::string min_time;
  std::string seed;
  std::string fill = "random";
  std::string cache = "warm";
  std::string timeout;
  bool dry_run = false;
  bool quiet = false;
  std::map<std::string, std::string> axes;  // as typed; only those that were given
};

void add_measure_options(CLI::App& command, MeasureOptions& options);

// One option per axis of these definitions, named and explained as the axis is; --elements where there is a size.
void add_axis_options(CLI::App& command, const std::vector<const bench::Definition*>& definitions,
                      MeasureOptions& options);

// What a suite says of rounds and time, over the defaults.
bench::Settings settings_of(const bench::Suite& suite);

// What the options say over what `defaults` hold. UsageError names the option.
bench::Settings settings_of(const MeasureOptions& options, bench::Settings defaults);

}  // namespace ridge::cmd
