// Names of statuses and the order in which exit statuses outrank each other.
#include "reports/record/status.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ridge::record {
namespace {

constexpr std::array<std::pair<Status, std::string_view>, 5> names{{{Status::ok, "ok"},
                                                                    {Status::suspect, "suspect"},
                                                                    {Status::skipped, "skipped"},
                                                                    {Status::failed, "failed"},
                                                                    {Status::not_run, "not_run"}}};

constexpr std::array precedence{Exit::interrupted, Exit::terminated,     Exit::usage,     Exit::worse,
                                Exit::failed,      Exit::not_comparable, Exit::undecided, Exit::nothing_ran};

}  // namespace

std::string_view to_string(Status status) {
  return std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == status; })->second;
}

std::optional<Status> status_from(std::string_view text) {
  const auto* found = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.second == text; });
  if (found == names.end()) return std::nullopt;
  return found->first;
}

Exit strongest(std::span<const Exit> outcomes) {
  for (const Exit candidate : precedence)
    if (std::find(outcomes.begin(), outcomes.end(), candidate) != outcomes.end()) return candidate;
  return Exit::success;
}

}  // namespace ridge::record
