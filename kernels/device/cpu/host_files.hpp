// Small files of the kernel under a root that tests can replace, and strict parsers: what does not parse is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::device::cpu {

// Whole text as one decimal integer, surrounding white space allowed; nothing for junk, overflow or an empty text.
std::optional<std::int64_t> parse_integer(std::string_view text);
// "32K", "1024K", "32M", "64": bytes, K = 1024; nothing for junk, zero or negative sizes.
std::optional<std::int64_t> parse_cache_size(std::string_view text);
// "0-1,4,6-7": ascending, without duplicates; nothing for junk, for a range that runs backwards, or for ids from 65536
// on.
std::optional<std::vector<int>> parse_id_list(std::string_view text);
// Without white space around it.
std::string_view trimmed(std::string_view text);
// Fit for a report: printable ASCII only ('?' for the rest), at most 200 characters; nothing when nothing is left.
std::optional<std::string> clean(std::string_view text);
// The value of the first line "KEY<blanks>:<blanks>VALUE" (or with another separator) in a text of many lines.
std::optional<std::string_view> field(std::string_view text, std::string_view key, char separator = ':');

class Files {
 public:
  explicit Files(std::string root);

  // The first `limit` bytes of a file given as "/proc/…"; nothing when it cannot be read.
  [[nodiscard]] std::optional<std::string> head(std::string_view path, std::size_t limit = 65536) const;
  // A file that holds one short value, trimmed; nothing when it is absent, empty, or longer than 4 KiB.
  [[nodiscard]] std::optional<std::string> value(std::string_view path) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view path) const;
  [[nodiscard]] std::optional<std::vector<int>> ids(std::string_view path) const;
  // What follows `prefix` in the names of a folder's entries that start with it, in no order.
  [[nodiscard]] std::vector<std::string> names(std::string_view folder, std::string_view prefix) const;
  // The numbers n of all entries "PREFIXn" in a folder, ascending: cpu0, cpu3 → 0, 3.
  [[nodiscard]] std::vector<int> numbered(std::string_view folder, std::string_view prefix) const;

  [[nodiscard]] const std::string& root() const { return root_; }

 private:
  std::string root_;  // without a slash at the end; empty for "/"
};

}  // namespace ridge::device::cpu
