// Runs timed intervals in a given order through Google Benchmark. All contact with that library is in loop.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ridge::bench {

// One sample of one case: `intervals` calls of `interval`, each giving the seconds it measured, then `done` with what
// the library accounted: seconds per interval. `interval` must not throw.
struct SampleTask {
  std::string name;
  std::int64_t intervals = 1;
  std::function<double()> interval;
  std::function<void(double seconds_per_interval)> done;
};

// In the order given. Before each task `stop` is asked; once it says true the remaining tasks are left out.
void run_in_order(const std::vector<SampleTask>& tasks, const std::function<bool()>& stop);

}  // namespace ridge::bench
