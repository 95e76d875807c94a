// Reading and parsing the kernel's small text files without trusting any of them.
#include "kernels/device/cpu/host_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>

namespace ridge::device::cpu {
namespace {

constexpr int most_ids = 65536;
constexpr std::size_t longest_value = 4096;
constexpr std::size_t longest_text = 200;

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  text = trimmed(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_cache_size(std::string_view text) {
  text = trimmed(text);
  int shift = 0;
  if (!text.empty()) {
    if (text.back() == 'K') shift = 10;
    if (text.back() == 'M') shift = 20;
    if (text.back() == 'G') shift = 30;
    if (shift != 0) text.remove_suffix(1);
  }
  const auto value = text == trimmed(text) ? parse_integer(text) : std::nullopt;
  if (!value || *value <= 0 || *value > (std::int64_t{1} << (62 - shift))) return std::nullopt;
  return *value << shift;
}

std::optional<std::vector<int>> parse_id_list(std::string_view text) {
  text = trimmed(text);
  std::vector<int> ids;
  for (bool more = true; more;) {
    const auto comma = text.find(',');
    const auto part = text.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
    const auto dash = part.find('-', 1);
    const auto first = parse_integer(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_integer(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= most_ids) return std::nullopt;
    if (static_cast<std::int64_t>(ids.size()) + *last - *first >= 2 * most_ids) return std::nullopt;
    for (auto id = *first; id <= *last; ++id) ids.push_back(static_cast<int>(id));
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::optional<std::string> clean(std::string_view text) {
  std::string result(trimmed(text).substr(0, longest_text));
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  if (result.empty()) return std::nullopt;
  return result;
}

std::optional<std::string_view> field(std::string_view text, std::string_view key, char separator) {
  while (!text.empty()) {
    const auto newline = text.find('\n');
    const auto line = text.substr(0, newline);
    text = newline == std::string_view::npos ? std::string_view{} : text.substr(newline + 1);
    const auto split = line.find(separator);
    if (split != std::string_view::npos && trimmed(line.substr(0, split)) == key)
      return trimmed(line.substr(split + 1));
  }
  return std::nullopt;
}

Files::Files(std::string root) : root_(std::move(root)) {
  while (!root_.empty() && root_.back() == '/') root_.pop_back();
}

std::optional<std::string> Files::head(std::string_view path, std::size_t limit) const {
  const std::string full = root_ + std::string(path);
  // O_NONBLOCK: a pipe in the place of a file must not hang us.
  const int file = ::open(full.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // NOLINT(*-vararg)
  if (file < 0) return std::nullopt;
  std::string text(limit, '\0');
  std::size_t filled = 0;
  ssize_t got = 0;
  while (filled < limit && (got = ::read(file, text.data() + filled, limit - filled)) > 0)
    filled += static_cast<std::size_t>(got);
  ::close(file);
  if (got < 0) return std::nullopt;
  text.resize(filled);
  return text;
}

std::optional<std::string> Files::value(std::string_view path) const {
  const auto text = head(path, longest_value + 1);
  if (!text || text->size() > longest_value) return std::nullopt;
  const auto inner = trimmed(*text);
  if (inner.empty()) return std::nullopt;
  return std::string(inner);
}

std::optional<std::int64_t> Files::integer(std::string_view path) const {
  const auto text = value(path);
  return text ? parse_integer(*text) : std::nullopt;
}

std::optional<std::vector<int>> Files::ids(std::string_view path) const {
  const auto text = value(path);
  return text ? parse_id_list(*text) : std::nullopt;
}

std::vector<std::string> Files::names(std::string_view folder, std::string_view prefix) const {
  const std::string full = root_ + std::string(folder);
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(full.c_str()), ::closedir);
  if (!entries) return names;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (name.starts_with(prefix)) names.emplace_back(name.substr(prefix.size()));
  }
  return names;
}

std::vector<int> Files::numbered(std::string_view folder, std::string_view prefix) const {
  std::vector<int> numbers;
  for (const auto& name : names(folder, prefix)) {
    const auto number = parse_integer(name);
    if (number && *number >= 0 && *number < most_ids) numbers.push_back(static_cast<int>(*number));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace ridge::device::cpu
