// The handler only notes the number: everything else happens between two intervals.
#include "cmd/signals.hpp"

#include <unistd.h>

#include <csignal>
#include <ctime>

namespace ridge::cmd {
namespace {

volatile std::sig_atomic_t noted = 0;
struct sigaction before_interrupt;
struct sigaction before_terminate;

timespec noted_at;

// A person who asks again is obeyed at once. What comes within a second is the same request told twice: `timeout`, for
// one, signals the process and then its group, and the report would be lost.
extern "C" void note_signal(int number) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  if (noted == 0) {
    noted = number;
    noted_at = now;
    return;
  }
  const double seconds =
      static_cast<double>(now.tv_sec - noted_at.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec - noted_at.tv_nsec);
  if (seconds > 1) ::_exit(128 + number);
}

}  // namespace

SignalGuard::SignalGuard() {
  noted = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &before_interrupt);
  ::sigaction(SIGTERM, &action, &before_terminate);
}

SignalGuard::~SignalGuard() {
  ::sigaction(SIGINT, &before_interrupt, nullptr);
  ::sigaction(SIGTERM, &before_terminate, nullptr);
}

int SignalGuard::caught() {
  return noted;
}

}  // namespace ridge::cmd
