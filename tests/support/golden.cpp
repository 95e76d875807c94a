// Reading, comparing and re-approving golden files.
#include "tests/support/golden.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace ridge::test {
namespace {

std::string first_difference(const std::string& approved, const std::string& actual) {
  std::istringstream a(approved);
  std::istringstream b(actual);
  std::string left;
  std::string right;
  for (int line = 1;; ++line) {
    const bool more_left = static_cast<bool>(std::getline(a, left));
    const bool more_right = static_cast<bool>(std::getline(b, right));
    if (!more_left) left = "(end)";
    if (!more_right) right = "(end)";
    if (left != right || (!more_left && !more_right))
      return "line " + std::to_string(line) + "\n  approved: " + left + "\n  actual:   " + right;
  }
}

}  // namespace

void check_golden(const std::string& name, const std::string& actual) {
  const std::filesystem::path path = std::filesystem::path(RIDGE_GOLDEN_FOLDER) / name;
  const char* approve = std::getenv("RIDGE_APPROVE");
  if (approve != nullptr && std::string(approve) == "1") {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << actual;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream approved;
  approved << file.rdbuf();
  INFO(path.string() << ": " << first_difference(approved.str(), actual)
                     << "\nRIDGE_APPROVE=1 in the environment approves what the program prints now");
  CHECK((file.is_open() && approved.str() == actual));
}

std::string masked(const std::string& text) {
  static const std::regex number(R"(\d+(\.\d+)?([eE][-+]?\d+)?)");
  return std::regex_replace(text, number, "#");
}

}  // namespace ridge::test
