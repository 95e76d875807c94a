// Ridge under mpirun, and what its ranks say, for the tests of ranks that are processes.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/ridge.hpp"

namespace ridge::test {

using Words = std::vector<std::string>;

inline Words joined(Words first, const Words& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

inline bool is_here(const std::string& program) {
  return std::filesystem::exists("/usr/bin/" + program);
}

// As root in a container Open MPI wants to be told that this is meant, and more ranks than cores are to be allowed.
inline Start start() {
  Start start;
  start.environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                       {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                       {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                       {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
                       {"ASAN_OPTIONS", "detect_leaks=0"}};
  static const Folder home;
  start.environment["HOME"] = home.text();
  start.environment["XDG_STATE_HOME"] = home / "state";
  start.limit = 60;
  return start;
}

struct Launcher {
  std::string program;
  std::string library;
};
inline const Launcher open_mpi{"mpirun.openmpi", "Open MPI"};
inline const Launcher mpich{"mpirun.mpich", "MPICH"};

inline Words ranks_of(const Launcher& launcher, int ranks, const Words& arguments) {
  return joined({"/usr/bin/" + launcher.program, "-n", std::to_string(ranks), RIDGE_BINARY}, arguments);
}

inline Words brief(const std::string& operation, const std::string& report) {
  return {operation, "--rounds", "1", "--min-time", "1ms", "--quiet", "--json", report};
}

inline nlohmann::json read(const std::string& file) {
  std::ifstream in(file);
  REQUIRE(in);
  return nlohmann::json::parse(in);
}

// The lines that Ridge wrote to stderr; launchers have much to say besides.
inline std::vector<std::string> said(const Outcome& outcome) {
  std::vector<std::string> lines;
  std::istringstream all(outcome.err);
  for (std::string line; std::getline(all, line);)
    if (line.find("ridge: ") != std::string::npos) lines.push_back(line);
  return lines;
}

// One line, by that rank, in that phase, with that in it.
inline void check_line(const Outcome& outcome, const std::string& rank, const std::string& phase,
                       const std::string& what) {
  INFO(outcome.err);
  const auto lines = said(outcome);
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0], Catch::Contains(": " + rank + ": ") && Catch::Contains(phase) && Catch::Contains(what));
  CHECK_FALSE(outcome.timed_out);
}

}  // namespace ridge::test
