// Whether a case gave a number, and the exit status that a set of such outcomes makes.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace ridge::record {

// A record is one of these, with a reason for all but `ok`.
//   ok       measured and right
//   suspect  measured, but something about it should stop a person from trusting it
//   skipped  could not apply here (no such hardware, a suite's size that does not fit)
//   failed   was asked for and went wrong (device error, wrong answer, out of memory, time-out)
//   not_run  the run ended before its turn
enum class Status { ok, suspect, skipped, failed, not_run };

// What went wrong with a failed record: a wrong answer outweighs a measurement that could not be made.
enum class Failure { none, wrong_answer, measurement };

std::string_view to_string(Status status);
std::optional<Status> status_from(std::string_view text);
std::string_view to_string(Failure failure);
std::optional<Failure> failure_from(std::string_view text);

// The exit statuses of every command; printed in --help.
enum class Exit : int {
  success = 0,         // all that was asked for was measured, or the gate passed
  worse = 1,           // a regression, a wrong answer, or an unhealthy verdict
  usage = 2,           // bad arguments, unreadable or malformed file
  not_comparable = 3,  // other machine, unit, workload, or no baseline
  failed = 4,          // a measurement failed: device error, time-out, out of memory
  nothing_ran = 5,     // no match, or everything skipped
  undecided = 6,       // the data cannot tell (gate)
  interrupted = 130,   // SIGINT; the partial report is valid and says so
  terminated = 143,    // SIGTERM; likewise
};

// The one that counts of several: a signal overrides, then the first of 2, 1, 4, 3, 6, 5; `success` of none.
Exit strongest(std::span<const Exit> outcomes);

}  // namespace ridge::record
