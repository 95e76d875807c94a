// fork and exec, with every error told.
#include "cmd/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

#include "bench/harness/parse.hpp"

namespace ridge::cmd {
namespace {

constexpr int cannot_start = 127;

std::string cause(int error) {
  return std::error_code(error, std::generic_category()).message();
}

// `out` becomes the child's stdout.
pid_t start(const std::vector<std::string>& arguments, int out) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const auto& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot start a process: " + cause(errno));
  if (child > 0) return child;
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::signal(SIGPIPE, SIG_DFL);
  ::execvp(argv[0], argv.data());
  ::_exit(cannot_start);
}

int wait_for(pid_t child, const std::string& name) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw std::runtime_error("cannot wait for a process: " + cause(errno));
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  if (WEXITSTATUS(status) == cannot_start) throw std::runtime_error(fmt::format("cannot run {}", name));
  return WEXITSTATUS(status);
}

}  // namespace

int run_child(const std::vector<std::string>& arguments) {
  const int sink = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const pid_t child = start(arguments, sink);
  ::close(sink);
  return wait_for(child, arguments.front());
}

int run_child(const std::vector<std::string>& arguments, std::string& out, std::size_t most) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe: " + cause(errno));
  const pid_t child = start(arguments, ends[1]);
  ::close(ends[1]);
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (got < 0 && errno != EINTR) break;
    if (got > 0 && out.size() < most) out.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  return wait_for(child, arguments.front());
}

std::string own_binary() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

std::vector<std::string> split_words(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;  // a word has begun, even an empty one
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char each = line[i];
    if (quote == '\'' ? each == '\'' : quote == '"' && each == '"') {
      quote = 0;
    } else if (quote != '\'' && each == '\\' && i + 1 < line.size()) {
      word += line[++i];
      open = true;
    } else if (quote != 0) {
      word += each;
    } else if (each == '\'' || each == '"') {
      quote = each;
      open = true;
    } else if (each == ' ' || each == '\t' || each == '\n') {
      if (open) words.push_back(std::move(word));
      word.clear();
      open = false;
    } else {
      word += each;
      open = true;
    }
  }
  if (quote != 0) throw bench::UsageError(fmt::format("a {} is not closed in: {}", quote, line));
  if (open) words.push_back(std::move(word));
  return words;
}

Scratch::Scratch() {
  std::string name = (std::filesystem::temp_directory_path() / "ridge-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder: " + cause(errno));
  path_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace ridge::cmd
