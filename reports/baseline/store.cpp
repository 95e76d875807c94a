// Files named by date and content; a lock file serialises those who change the folder.
#include "reports/baseline/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "reports/baseline/hash.hpp"
#include "reports/json/write.hpp"
#include "reports/record/text.hpp"

namespace ridge::baseline {
namespace {

namespace fs = std::filesystem;

// Held while files come and go. Readers need none: a file is there whole or not at all.
class Lock {
 public:
  explicit Lock(const fs::path& folder) {
    fs::create_directories(folder);
    const auto path = folder / ".lock";
    fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) fail(path, "open");
    while (::flock(fd_, LOCK_EX) != 0)
      if (errno != EINTR) fail(path, "lock");
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { ::close(fd_); }

 private:
  [[noreturn]] static void fail(const fs::path& path, const char* what) {
    throw std::runtime_error(fmt::format("cannot {} {}: {}", what, record::printable(path.string()),
                                         std::error_code(errno, std::generic_category()).message()));
  }
  int fd_ = -1;
};

std::vector<fs::path> entries(const fs::path& folder, bool folders) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator walk(folder, error), end; !error && walk != end; walk.increment(error)) {
    if (walk->path().filename().string().starts_with('.')) continue;
    if (folders ? walk->is_directory() : walk->is_regular_file() && walk->path().extension() == ".json")
      found.push_back(walk->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// "2026-11-30T03:42:25Z" → "20261130T034225Z"; sorts as time does.
std::string compact(const std::string& started) {
  std::string out;
  for (const char each : key_of(started))
    if (each != '-' && each != '.') out += static_cast<char>(std::toupper(static_cast<unsigned char>(each)));
  return out.empty() ? "UNDATED" : out;
}

}  // namespace

fs::path Store::save(const std::string& text, const compare::Run& run, const std::string& workload) {
  const Lock lock(folder_);
  const fs::path folder = folder_ / machine_key(run.machine) / key_of(workload);
  fs::create_directories(folder);
  const fs::path path = folder / fmt::format("{}-{:08x}.json", compact(run.started), short_hash(text));
  json::write_text_file(text, path.string());
  return path;
}

std::vector<Group> Store::list() const {
  std::vector<Group> groups;
  for (const auto& machine : entries(folder_, true))
    for (const auto& workload : entries(machine, true)) {
      auto files = entries(workload, false);
      if (!files.empty())
        groups.push_back({machine.filename().string(), workload.filename().string(), std::move(files)});
    }
  return groups;
}

std::vector<fs::path> Store::files(const std::string& machine, const std::string& workload) const {
  return entries(folder_ / key_of(machine) / key_of(workload), false);
}

std::vector<fs::path> Store::prune(std::size_t keep, bool dry) {
  std::error_code error;
  if (!fs::is_directory(folder_, error)) return {};
  const Lock lock(folder_);
  std::vector<fs::path> removed;
  for (const Group& group : list())
    for (std::size_t i = 0; i + keep < group.files.size(); ++i) {
      removed.push_back(group.files[i]);
      if (!dry) fs::remove(group.files[i]);
    }
  return removed;
}

}  // namespace ridge::baseline
