// Folders of reports for the command, and the command itself.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>

#include "reports/json/write.hpp"
#include "tests/cli/ridge.hpp"
#include "tests/gate/reports.hpp"

namespace ridge::test {

inline void put(const Folder& folder, const std::string& name, const std::vector<record::Report>& reports) {
  const std::string path = folder / name;
  std::filesystem::create_directories(path);
  for (std::size_t i = 0; i < reports.size(); ++i)
    json::write_file(reports[i], fmt::format("{}/run-{:02}.json", path, i));
}

inline void put_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Ten runs as the baseline against three that `change` has been at.
template <class Change>
Outcome compare_after(Change change, std::vector<std::string> more = {}) {
  const Folder folder;
  put(folder, "base", runs(0, 10));
  auto fresh = runs(20, 3);
  for (auto& each : fresh) change(each);
  put(folder, "new", fresh);
  more.insert(more.begin(), {"compare", folder / "base", folder / "new"});
  return invoke(more);
}

}  // namespace ridge::test
