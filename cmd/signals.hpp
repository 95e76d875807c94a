// Ctrl-C and SIGTERM: the first asks the run to end and keep what it has, the second ends the process at once.
#pragma once

namespace ridge::cmd {

// While it lives, SIGINT and SIGTERM are noted instead of ending the process; what was there before comes back after
// it.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  // The signal that came, or 0.
  [[nodiscard]] static int caught();
};

}  // namespace ridge::cmd
