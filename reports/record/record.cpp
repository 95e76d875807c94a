// Finding things in a record, and what identifies one.
#include "reports/record/record.hpp"

#include <algorithm>

#include "reports/record/names.hpp"

namespace ridge::record {
namespace {

constexpr Names<Check, 3> checks{
    {{Check::passed, "passed"}, {Check::failed, "failed"}, {Check::not_applicable, "not_applicable"}}};

}  // namespace

std::string_view to_string(Check check) {
  return name_of(checks, check);
}
std::optional<Check> check_from(std::string_view text) {
  return named(checks, text);
}

const Metric* Record::metric(std::string_view name) const {
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const Metric& m) { return m.name == name; });
  return found == metrics.end() ? nullptr : &*found;
}

std::string identity(const Record& record) {
  std::string text = record.benchmark;
  if (!record.point.empty()) text.append(" ").append(record.point.to_text());
  return text.append(" on ").append(record.device);
}

}  // namespace ridge::record
