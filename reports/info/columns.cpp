// Wrapping and aligning without any library, as the widths are those of code points.
#include "reports/info/columns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::info {
namespace {

constexpr int name_width = 18;
constexpr int indent = 2;
constexpr int narrowest = 40;

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

int columns_of(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

// Bytes of the first `columns` code points.
std::size_t bytes_of(std::string_view text, int columns) {
  std::size_t at = 0;
  while (at < text.size() && (continues(text[at]) || columns-- > 0)) ++at;
  return at;
}

std::string printable(std::string_view text) {
  std::string result(text);
  std::replace_if(
      result.begin(), result.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7F; }, '?');
  return result;
}

}  // namespace

std::vector<std::string> wrapped(std::string_view raw, int width) {
  width = std::max(1, width);
  const auto clean = printable(raw);
  std::string_view text = clean;
  std::vector<std::string> pieces;
  while (columns_of(text) > width) {
    const auto most = bytes_of(text, width);
    auto cut = text.rfind(' ', most);  // a blank right behind the piece will do
    if (cut == std::string_view::npos || cut == 0) cut = most;
    pieces.emplace_back(text.substr(0, text.find_last_not_of(' ', cut - 1) + 1));
    text.remove_prefix(cut);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  if (!text.empty() || pieces.empty()) pieces.emplace_back(text);
  return pieces;
}

Columns::Columns(int width) : width_(std::max(narrowest, width)) {}

void Columns::heading(std::string_view title) {
  for (const auto& piece : wrapped(title, width_)) text_ += piece + "\n";
}

void Columns::row(std::string_view name, const std::vector<std::string>& values) {
  const int room = width_ - indent - name_width;
  auto label = wrapped(name, name_width - 1);
  std::vector<std::string> lines;
  for (const auto& value : values)
    for (auto& piece : wrapped(value, room)) lines.push_back(std::move(piece));
  if (lines.empty()) lines.emplace_back("unknown");
  label.resize(std::max(label.size(), lines.size()));
  lines.resize(label.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto padding = static_cast<std::size_t>(name_width - columns_of(label[i]));
    std::string line = std::string(indent, ' ') + label[i] + std::string(padding, ' ') + lines[i];
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += line + "\n";
  }
}

void Columns::row(std::string_view name, const std::optional<std::string>& value) {
  row(name, value ? std::vector{*value} : std::vector<std::string>{});
}

}  // namespace ridge::info
