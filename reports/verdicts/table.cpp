// The comparison for a terminal.
#include <fmt/format.h>

#include "reports/record/text.hpp"
#include "reports/sinks/grid.hpp"
#include "reports/verdicts/verdicts.hpp"
#include "reports/verdicts/words.hpp"

namespace ridge::verdicts {
namespace {

using compare::Comparison;
using compare::Row;
using compare::Verdict;
using record::printable;
using sinks::Paint;

Paint paint_of(const Row& row, bool strict) {
  if (fails(row, strict)) return Paint::red;
  if (row.judgement.verdict == Verdict::undecided) return Paint::yellow;
  return row.judgement.verdict == Verdict::same || !row.gated ? Paint::dim : Paint::bold;
}

void add_wrapped(std::string& out, const std::string& text, std::size_t columns, std::size_t indent) {
  for (const auto& line : sinks::wrap(std::string(indent, ' ') + printable(text), columns, indent)) out += line + "\n";
}

// Name on a line of its own when it leaves no room for the figures.
void add_rows(std::string& out, const std::vector<const Row*>& rows, const Comparison& comparison,
              const Layout& layout) {
  std::vector<sinks::Column> columns{{"verdict", true, {}}, {"baseline", false, {}},      {"new", false, {}},
                                     {"change", false, {}}, {"95 % interval", false, {}}, {"tolerance", false, {}}};
  for (const Row* row : rows) {
    const bool figures = has_figures(*row);
    const auto cell = [&](std::size_t column, std::string text) { columns[column].cells.push_back(std::move(text)); };
    cell(0, verdict_text(*row));
    cell(1, figures ? figure(row->judgement.base, row->unit) : "-");
    cell(2, figures ? figure(row->judgement.fresh, row->unit) : "-");
    cell(3, figures ? signed_percent(change(*row)) : "-");
    cell(4, figures ? interval_text(*row) : "-");
    cell(5, figures ? percent(row->judgement.tolerance) : "-");
  }
  const sinks::Grid grid(std::move(columns));
  out += sinks::paint(grid.heading(), Paint::bold, layout.colour) + "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add_wrapped(out, rows[i]->name(), layout.columns, 0);
    out += sinks::paint(grid.row(i), paint_of(*rows[i], comparison.strict), layout.colour) + "\n";
    if (const auto why = explanation(*rows[i]); !why.empty()) add_wrapped(out, why, layout.columns, 4);
  }
}

std::string value_or_unknown(const std::optional<std::string>& value) {
  return value.value_or("unknown");
}

}  // namespace

std::string table(const Comparison& comparison, const Layout& layout) {
  constexpr std::size_t shown_in_full = 40;
  const bool all = layout.all || comparison.rows.size() <= shown_in_full;
  std::vector<const Row*> rows;
  for (const Row& row : comparison.rows)
    if (row.judgement.verdict != Verdict::same) rows.push_back(&row);
  if (all)
    for (const Row& row : comparison.rows)
      if (row.judgement.verdict == Verdict::same) rows.push_back(&row);
  std::string out;
  if (!rows.empty()) {
    add_rows(out, rows, comparison, layout);
    out += "\n";
  }
  if (!comparison.differences.empty()) {
    out += "The machines differ:\n";
    for (const auto& each : comparison.differences)
      add_wrapped(
          out,
          fmt::format("{}: {} in the baseline, {} now{}", each.field, value_or_unknown(each.a),
                      value_or_unknown(each.b), each.tier == record::Tier::identity ? " (another machine)" : ""),
          layout.columns, 2);
  }
  for (const auto& note : comparison.notes) add_wrapped(out, "note: " + note, layout.columns, 0);
  add_wrapped(out, capability(comparison), layout.columns, 0);
  const bool passed = comparison.exit() == record::Exit::success;
  return out + sinks::paint(headline(comparison), passed ? Paint::bold : Paint::red, layout.colour) + "\n";
}

}  // namespace ridge::verdicts
