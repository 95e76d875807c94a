// Fresh processes: each measurement of a gate is one, so that what differs between processes is in its noise.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ridge::cmd {

// Runs a program to its end: stdin and stdout are /dev/null, stderr is ours. The exit status, or 128 + the signal that
// ended it. std::runtime_error when it cannot be started.
int run_child(const std::vector<std::string>& arguments);

// As run_child, with what it wrote to stdout; what is beyond `most` bytes (and at most 4096 more) is dropped.
int run_child(const std::vector<std::string>& arguments, std::string& out, std::size_t most = 65536);

std::string own_binary();  // the path of this program

// Words of a line as a POSIX shell splits them: blanks, '…', "…" and \; nothing is expanded. UsageError when a quote is
// not closed.
std::vector<std::string> split_words(const std::string& line);

// A folder that goes away with all in it.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace ridge::cmd
