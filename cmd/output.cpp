// stdout and stderr by file descriptor: every short write, closed stream and full disk is seen.
#include "cmd/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "bench/harness/parse.hpp"

namespace ridge::cmd {
namespace {

// 0, or the errno that ended the writing.
int write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    done += static_cast<std::size_t>(written);
  }
  return 0;
}

}  // namespace

record::Exit write_stdout(const std::string& text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == 0 || error == EPIPE) return record::Exit::success;
  write_stderr(fmt::format("ridge: cannot write to stdout: {}\n", std::strerror(error)));
  return record::Exit::usage;
}

void write_stderr(const std::string& text) {
  static_cast<void>(write_all(STDERR_FILENO, text));
}

void require_stdout() {
  if (::fcntl(STDOUT_FILENO, F_GETFD) < 0)
    throw bench::UsageError("stdout is closed; give --json FILE and --quiet, or open it");
}

bool stdout_is_terminal() {
  return ::isatty(STDOUT_FILENO) != 0;
}
bool stderr_is_terminal() {
  return ::isatty(STDERR_FILENO) != 0;
}

int width() {
  constexpr int narrowest = 20;
  constexpr int unknown = 100;
  int columns = 0;
  if (const char* text = std::getenv("COLUMNS")) {
    const char* end = text + std::strlen(text);
    if (std::from_chars(text, end, columns).ptr == end && columns > 0) return std::clamp(columns, narrowest, 1000);
  }
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return std::max<int>(size.ws_col, narrowest);
  return unknown;
}

bool colour() {
  const char* terminal = std::getenv("TERM");
  const char* refused = std::getenv("NO_COLOR");
  return stdout_is_terminal() && !(refused && *refused) && !(terminal && std::string_view(terminal) == "dumb");
}

}  // namespace ridge::cmd
