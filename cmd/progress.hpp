// The progress line on stderr: what is measured now, how far the run is, and how long it will still take.
#pragma once

#include <chrono>
#include <string>

#include "bench/harness/engine.hpp"

namespace ridge::cmd {

// The line for `done` of `planned` samples after `seconds`, cut to `width` columns; no time left is guessed before 1 in
// 20 is done.
std::string progress_line(const std::string& what, std::size_t done, std::size_t planned, double seconds, int width);

// Redraws at most ten times a second, only where stderr is a terminal and `quiet` is false; wiped at the end.
class Progress : public bench::Observer {
 public:
  explicit Progress(bool shown) : shown_(shown) {}
  ~Progress() override { wipe(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void preparing(const record::Record& record) override;
  void sampled(const record::Record& record, std::size_t done, std::size_t planned) override;

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const std::string& what, std::size_t done, std::size_t planned);
  void wipe();
  bool shown_;
  bool drawn_ = false;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point last_{};
  std::size_t prepared_ = 0;
};

}  // namespace ridge::cmd
