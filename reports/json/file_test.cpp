// Files are there whole or not at all, and every reason for "not at all" is said.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "reports/json/read.hpp"
#include "reports/json/write.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/sample_report.hpp"

using namespace ridge;
namespace fs = std::filesystem;
using ridge::test::Folder;
using ridge::test::sample_report;

namespace {

template <class Act>
std::string refusal(Act act) {
  try {
    act();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a written file is read back, and replaces what was there") {
  const Folder folder;
  const std::string path = folder / "report.json";
  std::ofstream(path) << "old";
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  json::ensure_writable(path);
  CHECK(json::read_text_file(path) == "old");
  json::write_file(sample_report(), path);
  CHECK(json::write(json::read_file(path)) == json::write(sample_report()));
  CHECK((fs::status(path).permissions() & fs::perms::all) == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a link stays a link") {
  const Folder folder;
  std::ofstream(folder / "real.json") << "old";
  fs::create_symlink("real.json", folder / "link.json");
  json::write_file(sample_report(), folder / "link.json");
  CHECK(fs::is_symlink(folder / "link.json"));
  CHECK_NOTHROW(json::read_file(folder / "real.json"));
}

TEST_CASE("what cannot be written is known before measuring") {
  const Folder folder;
  CHECK(refusal([&] { json::ensure_writable(folder.path().string()); }).find("it is a folder") != std::string::npos);
  CHECK(refusal([&] { json::ensure_writable(folder / "none/report.json"); }).find("No such file") != std::string::npos);
  CHECK(refusal([&] { json::ensure_writable(""); }).find("empty") != std::string::npos);
  CHECK(refusal([] { json::ensure_writable("/proc/report.json"); }) != "accepted");
  CHECK(refusal([&] { json::ensure_writable(folder / std::string(300, 'a')); }).find("too long") != std::string::npos);
  CHECK(refusal([&] { json::ensure_writable(folder / "a\x1b[31m/b"); }).find('\x1b') == std::string::npos);
  CHECK(entries(folder.path()) == 0);
  json::ensure_writable(folder / "fine.json");
  CHECK(entries(folder.path()) == 0);
}

TEST_CASE("a full disk is reported and leaves nothing half written") {
  CHECK(refusal([] { json::write_file(sample_report(), "/dev/full"); }).find("No space left") != std::string::npos);

  const Folder folder;
  const std::string path = folder / "report.json";
  json::write_text_file("old", path);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1024, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = refusal([&] { json::write_file(sample_report(), path); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(message.find("File too large") != std::string::npos);
  CHECK(json::read_text_file(path) == "old");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("devices are written to, not replaced") {
  json::ensure_writable("/dev/null");
  json::write_file(sample_report(), "/dev/null");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("reading says why there is nothing to read") {
  const Folder folder;
  CHECK(refusal([&] { json::read_file(folder / "none.json"); }).find("No such file") != std::string::npos);
  CHECK(refusal([&] { json::read_file(folder.path().string()); }).find("it is a folder") != std::string::npos);
  std::ofstream(folder / "empty.json").flush();
  CHECK(refusal([&] { json::read_file(folder / "empty.json"); }).find("it is empty") != std::string::npos);
  CHECK(refusal([] { json::read_text_file("/dev/zero", 1 << 20); }).find("larger than the 1 MiB") != std::string::npos);
}

TEST_CASE("a file of a gigabyte is refused unread") {
  const Folder folder;
  std::ofstream(folder / "large.json").flush();
  fs::resize_file(folder / "large.json", std::uintmax_t{1} << 30U);
  CHECK(refusal([&] { json::read_file(folder / "large.json"); }).find("larger than the 256 MiB") != std::string::npos);
}

TEST_CASE("a pipe is read to its end") {
  const Folder folder;
  const std::string path = folder / "pipe";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  std::thread writer([&] { json::write_file(sample_report(), path); });
  const auto read = json::read_file(path);
  writer.join();
  CHECK(read.records.size() == sample_report().records.size());
}
