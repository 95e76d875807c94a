// Names, order and number of stored reports.
#include "reports/report_store/report_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "reports/json/read.hpp"
#include "reports/json/write.hpp"
#include "reports/record/text.hpp"

namespace ridge::report_store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t stamp_length = 16;  // 20250102T030405Z

// "2025-01-02T03:04:05.25Z" as "20250102T030405Z"; nothing for what is no such time.
std::optional<std::string> stamp(std::string_view started) {
  std::string text;
  for (const char c : started.substr(0, 19))
    if (c != '-' && c != ':') text += c;
  text += 'Z';
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!(i == 8 ? text[i] == 'T' : i + 1 == text.size() ? true : digit(text[i]))) return std::nullopt;
  if (text.size() != stamp_length) return std::nullopt;
  return text;
}

// Letters, digits and dashes of the command: never a path.
std::string plain(std::string_view command) {
  std::string text;
  for (const char c : command.substr(0, 40))
    text += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ? c : '_';
  return text.empty() ? "run" : text;
}

bool is_ours(const std::string& name) {
  return name.size() > stamp_length + 5 && name[8] == 'T' && name[stamp_length - 1] == 'Z' &&
         name[stamp_length] == '-' && name.ends_with(".json") &&
         std::all_of(name.begin(), name.begin() + 8, [](char c) { return c >= '0' && c <= '9'; });
}

// Newest first: the name begins with the time. Only files that this store could have written.
std::vector<fs::path> stored(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (is_ours(it->path().filename().string())) files.push_back(it->path());
  std::sort(files.begin(), files.end(), std::greater<>());
  return files;
}

// An empty file of a name that no other process has; a reader passes over it until the report is renamed onto it.
std::optional<std::string> reserve(const std::string& folder, const std::string& name, std::string& reason) {
  for (int attempt = 1; attempt <= 1000; ++attempt) {
    const std::string suffix = attempt == 1 ? "" : fmt::format("-{}", attempt);
    const std::string path = (fs::path(folder) / (name + suffix + ".json")).string();
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
      ::close(fd);
      return path;
    }
    reason = std::error_code(errno, std::generic_category()).message();
    if (errno != EEXIST) break;
  }
  return std::nullopt;
}

}  // namespace

Place folder_from(const char* xdg_state_home, const char* home) {
  if (xdg_state_home != nullptr && xdg_state_home[0] == '/')
    return {(fs::path(xdg_state_home) / "ridge" / "reports").string(), ""};
  if (home != nullptr && home[0] == '/')
    return {(fs::path(home) / ".local" / "state" / "ridge" / "reports").string(), ""};
  return {std::nullopt, "neither XDG_STATE_HOME nor HOME is set to an absolute path"};
}

Place default_folder() {
  return folder_from(std::getenv("XDG_STATE_HOME"), std::getenv("HOME"));
}

Place keep(const record::Report& report, std::string_view command, const std::string& folder, std::size_t most) {
  const auto time = stamp(report.started);
  if (!time) return {std::nullopt, "the report has no start time"};
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return {std::nullopt, fmt::format("{}: {}", record::printable(folder), error.message())};
  std::string reason;
  const auto path = reserve(folder, fmt::format("{}-{}", *time, plain(command)), reason);
  if (!path) return {std::nullopt, fmt::format("{}: {}", record::printable(folder), reason)};
  try {
    json::write_file(report, *path);
  } catch (const std::exception& failure) {
    fs::remove(*path, error);
    return {std::nullopt, failure.what()};
  }
  const auto files = stored(folder);
  for (std::size_t i = most; i < files.size(); ++i)
    if (files[i] != *path) fs::remove(files[i], error);
  return {*path, ""};
}

std::optional<Found> newest_with(std::string_view benchmark, const std::string& folder) {
  for (const fs::path& file : stored(folder)) {
    try {
      record::Report report = json::read_file(file.string());
      const bool measured = std::any_of(report.records.begin(), report.records.end(), [&](const record::Record& r) {
        return r.benchmark == benchmark && (r.status == record::Status::ok || r.status == record::Status::suspect);
      });
      if (measured) return Found{file.string(), std::move(report)};
    } catch (const std::exception&) {
      continue;  // half written, of a newer version, or not ours: the next older one may do
    }
  }
  return std::nullopt;
}

}  // namespace ridge::report_store
