// Files that are there whole or not at all.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "reports/json/write.hpp"
#include "reports/record/text.hpp"

namespace ridge::json {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw std::runtime_error(fmt::format("cannot write {}: {}", record::printable(path), why));
}

std::string cause(int error) {
  return std::error_code(error, std::generic_category()).message();
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }
  // The last chance of a network file system to say that the data did not arrive.
  [[nodiscard]] int close() { return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno; }

 private:
  int fd_;
};

// Removes the temporary file unless it was renamed.
class Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::move(path)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  void release() { path_.clear(); }

 private:
  std::string path_;
};

struct Target {
  std::string path;            // with links followed
  std::optional<mode_t> mode;  // of the regular file that is there
  bool special = false;        // there, and neither a regular file nor a folder
};

// Looks at what is at `path`; throws where nothing could be written there.
Target look(const std::string& path) {
  if (path.empty()) refuse("\"\"", "the path is empty");
  Target target{path, std::nullopt, false};
  std::error_code error;
  // A link stays a link: its target is what is replaced.
  if (fs::is_symlink(path, error)) {
    const fs::path resolved = fs::weakly_canonical(path, error);
    if (error) refuse(path, error.message());
    target.path = resolved.string();
  }
  struct stat status {};
  if (::stat(target.path.c_str(), &status) != 0) {
    if (errno != ENOENT) refuse(path, cause(errno));
    return target;
  }
  if (S_ISDIR(status.st_mode)) refuse(path, "it is a folder");
  if (::access(target.path.c_str(), W_OK) != 0) refuse(path, cause(errno));
  if (S_ISREG(status.st_mode))
    target.mode = status.st_mode & 07777U;
  else
    target.special = true;
  return target;
}

// A new file beside the target, so that renaming it does not cross file systems.
Temporary beside(const Target& target, int& fd) {
  for (int attempt = 0;; ++attempt) {
    std::string name = fmt::format("{}.{}.{}.tmp", target.path, ::getpid(), attempt);
    fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) return Temporary(std::move(name));
    if (errno != EEXIST || attempt == 100) refuse(target.path, cause(errno));
  }
}

// 0, or why not all of the text was taken.
int put(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void write_in_place(const std::string& text, const Target& target) {
  Descriptor file(::open(target.path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (file.get() < 0) refuse(target.path, cause(errno));
  if (const int error = put(file.get(), text)) refuse(target.path, cause(error));
  if (const int error = file.close()) refuse(target.path, cause(error));
}

}  // namespace

void ensure_writable(const std::string& path) {
  const Target target = look(path);
  if (target.special) return;
  int fd = -1;
  const Temporary probe = beside(target, fd);
  const Descriptor file(fd);
}

void write_text_file(const std::string& text, const std::string& path) {
  const Target target = look(path);
  if (target.special) return write_in_place(text, target);
  int fd = -1;
  Temporary temporary = beside(target, fd);
  Descriptor file(fd);
  if (target.mode) ::fchmod(fd, *target.mode);
  if (const int error = put(fd, text)) refuse(path, cause(error));
  if (::fsync(fd) != 0) refuse(path, cause(errno));
  if (const int error = file.close()) refuse(path, cause(error));
  if (::rename(temporary.path().c_str(), target.path.c_str()) == 0) return temporary.release();
  // A file that is a mount point, as in containers, cannot be replaced, only rewritten.
  if (errno != EBUSY) refuse(path, cause(errno));
  write_in_place(text, target);
}

void write_file(const record::Report& report, const std::string& path) {
  write_text_file(write(report), path);
}

}  // namespace ridge::json
