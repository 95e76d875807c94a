// The one parser of quantities that a person types: sizes, counts, durations, ranges and lists of them.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::bench {

// Bad arguments: exit status 2. The message names the option and shows what is allowed.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// "4096", "64Ki", "1MiB", "2G" (10⁹), "1.5GiB" where that is whole. At least 1, at most 2⁶³-1. UsageError otherwise.
std::int64_t parse_bytes(std::string_view text);

// A whole number of at least 1; "1Ki", "2M" as for bytes but without a trailing B.
std::int64_t parse_count(std::string_view text);

// "2", "2s", "10ms", "500us", "1min": seconds, more than 0.
double parse_seconds(std::string_view text);

// One element of a list after `one` has read it: "1Ki:1Gi:*2" (geometric), "1:9:+2" (arithmetic), "1:8" (every power of
// two times the start, up to the end), or a single value; comma-separated. Ends are inclusive where they are met.
std::vector<std::int64_t> parse_list(std::string_view text, const std::function<std::int64_t(std::string_view)>& one);

// "a,b,c" → a, b, c. UsageError on an empty element.
std::vector<std::string> split_list(std::string_view text);

// Up to three of `names` that are nearest to `wrong` by edit distance, equally near; none where all are far, as those
// are that share nothing with it.
std::vector<std::string> nearest(std::string_view wrong, const std::vector<std::string>& names);

// " (did you mean a, b?)" or nothing.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& names);

// "'f46' is not one of f64, f32, bf16 (did you mean f64?)": nothing is suggested where that would be the whole list
// again.
std::string not_one_of(std::string_view wrong, const std::vector<std::string>& names);

}  // namespace ridge::bench
