// Expands names, reads files, and puts the runs in the order of time.
#include "reports/inputs/load.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <iterator>
#include <set>
#include <thread>

#include "reports/inputs/from_report.hpp"
#include "reports/inputs/google_benchmark.hpp"
#include "reports/json/read.hpp"
#include "reports/record/text.hpp"

namespace ridge::inputs {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw json::ReadError(fmt::format("{}: {}", record::printable(name), why), 0, 0, "");
}

bool is_google_benchmark(std::string_view text, const std::string& name) {
  json::Scanner in(text, name);
  if (in.peek() != json::Scanner::Kind::object) return false;
  std::string_view key;
  in.open_object();
  while (in.next_key(key)) {
    if (key == "schema") return false;
    if (key == "context" || key == "benchmarks") return true;
    in.skip();
  }
  return false;
}

bool hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator walk(folder, fs::directory_options::none, error);
  if (error) refuse(folder, error.message());
  for (; walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    if (hidden(walk->path())) {
      if (walk->is_directory()) walk.disable_recursion_pending();
      continue;
    }
    if (walk->is_regular_file() && walk->path().extension() == ".json") files.push_back(walk->path().string());
  }
  if (error) refuse(folder, error.message());
  if (files.empty()) refuse(folder, "the folder holds no .json file");
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> files_matching(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> files;
  if (::glob(pattern.c_str(), GLOB_ERR, nullptr, &found) == 0)
    for (std::size_t i = 0; i < found.gl_pathc; ++i) files.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (files.empty()) refuse(pattern, "no file matches");
  return files;
}

// Some files at a time, each on its own; of several that cannot be read, the first is told.
std::vector<compare::Run> read_all(const std::vector<std::string>& files) {
  std::vector<compare::Run> runs(files.size());
  std::vector<std::exception_ptr> errors(files.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = 0; (i = next++) < files.size();) try {
        runs[i] = read_run(json::read_text_file(files[i]), files[i]);
      } catch (...) {
        errors[i] = std::current_exception();
      }
  };
  std::vector<std::jthread> helpers;
  constexpr std::size_t most = 8;
  const auto cores = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  for (std::size_t i = 1; i < std::min({most, cores, files.size()}); ++i) helpers.emplace_back(work);
  work();
  helpers.clear();
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
  return runs;
}

// Those of all names, each file once.
std::vector<std::string> listed(std::span<const std::string> names) {
  std::vector<std::string> files;
  std::set<std::string> seen;
  for (const auto& name : names)
    for (auto& file : files_of(name)) {
      std::error_code error;
      const auto canonical = fs::weakly_canonical(file, error);
      if (seen.insert(error ? file : canonical.string()).second) files.push_back(std::move(file));
    }
  return files;
}

// As they were started, where every one tells when.
std::vector<compare::Run> in_time(std::vector<compare::Run> runs) {
  const bool dated = std::none_of(runs.begin(), runs.end(), [](const auto& run) { return run.started.empty(); });
  if (dated)
    std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.started < b.started; });
  return runs;
}

}  // namespace

compare::Run read_run(std::string_view text, const std::string& name) {
  if (is_google_benchmark(text, name)) return read_google_benchmark(text, name);
  std::vector<compare::Case> cases;
  const auto report = json::read(text, name, [&](record::Record& each) { cases.push_back(case_of(std::move(each))); });
  compare::Run run = run_of(report, name);
  run.cases = std::move(cases);
  return run;
}

std::vector<std::string> files_of(const std::string& name) {
  std::error_code error;
  if (fs::is_directory(name, error)) return files_in(name);
  if (fs::exists(name, error) || name.find_first_of("*?[") == std::string::npos) return {name};
  return files_matching(name);
}

std::vector<compare::Run> load(std::span<const std::string> names) {
  return in_time(read_all(listed(names)));
}

Sides load_sides(std::span<const std::string> base, std::span<const std::string> fresh) {
  auto files = listed(base);
  const auto of_base = static_cast<std::ptrdiff_t>(files.size());
  for (auto& file : listed(fresh)) files.push_back(std::move(file));
  auto runs = read_all(files);
  const auto middle = std::make_move_iterator(runs.begin() + of_base);
  return {in_time({std::make_move_iterator(runs.begin()), middle}),
          in_time({middle, std::make_move_iterator(runs.end())})};
}

}  // namespace ridge::inputs
