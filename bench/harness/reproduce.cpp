// Writes reproduction lines, and the names that settings have in them.
#include "bench/harness/reproduce.hpp"

#include <fmt/format.h>

namespace ridge::bench {

std::string_view to_string(Fill fill) {
  switch (fill) {
    case Fill::zero:
      return "zero";
    case Fill::ones:
      return "ones";
    case Fill::random:
      break;
  }
  return "random";
}
std::string_view to_string(CachePolicy policy) {
  return policy == CachePolicy::cold ? "cold" : "warm";
}

std::string reproduction(const record::Record& record, const Settings& settings) {
  const std::size_t dot = record.benchmark.find('.');
  std::string line = "ridge " + record.benchmark.substr(0, dot);
  if (dot != std::string::npos) line += " " + record.benchmark.substr(dot + 1);
  line += " --device " + record.device;
  for (const auto& [axis, value] : record.point.values())
    line += fmt::format(" --{} {}", axis, shell_word(record::to_text(value)));
  line += fmt::format(" --cache {} --fill {} --rounds {} --min-time {}s --seed {}", to_string(settings.cache),
                      to_string(settings.fill), settings.rounds, settings.min_time, settings.seed);
  return line;
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./%@";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace ridge::bench
