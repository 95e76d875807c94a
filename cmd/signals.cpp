// The handler only notes the number: everything else happens between two intervals.
#include "cmd/signals.hpp"

#include <unistd.h>

#include <csignal>

namespace ridge::cmd {
namespace {

volatile std::sig_atomic_t noted = 0;
struct sigaction before_interrupt;
struct sigaction before_terminate;

extern "C" void note_signal(int number) {
  if (noted != 0) ::_exit(128 + number);
  noted = number;
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
