// A real control group for a test, where this machine lets the test make one; a child process runs inside it.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/device/cpu/host_cgroup.hpp"

namespace ridge::test {

// One setting of a group by the file that holds it in each version.
struct Setting {
  const char* v1_file;
  const char* v1_text;
  const char* v2_file;
  const char* v2_text;
};

// A group below this process's own (version 1) or beside it (version 2, where a group with processes can have no
// children with controllers). Nothing of the system's own groups is changed.
class Cgroup {
 public:
  Cgroup(const std::string& controller, const std::vector<Setting>& settings) {
    const auto own = device::cpu::cgroup_path(device::cpu::Files("/"), controller);
    if (own.version == 0) {
      reason_ = "no control group with the " + controller + " controller";
      return;
    }
    const auto& parent = own.version == 2 && own.folders.size() > 1 ? own.folders[1] : own.folders[0];
    const auto folder = parent + "/ridge-test-" + std::to_string(::getpid());
    std::error_code error;
    if (!std::filesystem::create_directory(folder, error)) {
      reason_ = "cannot make a control group in " + parent + ": " + error.message();
      return;
    }
    folder_ = folder;
    for (const auto& setting : settings) {
      const bool first = own.version == 1;
      const auto file = folder + "/" + (first ? setting.v1_file : setting.v2_file);
      if (!write(file, first ? setting.v1_text : setting.v2_text)) reason_ = "cannot set " + file;
    }
  }
  Cgroup(const Cgroup&) = delete;
  Cgroup& operator=(const Cgroup&) = delete;
  ~Cgroup() {
    // A child that just ended may be counted for a moment longer.
    for (int tries = 0; !folder_.empty() && ::rmdir(folder_.c_str()) != 0 && errno == EBUSY && tries < 100; ++tries)
      ::usleep(10000);
  }

  // Why there is no such group; nothing when there is.
  [[nodiscard]] const std::optional<std::string>& reason() const { return reason_; }

  // Runs `body` in a child process within the group and returns what it returned; nothing when the child could not
  // enter the group or died.
  [[nodiscard]] std::optional<std::string> run(const std::function<std::string()>& body) const {
    int ends[2];
    if (::pipe(ends) != 0) return std::nullopt;
    const pid_t child = ::fork();
    if (child == 0) {
      const bool entered = write(folder_ + "/cgroup.procs", std::to_string(::getpid()));
      const auto text = entered ? body() : std::string();
      const bool written = ::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
      ::_exit(entered && written ? 0 : 1);
    }
    ::close(ends[1]);
    std::string text;
    char buffer[512];
    for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<std::size_t>(got));
    ::close(ends[0]);
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) return std::nullopt;
    return text;
  }

 private:
  static bool write(const std::string& file, const std::string& text) {
    std::ofstream out(file);
    out << text << std::flush;
    return static_cast<bool>(out);
  }

  std::string folder_;
  std::optional<std::string> reason_;
};

inline const std::vector<Setting>& half_a_core() {
  static const std::vector<Setting> settings{{"cpu.cfs_quota_us", "50000", "cpu.max", "50000 100000"}};
  return settings;
}
inline const std::vector<Setting>& half_a_gib() {
  static const std::vector<Setting> settings{{"memory.limit_in_bytes", "536870912", "memory.max", "536870912"}};
  return settings;
}

}  // namespace ridge::test
