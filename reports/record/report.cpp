// The exit status that a report's records add up to.
#include "reports/record/report.hpp"

#include "reports/record/names.hpp"

namespace ridge::record {
namespace {

constexpr Names<Severity, 3> severities{
    {{Severity::note, "note"}, {Severity::warning, "warning"}, {Severity::problem, "problem"}}};

}  // namespace

std::string_view to_string(Severity severity) {
  return name_of(severities, severity);
}
std::optional<Severity> severity_from(std::string_view text) {
  return named(severities, text);
}

Exit exit_of(const Report& report) {
  std::vector<Exit> outcomes;
  bool measured = false;
  for (const Record& record : report.records) {
    switch (record.status) {
      case Status::ok:
      case Status::suspect:
        measured = true;
        if (record.failure != Failure::none) outcomes.push_back(Exit::failed);  // fewer rounds than asked for
        break;
      case Status::skipped:
        break;
      case Status::failed:
        outcomes.push_back(record.failure == Failure::wrong_answer ? Exit::worse : Exit::failed);
        break;
      case Status::not_run:
        outcomes.push_back(Exit::failed);
        break;
    }
  }
  if (!measured) outcomes.push_back(Exit::nothing_ran);
  return strongest(outcomes);
}

}  // namespace ridge::record
