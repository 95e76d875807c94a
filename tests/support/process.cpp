// fork, exec, pipes and a deadline.
#include "tests/support/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>

extern char** environ;

namespace ridge::test {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
  }
};

std::vector<std::string> environment_of(const Start& start) {
  std::vector<std::string> all;
  if (!start.empty_environment)
    for (char** variable = environ; *variable; ++variable) {
      const std::string text = *variable;
      if (!start.environment.contains(text.substr(0, text.find('=')))) all.push_back(text);
    }
  for (const auto& [name, value] : start.environment) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

[[noreturn]] void become(std::vector<std::string> arguments, const Start& start, int out, int err) {
  std::vector<std::string> environment = environment_of(start);
  if (start.out_path) out = ::open(start.out_path->c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  if (start.close_out) ::close(STDOUT_FILENO);
  if (!start.folder.empty() && ::chdir(start.folder.c_str()) != 0) ::_exit(126);
  if (start.in_child) start.in_child();
  ::execve(arguments.front().c_str(), pointers(arguments).data(), pointers(environment).data());
  ::_exit(127);
}

// Reads what is there; false at the end of the stream.
bool drain(int descriptor, std::string& into) {
  char buffer[65536];
  const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
  if (got > 0) into.append(buffer, static_cast<std::size_t>(got));
  return got > 0;
}

}  // namespace

Outcome run(const std::vector<std::string>& arguments, const Start& start) {
  Pipe out, err;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become(arguments, start, out.ends[1], err.ends[1]);
  ::close(out.ends[1]);
  ::close(err.ends[1]);
  Outcome outcome;
  const auto begun = Clock::now();
  bool signalled = start.signal == 0;
  bool open_out = true, open_err = true;
  while (open_out || open_err) {
    pollfd waits[2] = {{open_out ? out.ends[0] : -1, POLLIN, 0}, {open_err ? err.ends[0] : -1, POLLIN, 0}};
    ::poll(waits, 2, 20);
    if (waits[0].revents != 0) open_out = drain(out.ends[0], outcome.out);
    if (waits[1].revents != 0) open_err = drain(err.ends[0], outcome.err);
    const double passed = std::chrono::duration<double>(Clock::now() - begun).count();
    if (!signalled && passed >= start.signal_after) {
      ::kill(child, start.signal);
      if (start.twice) {
        ::usleep(5000);
        ::kill(child, start.signal);
      }
      signalled = true;
    }
    if (passed > start.limit) {
      ::kill(child, SIGKILL);
      outcome.timed_out = true;
      break;
    }
  }
  ::close(out.ends[0]);
  ::close(err.ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace ridge::test
