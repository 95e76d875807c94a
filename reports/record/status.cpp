// Names of statuses and the order in which exit statuses outrank each other.
#include "reports/record/status.hpp"

#include <algorithm>
#include <array>

#include "reports/record/names.hpp"

namespace ridge::record {
namespace {

constexpr Names<Status, 5> statuses{{{Status::ok, "ok"},
                                     {Status::suspect, "suspect"},
                                     {Status::skipped, "skipped"},
                                     {Status::failed, "failed"},
                                     {Status::not_run, "not_run"}}};

constexpr Names<Failure, 3> failures{
    {{Failure::none, "none"}, {Failure::wrong_answer, "wrong_answer"}, {Failure::measurement, "measurement"}}};

constexpr std::array precedence{Exit::interrupted, Exit::terminated,     Exit::usage,     Exit::worse,
                                Exit::failed,      Exit::not_comparable, Exit::undecided, Exit::nothing_ran};

}  // namespace

std::string_view to_string(Status status) {
  return name_of(statuses, status);
}
std::optional<Status> status_from(std::string_view text) {
  return named(statuses, text);
}

std::string_view to_string(Failure failure) {
  return name_of(failures, failure);
}
std::optional<Failure> failure_from(std::string_view text) {
  return named(failures, text);
}

Exit strongest(std::span<const Exit> outcomes) {
  for (const Exit candidate : precedence)
    if (std::find(outcomes.begin(), outcomes.end(), candidate) != outcomes.end()) return candidate;
  return Exit::success;
}

}  // namespace ridge::record
