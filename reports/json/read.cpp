// From JSON text to the record's structs, in one pass and without a document tree in between.
#include "reports/json/read.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <set>

#include "reports/json/report_fields.hpp"
#include "reports/record/text.hpp"

namespace ridge::json {
namespace {

// The scanner, and where finished records go when the report is not to hold them.
struct Reader : Scanner {
  Reader(std::string_view text, const std::string& name, const RecordSink* to) : Scanner(text, name), sink(to) {}
  const RecordSink* sink;
};

std::string shown(std::string_view text) {
  return record::cut(record::printable(text), 80);
}

// Reports from before a wrong answer had a name of its own: the verification tells.
void complete(record::Record& record) {
  if (record.status == record::Status::failed && record.failure == record::Failure::none)
    record.failure = record.verification.status == record::Check::failed ? record::Failure::wrong_answer
                                                                         : record::Failure::measurement;
}

void take(Reader& in, double& to) {
  to = in.number();
}
void take(Reader& in, bool& to) {
  to = in.boolean();
}
void take(Reader& in, std::int64_t& to) {
  to = in.integer();
}
void take(Reader& in, std::uint64_t& to) {
  to = in.natural();
}
void take(Reader& in, std::string& to) {
  to = in.text();
}

void take(Reader& in, int& to) {
  const std::int64_t wide = in.integer();
  if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
    in.refuse("expected an integer of at most 32 bits");
  to = static_cast<int>(wide);
}

template <class Enum>
void take_name(Reader& in, Enum& to, std::optional<Enum> (*from)(std::string_view), std::string_view allowed) {
  const std::string_view name = in.text();
  const std::optional<Enum> value = from(name);
  if (!value) in.refuse(fmt::format("\"{}\" is none of {}", shown(name), allowed));
  to = *value;
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

template <class T>
void take(Reader& in, T& to);

template <class T>
void take(Reader& in, std::optional<T>& to) {
  if (in.peek() == Scanner::Kind::null) return in.null();
  to.emplace();
  take(in, *to);
}

template <class T>
void take(Reader& in, std::vector<T>& to) {
  in.open_array();
  while (in.next_element()) {
    const Scanner::Step step(in, to.size());
    take(in, to.emplace_back());
  }
}

void take(Reader& in, std::vector<double>& to) {
  constexpr std::size_t usual = 32;  // samples of a record: grown to at once
  to.reserve(usual);
  in.open_array();
  while (in.next_element()) {
    const Scanner::Step step(in, to.size());
    to.push_back(in.number());
  }
}

void take(Reader& in, std::vector<record::Record>& to) {
  std::size_t index = 0;
  in.open_array();
  while (in.next_element()) {
    const Scanner::Step step(in, index++);
    take(in, to.emplace_back());
    complete(to.back());
    if (in.sink == nullptr) continue;
    (*in.sink)(to.back());
    to.clear();
  }
}

template <class T>
void take_member(Reader& in, std::string_view name, T& member) {
  const Scanner::Step step(in, name);
  take(in, member);
}

void take_reason(Reader& in, std::string_view name, std::string& text) {
  const Scanner::Step step(in, name);
  if (in.peek() == Scanner::Kind::null)
    in.null();
  else
    text = in.text();
}

// Walks the list of keys once and takes those that the text has in the same order, as our own reports do: one
// comparison a key.
class InOrder {
 public:
  InOrder(Reader& in, std::uint64_t& seen) : in_(in), seen_(seen), more_(in.next_member()) {}

  template <std::size_t N, class T>
  void operator()(const char (&name)[N], T& member) {
    if (matches(name)) {
      take_member(in_, name, member);
      more_ = in_.next_member();
    }
    ++index_;
  }
  template <std::size_t N, class T>
  void required(const char (&name)[N], T& member) {
    (*this)(name, member);
  }
  template <std::size_t N>
  void reason(const char (&name)[N], std::string& text) {
    if (matches(name)) {
      take_reason(in_, name, text);
      more_ = in_.next_member();
    }
    ++index_;
  }
  [[nodiscard]] bool more() const { return more_; }

 private:
  template <std::size_t N>
  bool matches(const char (&name)[N]) {
    if (!more_ || !in_.take_key(name)) return false;
    seen_ |= std::uint64_t{1} << index_;
    return true;
  }

  Reader& in_;
  std::uint64_t& seen_;  // one bit a key, in the order of the list
  unsigned index_ = 0;
  bool more_;  // a member is next in the text
};

// Walks the list of keys for one key of the text, wherever it stands, and reads the member it belongs to.
class Matcher {
 public:
  Matcher(Reader& in, std::string_view key, std::uint64_t& seen) : in_(in), key_(key), seen_(seen) {}

  template <class T>
  void operator()(std::string_view name, T& member) {
    if (matches(name)) take_member(in_, name, member);
    ++index_;
  }
  template <class T>
  void required(std::string_view name, T& member) {
    (*this)(name, member);
  }
  void reason(std::string_view name, std::string& text) {
    if (matches(name)) take_reason(in_, name, text);
    ++index_;
  }
  [[nodiscard]] bool found() const { return found_; }

 private:
  bool matches(std::string_view name) {
    if (found_ || name != key_) return false;
    found_ = true;
    const std::uint64_t bit = std::uint64_t{1} << index_;
    if ((seen_ & bit) != 0) in_.refuse(fmt::format("the key \"{}\" occurs twice", name));
    seen_ |= bit;
    return true;
  }

  Reader& in_;
  std::string_view key_;  // no longer looked at once found
  std::uint64_t& seen_;
  unsigned index_ = 0;
  bool found_ = false;
};

// Refuses the object just read for a required key that it did not have.
class Missing {
 public:
  Missing(Scanner& in, std::uint64_t seen) : in_(in), seen_(seen) {}

  template <class T>
  void operator()(std::string_view, T&) {
    ++index_;
  }
  template <class T>
  void required(std::string_view name, T&) {
    if ((seen_ >> index_ & 1U) == 0) in_.refuse(fmt::format("the key \"{}\" is missing", name));
    ++index_;
  }
  void reason(std::string_view, std::string&) { ++index_; }

 private:
  Scanner& in_;
  std::uint64_t seen_;
  unsigned index_ = 0;
};

template <class T>
void take(Reader& in, T& to) {
  std::uint64_t seen = 0;
  in.open_object();
  InOrder in_order(in, seen);
  describe(in_order, to);
  if (in_order.more()) {
    std::set<std::string, std::less<>> unknown;
    do {
      const std::string_view key = in.key();
      Matcher matcher(in, key, seen);
      describe(matcher, to);
      if (matcher.found()) continue;
      const auto [place, fresh] = unknown.emplace(key);
      if (!fresh) in.refuse(fmt::format("the key \"{}\" occurs twice", shown(key)));
      const Scanner::Step step(in, *place);
      in.skip();
    } while (in.next_member());
  }
  Missing missing(in, seen);
  describe(missing, to);
}

void check_version(Scanner& in) {
  const std::string version(in.text());
  int major = -1;
  int minor = -1;
  const char* const end = version.data() + version.size();
  const auto dot = std::from_chars(version.data(), end, major);
  const bool has_minor = dot.ec == std::errc{} && dot.ptr != end && *dot.ptr == '.';
  const auto rest = std::from_chars(has_minor ? dot.ptr + 1 : end, end, minor);
  if (!has_minor || rest.ec != std::errc{} || rest.ptr != end || major < 0 || minor < 0)
    in.refuse(fmt::format("\"{}\" is not a version such as \"1.0\"", shown(version)));
  if (major != record::schema_major)
    in.refuse(fmt::format("version {} of the schema; this program reads {}.x", shown(version), record::schema_major));
}

// What kind of document this is decides whether its other fields mean anything, wherever its keys stand.
void check_schema(Scanner& in) {
  bool schema = false;
  bool version = false;
  std::string_view view;
  in.open_object();
  while (!(schema && version) && in.next_key(view)) {
    const std::string key(view);
    const Scanner::Step step(in, key);
    if (key == "schema") {
      const std::string_view name = in.text();
      if (name != record::schema_name) in.refuse(fmt::format("\"{}\" is not \"{}\"", shown(name), record::schema_name));
      schema = true;
    } else if (key == "schema_version") {
      check_version(in);
      version = true;
    } else {
      in.skip();
    }
  }
  if (!schema) in.refuse("the key \"schema\" is missing: this is not a Ridge report");
  if (!version) in.refuse("the key \"schema_version\" is missing");
  in.rewind();
}

record::Report read(std::string_view text, const std::string& name, const RecordSink* sink) {
  Reader in(text, name, sink);
  if (text.empty()) in.refuse("it is empty");
  check_schema(in);
  record::Report report;
  take(in, report);
  in.end();
  return report;
}

}  // namespace

record::Report read(std::string_view text, const std::string& name) {
  return read(text, name, nullptr);
}

record::Report read(std::string_view text, const std::string& name, const RecordSink& each) {
  return read(text, name, &each);
}

}  // namespace ridge::json
