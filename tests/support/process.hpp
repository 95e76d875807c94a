// Runs a program as a user would and keeps all that it said.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ridge::test {

struct Start {
  std::map<std::string, std::string>
      environment;  // added to (or, with empty_environment, instead of) this process's own
  bool empty_environment = false;
  std::string folder;                   // working folder; empty: this one
  std::optional<std::string> out_path;  // stdout goes to this file instead of being kept
  bool close_out = false;               // stdout is closed
  std::function<void()> in_child;       // before exec: affinity, limits
  int signal = 0;                       // sent to it once `signal_after` has passed
  double signal_after = 0;              // seconds
  bool twice = false;                   // the signal, a few milliseconds apart, as `timeout` and launchers do
  double limit = 120;                   // seconds; then it is killed and `timed_out` is set
};

struct Outcome {
  int status = -1;  // exit status; 128 + n when signal n ended it
  std::string out;
  std::string err;
  bool timed_out = false;
};

Outcome run(const std::vector<std::string>& arguments, const Start& start = {});

}  // namespace ridge::test
