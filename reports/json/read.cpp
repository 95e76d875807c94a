// From JSON text to the record's structs, in one pass and without a document tree in between.
#include "reports/json/read.hpp"

#include <fmt/format.h>

#include <charconv>

#include "reports/json/take_object.hpp"

namespace ridge::json {
namespace {

// Reports from before a wrong answer had a name of its own: the verification tells.
void complete(record::Record& record) {
  if (record.status == record::Status::failed && record.failure == record::Failure::none)
    record.failure = record.verification.status == record::Check::failed ? record::Failure::wrong_answer
                                                                         : record::Failure::measurement;
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

record::Report read(std::string_view text, const std::string& name) {
  return read(text, name, nullptr);
}

record::Report read(std::string_view text, const std::string& name, const RecordSink& each) {
  return read(text, name, &each);
}

}  // namespace ridge::json
