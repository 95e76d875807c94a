// A store that keeps the newest, finds what is asked for, and never costs a run.
#include "reports/report_store/report_store.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "tests/support/folder.hpp"
#include "tests/support/sample_report.hpp"

using namespace ridge;
namespace fs = std::filesystem;
using ridge::test::Folder;
using ridge::test::sample_report;

namespace {

record::Report started_at(int minute) {
  auto report = sample_report();
  report.started = "2025-01-02T03:" + std::string(minute < 10 ? "0" : "") + std::to_string(minute) + ":05Z";
  return report;
}

std::size_t entries(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("the folder follows the XDG specification") {
  CHECK(report_store::folder_from("/state", "/home/u").path == "/state/ridge/reports");
  CHECK(report_store::folder_from(nullptr, "/home/u").path == "/home/u/.local/state/ridge/reports");
  CHECK(report_store::folder_from("", "/home/u").path == "/home/u/.local/state/ridge/reports");
  CHECK(report_store::folder_from("relative", "/home/u").path == "/home/u/.local/state/ridge/reports");
  CHECK_FALSE(report_store::folder_from(nullptr, nullptr).path);
  CHECK(report_store::folder_from(nullptr, "").reason.find("HOME") != std::string::npos);
}

TEST_CASE("a report is kept under its time and command, and found again") {
  const Folder root;
  const std::string folder = root / "a/b";
  const auto kept = report_store::keep(started_at(4), "run", folder);
  REQUIRE(kept.path);
  CHECK(fs::path(*kept.path).filename() == "20250102T030405Z-run.json");
  const auto found = report_store::newest_with("bandwidth.triad", folder);
  REQUIRE(found);
  CHECK(found->path == *kept.path);
  CHECK(found->report.records.size() == sample_report().records.size());
  CHECK_FALSE(report_store::newest_with("bandwidth.none", folder));
}

TEST_CASE("the newest report with a measured record wins, unreadable ones are passed over") {
  const Folder root;
  const std::string folder = root.path().string();
  report_store::keep(started_at(1), "run", folder);
  const auto wanted = report_store::keep(started_at(2), "run", folder);
  auto failed = started_at(3);
  failed.records.resize(1);
  failed.records[0].status = record::Status::failed;
  report_store::keep(failed, "run", folder);
  std::ofstream(root / "20250102T030905Z-run.json") << "{";
  std::ofstream(root / "notes.json") << "not ours";
  const auto found = report_store::newest_with("bandwidth.triad", folder);
  REQUIRE(found);
  CHECK(found->path == *wanted.path);
}

TEST_CASE("only the newest are kept, and nothing that is not ours is removed") {
  const Folder root;
  const std::string folder = root.path().string();
  std::ofstream(root / "notes.json") << "mine";
  for (int minute = 0; minute < 8; ++minute) report_store::keep(started_at(minute), "run", folder, 3);
  CHECK(entries(folder) == 4);
  CHECK(fs::exists(root / "20250102T030705Z-run.json"));
  CHECK_FALSE(fs::exists(root / "20250102T030405Z-run.json"));
  CHECK(fs::exists(root / "notes.json"));
}

TEST_CASE("the same second twice makes two files, from several threads too") {
  const Folder root;
  const std::string folder = root.path().string();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { report_store::keep(started_at(4), "run", folder); });
  for (auto& thread : threads) thread.join();
  CHECK(entries(folder) == 4);
}

TEST_CASE("a command is never a path") {
  const Folder root;
  const auto kept = report_store::keep(started_at(4), "../../x\n", root.path().string());
  REQUIRE(kept.path);
  CHECK(fs::path(*kept.path).parent_path() == root.path());
}

TEST_CASE("what cannot be stored is a reason, not an error") {
  CHECK(report_store::keep(started_at(4), "run", "/proc/ridge").reason.find("/proc/ridge") == 0);
  const Folder root;
  std::ofstream(root / "file") << "x";
  CHECK_FALSE(report_store::keep(started_at(4), "run", root / "file").path);
  auto timeless = sample_report();
  timeless.started = "";
  CHECK_FALSE(report_store::keep(timeless, "run", root / "store").reason.empty());
  auto broken = started_at(4);
  broken.records[0].samples[0] = 1.0 / 0.0;
  CHECK(report_store::keep(broken, "run", root / "store").reason.find("samples[0]") != std::string::npos);
  CHECK(entries(root / "store") == 0);
  CHECK_FALSE(report_store::newest_with("bandwidth.triad", root / "none"));
}
