// Single values of every type that a report has: names from their lists, integers in their range, points.
#include "reports/json/take.hpp"

#include <fmt/format.h>

#include <limits>

#include "reports/record/text.hpp"

namespace ridge::json {

std::string shown(std::string_view text) {
  return record::cut(record::printable(text), 80);
}

namespace {

template <class Enum>
void take_name(Reader& in, Enum& to, std::optional<Enum> (*from)(std::string_view), std::string_view allowed) {
  const std::string_view name = in.text();
  const std::optional<Enum> value = from(name);
  if (!value) in.refuse(fmt::format("\"{}\" is none of {}", shown(name), allowed));
  to = *value;
}

}  // namespace

void take(Reader& in, int& to) {
  const std::int64_t wide = in.integer();
  if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
    in.refuse("expected an integer of at most 32 bits");
  to = static_cast<int>(wide);
}

void take(Reader& in, record::Status& to) {
  take_name(in, to, record::status_from, "ok, suspect, skipped, failed, not_run");
}
void take(Reader& in, record::Check& to) {
  take_name(in, to, record::check_from, "passed, failed, not_applicable");
}
void take(Reader& in, record::Severity& to) {
  take_name(in, to, record::severity_from, "note, warning, problem");
}
void take(Reader& in, record::Better& to) {
  take_name(in, to, record::better_from, "higher, lower, neither");
}
void take(Reader& in, record::Unit& to) {
  take_name(in, to, record::unit_from, "s, B, B/s, FLOP/s, OP/s, Hz, W, degC, 1, ratio");
}
void take(Reader& in, record::Failure& to) {
  if (in.peek() == Scanner::Kind::null) return in.null();
  take_name(in, to, record::failure_from, "none, wrong_answer, measurement");
}

void take(Reader& in, record::Value& to) {
  switch (in.peek()) {
    case Scanner::Kind::text:
      to = std::string(in.text());
      return;
    case Scanner::Kind::boolean:
      to = in.boolean();
      return;
    case Scanner::Kind::number:
      if (in.is_integral())
        to = in.integer();
      else
        to = in.number();
      return;
    default:
      in.refuse_kind("a number, text, true or false");
  }
}

void take(Reader& in, record::Point& to) {
  constexpr std::size_t most = 64;
  std::string_view view;
  in.open_object();
  while (in.next_key(view)) {
    const std::string axis(view);
    if (to.find(axis) != nullptr) in.refuse(fmt::format("the key \"{}\" occurs twice", shown(axis)));
    if (to.values().size() == most) in.refuse(fmt::format("more than {} axes", most));
    const Scanner::Step step(in, axis);
    record::Value value;
    take(in, value);
    to.set(axis, std::move(value));
  }
}

void take(Reader& in, std::map<std::string, std::string>& to) {
  std::string_view key;
  in.open_object();
  while (in.next_key(key)) {
    const auto [place, fresh] = to.emplace(key, "");
    if (!fresh) in.refuse(fmt::format("the key \"{}\" occurs twice", shown(key)));
    const Scanner::Step step(in, place->first);
    take(in, place->second);
  }
}

}  // namespace ridge::json
