// The comparison as a JUnit report: each metric is a test case.
#include <fmt/format.h>

#include "reports/record/text.hpp"
#include "reports/verdicts/verdicts.hpp"
#include "reports/verdicts/words.hpp"

namespace ridge::verdicts {
namespace {

using compare::Comparison;
using compare::Row;
using compare::Verdict;

std::string xml(const std::string& text) {
  std::string out;
  for (const char each : record::printable(text)) {  // XML 1.0 cannot hold control characters even when escaped
    switch (each) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += each;
    }
  }
  return out;
}

std::string message(const Row& row) {
  std::string text = verdict_text(row);
  if (has_figures(row))
    text += fmt::format(": {} -> {} ({}, 95 % {}), tolerance {}", figure(row.judgement.base, row.unit),
                        figure(row.judgement.fresh, row.unit), signed_percent(change(row)), interval_text(row),
                        percent(row.judgement.tolerance));
  const auto why = explanation(row);
  return why.empty() ? text : text + "; " + why;
}

// failure: worse. error: could not be judged. skipped: judged, and says nothing.
const char* element(const Row& row, bool strict) {
  if (!row.gated) return "skipped";
  if (row.judgement.verdict == Verdict::regressed) return "failure";
  if (row.judgement.verdict == Verdict::undecided) return strict ? "failure" : "skipped";
  return fails(row, strict) ? "error" : nullptr;
}

}  // namespace

std::string junit(const Comparison& comparison) {
  std::string cases;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  for (const Row& row : comparison.rows) {
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml(row.id), xml(row.metric));
    const char* const kind = element(row, comparison.strict);
    if (kind == nullptr) {
      cases += "/>\n";
      continue;
    }
    failures += kind == std::string_view("failure") ? 1 : 0;
    errors += kind == std::string_view("error") ? 1 : 0;
    skipped += kind == std::string_view("skipped") ? 1 : 0;
    cases += fmt::format(">\n      <{} message=\"{}\"/>\n    </testcase>\n", kind, xml(message(row)));
  }
  // What fails as a whole (another machine, nothing to compare) must not look like an empty, passing suite.
  if (comparison.exit() != record::Exit::success && failures + errors == 0) {
    ++errors;
    cases += fmt::format(
        "    <testcase classname=\"ridge\" name=\"comparison\">\n      <error message=\"{}\"/>\n    </testcase>\n",
        xml(headline(comparison)));
  }
  std::string properties;
  for (const auto& note : comparison.notes)
    properties += fmt::format("      <property name=\"note\" value=\"{}\"/>\n", xml(note));
  for (const auto& each : comparison.differences)
    properties += fmt::format("      <property name=\"machine: {}\" value=\"{} | {}\"/>\n", xml(each.field),
                              xml(each.a.value_or("unknown")), xml(each.b.value_or("unknown")));
  const std::string totals =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
                  comparison.rows.size() + (comparison.rows.empty() && errors > 0 ? 1 : 0), failures, errors, skipped);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite name=\"ridge gate\" {0}>\n"
      "    <properties>\n{1}    </properties>\n{2}  </testsuite>\n</testsuites>\n",
      totals, properties, cases);
}

}  // namespace ridge::verdicts
