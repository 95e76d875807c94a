// Objects, taken by the list of keys that fields.hpp and report_fields.hpp have for them.
#pragma once

#include <fmt/format.h>

#include <set>

#include "reports/json/report_fields.hpp"
#include "reports/json/take.hpp"

namespace ridge::json {

template <class T>
void take_member(Reader& in, std::string_view name, T& member) {
  const Scanner::Step step(in, name);
  take(in, member);
}

inline void take_reason(Reader& in, std::string_view name, std::string& text) {
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

}  // namespace ridge::json
