// How the command-line tests start Ridge: a home of its own, so that no test sees another's stored reports.
#pragma once

#include <sched.h>

#include "tests/support/folder.hpp"
#include "tests/support/process.hpp"

namespace ridge::test {

inline Outcome invoke(std::vector<std::string> arguments, Start start = {}) {
  static const Folder home;
  start.environment.try_emplace("HOME", home.text());
  start.environment.try_emplace("XDG_STATE_HOME", home / "state");
  arguments.insert(arguments.begin(), RIDGE_BINARY);
  return run(arguments, start);
}

// A run of well under a second.
inline std::vector<std::string> quick(std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"bandwidth", "triad",    "--device", "cpu",        "--size",
                                     "64Ki",      "--rounds", "2",        "--min-time", "1ms"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

// With one core to use.
inline Start on_one_core() {
  Start start;
  start.in_child = [] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
  };
  return start;
}

}  // namespace ridge::test
