// Sizes, counts, durations, ranges and lists, always 64-bit, never locale-dependent.
#include "bench/harness/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace ridge::bench {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t list_limit = 100'000;
constexpr const char* bytes_help = "a size such as 4096, 64Ki, 1MiB or 2G (G = 10^9), from 1 to 2^63-1 bytes";
constexpr const char* count_help = "a whole number such as 4, 1000 or 64Ki, from 1 to 2^63-1";

std::optional<std::int64_t> multiplier(std::string_view suffix) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 12> table{{{"", 1},
                                                                                    {"k", 1000},
                                                                                    {"K", 1000},
                                                                                    {"M", 1'000'000},
                                                                                    {"G", 1'000'000'000},
                                                                                    {"T", 1'000'000'000'000},
                                                                                    {"Ki", 1LL << 10},
                                                                                    {"ki", 1LL << 10},
                                                                                    {"Mi", 1LL << 20},
                                                                                    {"Gi", 1LL << 30},
                                                                                    {"Ti", 1LL << 40},
                                                                                    {"Pi", 1LL << 50}}};
  for (const auto& [name, factor] : table)
    if (name == suffix) return factor;
  return std::nullopt;
}

// Splits "1.5Gi" into its digits and its suffix; digits are [0-9]+ with at most one point inside.
std::pair<std::string_view, std::string_view> split_number(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || text[end] == '.')) ++end;
  return {text.substr(0, end), text.substr(end)};
}

std::int64_t parse_scaled(std::string_view text, std::string_view suffix, const char* help) {
  const auto fail = [&](const char* why) -> UsageError {
    return UsageError(fmt::format("'{}' {}; expected {}", text, why, help));
  };
  const std::string_view digits = split_number(text).first;
  const auto factor = multiplier(suffix);
  if (digits.empty() || !factor) throw fail("is not a number");
  std::int64_t whole = 0;
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
  if (error == std::errc::result_out_of_range) throw fail("is too large");
  if (error != std::errc{}) throw fail("is not a number");
  std::int64_t value = 0;
  if (__builtin_mul_overflow(whole, *factor, &value)) throw fail("is too large");
  if (rest != digits.data() + digits.size()) {  // a fraction: exact only where the suffix makes it whole
    double fraction = 0;
    const auto parsed = std::from_chars(rest, digits.data() + digits.size(), fraction);
    if (parsed.ec != std::errc{} || parsed.ptr != digits.data() + digits.size() || rest + 1 == parsed.ptr)
      throw fail("is not a number");
    const double extra = fraction * static_cast<double>(*factor);
    if (extra != std::floor(extra)) throw fail("is not whole");
    if (__builtin_add_overflow(value, static_cast<std::int64_t>(extra), &value)) throw fail("is too large");
  }
  if (value < 1) throw fail("is below 1");
  return value;
}

// Insertions, deletions, replacements and swaps of neighbours, each 1 (Damerau's, restricted).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

// A name that shares nothing with the word is far from it, however short both are: "2" is not a misspelt "0".
std::size_t distance_to(std::string_view wrong, std::string_view name) {
  const std::size_t distance = edit_distance(wrong, name);
  return distance < std::max(wrong.size(), name.size()) ? distance : std::string_view::npos;
}

void append_range(std::vector<std::int64_t>& out, std::string_view item,
                  const std::function<std::int64_t(std::string_view)>& one) {
  const std::size_t colon = item.find(':');
  const std::size_t second = item.find(':', colon + 1);
  const std::int64_t first = one(item.substr(0, colon));
  const std::int64_t last = one(item.substr(colon + 1, second == item.npos ? item.npos : second - colon - 1));
  const std::string_view step = second == item.npos ? std::string_view("*2") : item.substr(second + 1);
  const auto fail = [&](const char* why) {
    return UsageError(
        fmt::format("range '{}' {}; expected first:last, first:last:*factor or first:last:+step", item, why));
  };
  if (step.size() < 2 || (step[0] != '*' && step[0] != '+')) throw fail("has no step such as *2 or +1");
  const std::int64_t by = one(step.substr(1));
  if (step[0] == '*' && by < 2) throw fail("does not grow");
  if (last < first) throw fail("ends before it starts");
  for (std::int64_t value = first; value <= last;) {
    out.push_back(value);
    if (out.size() > list_limit) throw fail("has too many values");
    const bool overflow =
        step[0] == '*' ? __builtin_mul_overflow(value, by, &value) : __builtin_add_overflow(value, by, &value);
    if (overflow) break;
  }
}

}  // namespace

std::int64_t parse_bytes(std::string_view text) {
  std::string_view suffix = split_number(text).second;
  if (!suffix.empty() && (suffix.back() == 'B' || suffix.back() == 'b')) suffix.remove_suffix(1);
  return parse_scaled(text, suffix, bytes_help);
}

std::int64_t parse_count(std::string_view text) {
  return parse_scaled(text, split_number(text).second, count_help);
}

double parse_seconds(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 6> units{
      {{"", 1.0}, {"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60.0}, {"h", 3600.0}}};
  const auto [digits, suffix] = split_number(text);
  double number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  for (const auto& [name, scale] : units)
    if (name == suffix && parsed.ec == std::errc{} && parsed.ptr == digits.data() + digits.size() && number > 0 &&
        std::isfinite(number * scale))
      return number * scale;
  throw UsageError(fmt::format("'{}' is not a duration; expected more than 0, such as 2s, 10ms, 500us or 1min", text));
}

std::vector<std::int64_t> parse_list(std::string_view text, const std::function<std::int64_t(std::string_view)>& one) {
  std::vector<std::int64_t> values;
  for (const std::string& item : split_list(text)) {
    if (item.find(':') == std::string::npos)
      values.push_back(one(item));
    else
      append_range(values, item, one);
  }
  return values;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin)
      throw UsageError(fmt::format("'{}' has an empty element; expected values separated by commas", text));
    items.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

std::vector<std::string> nearest(std::string_view wrong, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& name : names) {
    const std::string last = name.substr(name.rfind('.') + 1);  // "triadd" is near "bandwidth.triad"
    const std::size_t distance = std::min(distance_to(wrong, name), distance_to(wrong, last));
    if (distance <= std::max<std::size_t>(1, wrong.size() / 3)) ranked.emplace_back(distance, name);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> found;
  for (std::size_t i = 0; i < ranked.size() && i < 3 && ranked[i].first == ranked.front().first; ++i)
    found.push_back(ranked[i].second);
  return found;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& names) {
  const auto found = nearest(wrong, names);
  return found.empty() ? std::string() : fmt::format(" (did you mean {}?)", fmt::join(found, ", "));
}

std::string not_one_of(std::string_view wrong, const std::vector<std::string>& names) {
  const bool some = nearest(wrong, names).size() < names.size();
  return fmt::format("'{}' is not one of {}{}", wrong, fmt::join(names, ", "),
                     some ? did_you_mean(wrong, names) : std::string());
}

}  // namespace ridge::bench
