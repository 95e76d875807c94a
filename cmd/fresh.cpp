// Starts the process, and reads what it left.
#include "cmd/fresh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "bench/harness/parse.hpp"
#include "cmd/output.hpp"
#include "cmd/signals.hpp"
#include "reports/inputs/load.hpp"
#include "reports/json/read.hpp"
#include "reports/json/write.hpp"

namespace ridge::cmd {
namespace {

constexpr std::string_view hole = "{out}";

bool is_ridge(const std::string& program) {
  std::string out;
  const int status = run_child({program, "--version"}, out);
  return status == 0 && out.starts_with("ridge ");
}

bool is_google_benchmark(const std::string& program) {
  std::string out;
  run_child({program, "--help"}, out);
  return out.find("--benchmark_out") != std::string::npos;
}

}  // namespace

Program Program::ridge(std::vector<std::string> arguments) {
  for (const auto& each : arguments)
    if (each == "--json" || each.starts_with("--json="))
      throw bench::UsageError("--json cannot be given here: the reports are read and kept by this command");
  if (arguments.empty()) arguments = {"run", "--suite", "ci"};
  Program program;
  program.arguments_ = std::move(arguments);
  program.arguments_.insert(program.arguments_.begin(), own_binary());
  return program;
}

Program Program::of(const std::string& command, const std::vector<std::string>& arguments) {
  Program program;
  std::error_code error;
  program.arguments_ =
      std::filesystem::exists(command, error) ? std::vector<std::string>{command} : split_words(command);
  if (program.arguments_.empty()) throw bench::UsageError("the command is empty");
  const std::string binary = program.arguments_.front();
  const bool bare = program.arguments_.size() == 1 && arguments.empty();
  program.arguments_.insert(program.arguments_.end(), arguments.begin(), arguments.end());
  const bool placed = std::any_of(program.arguments_.begin(), program.arguments_.end(),
                                  [](const auto& each) { return each.find(hole) != std::string::npos; });
  if (placed) {
    program.kind_ = Kind::placeholder;
  } else if (is_google_benchmark(binary)) {  // asked first: it complains of --version on stderr
    program.kind_ = Kind::google_benchmark;
  } else if (is_ridge(binary)) {
    if (bare) program.arguments_.insert(program.arguments_.end(), {"run", "--suite", "ci"});
  } else {
    throw bench::UsageError(fmt::format(
        "{} is neither Ridge nor a Google Benchmark program: write {} where it takes the file for its report", binary,
        hole));
  }
  return program;
}

Measured Program::once(const std::string& name) const {
  const Scratch scratch;
  const std::string file = (scratch.path() / "report.json").string();
  auto arguments = arguments_;
  Measured measured;
  int status = 0;
  if (kind_ == Kind::ridge) {  // by stdout: the report keeps its command, in which a passing folder would have no place
    arguments.insert(arguments.end(), {"--json", "-", "--quiet"});
    status = run_child(arguments, measured.text, static_cast<std::size_t>(json::max_file_bytes));
    if (status == static_cast<int>(record::Exit::usage))
      throw bench::UsageError("the measuring process refused its arguments");
  } else {
    if (kind_ == Kind::google_benchmark) {
      arguments.insert(arguments.end(), {"--benchmark_out=" + file, "--benchmark_out_format=json"});
    } else {
      for (auto& each : arguments)
        for (auto at = each.find(hole); at != std::string::npos; at = each.find(hole, at + file.size()))
          each.replace(at, hole.size(), file);
    }
    status = run_child(arguments);
    std::error_code error;
    if (std::filesystem::exists(file, error)) measured.text = json::read_text_file(file);
  }
  if (measured.text.empty())
    throw std::runtime_error(fmt::format("{} ended with status {} and left no report", arguments.front(), status));
  measured.run = inputs::read_run(measured.text, name);
  return measured;
}

std::vector<Measured> measure_runs(const Program& program, int runs, const std::string& what, const std::string& keep,
                                   bool quiet) {
  std::vector<Measured> all;
  if (!keep.empty()) std::filesystem::create_directories(keep);
  for (int i = 1; i <= runs && SignalGuard::caught() == 0; ++i) {
    if (!quiet) write_stderr(fmt::format("ridge: {}: run {} of {}\n", what, i, runs));
    const std::string file = fmt::format("{}-{:02}.json", what, i);
    const std::string name = keep.empty() ? file : (std::filesystem::path(keep) / file).string();
    all.push_back(program.once(name));
    if (!keep.empty()) json::write_text_file(all.back().text, name);
  }
  return all;
}

std::vector<compare::Run> runs_of(const std::vector<Measured>& measured) {
  std::vector<compare::Run> runs;
  runs.reserve(measured.size());
  for (const Measured& each : measured) runs.push_back(each.run);
  return runs;
}

record::Exit signal_exit() {
  const int signal = SignalGuard::caught();
  if (signal == 0) return record::Exit::success;
  return signal == SIGINT ? record::Exit::interrupted : record::Exit::terminated;
}

}  // namespace ridge::cmd
