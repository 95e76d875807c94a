// How values are taken from the text: single ones, lists, and what may be null. Objects are in take_object.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/json/read.hpp"

namespace ridge::json {

// The scanner, and where finished records go when the report is not to hold them; their samples are dropped then.
struct Reader : Scanner {
  Reader(std::string_view text, const std::string& name, const RecordSink* to) : Scanner(text, name), sink(to) {}
  const RecordSink* sink;
};

// Text of the document as a message may show it.
std::string shown(std::string_view text);

inline void take(Reader& in, double& to) {
  to = in.number();
}
inline void take(Reader& in, bool& to) {
  to = in.boolean();
}
inline void take(Reader& in, std::int64_t& to) {
  to = in.integer();
}
inline void take(Reader& in, std::uint64_t& to) {
  to = in.natural();
}
inline void take(Reader& in, std::string& to) {
  to = in.text();
}
void take(Reader& in, int& to);
void take(Reader& in, record::Status& to);
void take(Reader& in, record::Check& to);
void take(Reader& in, record::Severity& to);
void take(Reader& in, record::Better& to);
void take(Reader& in, record::Unit& to);
void take(Reader& in, record::Failure& to);
void take(Reader& in, record::Value& to);
void take(Reader& in, record::Point& to);
void take(Reader& in, std::map<std::string, std::string>& to);
void take(Reader& in, std::vector<record::Record>& to);  // in read.cpp: they may go elsewhere

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

inline void take(Reader& in, std::vector<double>& to) {
  constexpr std::size_t usual = 32;  // samples of a record: grown to at once
  const bool keep = in.sink == nullptr;
  if (keep) to.reserve(usual);
  in.open_array();
  for (std::size_t index = 0; in.next_element(); ++index) {
    const Scanner::Step step(in, index);
    if (keep)
      to.push_back(in.number());
    else
      in.check_number();
  }
}

}  // namespace ridge::json
