// Bytes of a file, with every reason why there are none.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "reports/json/read.hpp"
#include "reports/record/text.hpp"

namespace ridge::json {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw ReadError(fmt::format("{}: {}", record::printable(path), why), 0, 0, "");
}

std::string cause(int error) {
  return std::error_code(error, std::generic_category()).message();
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

// Asks for large pages, of which a file of many megabytes takes a few: first touching the small ones takes longer than
// reading the file into them. Without effect where the system has none to give.
void advise(std::string& text) {
  constexpr std::uintptr_t page = 4096;
  const auto begin = (reinterpret_cast<std::uintptr_t>(text.data()) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(text.data()) + text.capacity()) / page * page;
  if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace

std::string read_text_file(const std::string& path, std::int64_t max_bytes) {
  if (path.empty()) refuse("\"\"", "the path is empty");
  const Descriptor file(path);
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) refuse(path, cause(errno));
  if (S_ISDIR(status.st_mode)) refuse(path, "it is a folder");
  const std::string too_large = fmt::format("larger than the {} MiB that are read at most", max_bytes >> 20U);
  if (status.st_size > max_bytes) refuse(path, too_large);

  std::string text;
  text.reserve(static_cast<std::size_t>(status.st_size) + 4096);
  if (status.st_size >= 4 << 20U) advise(text);
  // Pipes and files that grow have no size to trust: the limit holds for what arrives.
  constexpr std::size_t chunk = std::size_t{1} << 20U;
  std::size_t filled = 0;
  while (true) {
    const std::size_t room = std::max<std::size_t>(text.capacity() - filled, 4096);
    text.resize(filled + std::min(room, chunk));
    const ssize_t got = ::read(file.get(), text.data() + filled, text.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path, cause(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    if (static_cast<std::int64_t>(filled) > max_bytes) refuse(path, too_large);
  }
  text.resize(filled);
  if (text.empty()) refuse(path, "it is empty");
  return text;
}

record::Report read_file(const std::string& path) {
  return read(read_text_file(path), path);
}

}  // namespace ridge::json
