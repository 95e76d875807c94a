// From the record's structs straight to JSON text.
#include "reports/json/write.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <stdexcept>

#include "reports/json/path.hpp"
#include "reports/json/plain_bytes.hpp"
#include "reports/json/report_fields.hpp"
#include "reports/record/utf8.hpp"

namespace ridge::json {
namespace {

// Three levels are spread over lines, one field a line, so that a text diff of two reports names the field that
// changed; what lies deeper stays on its line, so that a record is not longer than a screen.
class Writer {
 public:
  template <class T>
  void operator()(std::string_view key, const T& member) {
    separate();
    quote(key);
    out_ += spread() ? ": " : ":";
    path_.push_back({key, 0});
    put(member);
    path_.pop_back();
  }
  template <class T>
  void required(std::string_view key, const T& member) {
    (*this)(key, member);
  }
  void reason(std::string_view key, const std::string& text) {
    (*this)(key, text.empty() ? std::optional<std::string>() : text);
  }

  void open(char bracket) {
    out_ += bracket;
    ++depth_;
    first_ = true;
  }
  void close(char bracket) {
    const bool on_its_own_line = spread() && !first_;
    --depth_;
    if (on_its_own_line) new_line();
    out_ += bracket;
    first_ = false;
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  [[nodiscard]] bool spread() const { return depth_ <= 3; }
  void new_line() {
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
    if (spread()) new_line();
  }

  void quote(std::string_view text);
  void put(double number);
  void put(bool flag) { out_ += flag ? "true" : "false"; }
  void put(int number) { put(std::int64_t{number}); }
  void put(std::int64_t number) { put(fmt::format_int(number)); }
  void put(std::uint64_t number) { put(fmt::format_int(number)); }
  void put(const fmt::format_int& digits) { out_.append(digits.data(), digits.size()); }
  void put(const std::string& text) { quote(text); }
  void put(record::Status status) { quote(to_string(status)); }
  void put(record::Check check) { quote(to_string(check)); }
  void put(record::Severity severity) { quote(to_string(severity)); }
  void put(record::Better better) { quote(to_string(better)); }
  void put(record::Unit unit) { quote(symbol(unit)); }
  void put(record::Failure failure) {
    if (failure == record::Failure::none)
      out_ += "null";
    else
      quote(to_string(failure));
  }
  void put(const std::map<std::string, std::string>& entries) {
    open('{');
    for (const auto& [key, text] : entries) (*this)(key, text);
    close('}');
  }
  void put(const record::Point& point) {
    open('{');
    for (const auto& entry : point.values()) {  // clang 14 cannot capture a structured binding
      const std::string& axis = entry.first;
      std::visit([&](const auto& plain) { (*this)(axis, plain); }, entry.second);
    }
    close('}');
  }
  template <class T>
  void put(const std::optional<T>& member) {
    if (member)
      put(*member);
    else
      out_ += "null";
  }
  template <class T>
  void put(const std::vector<T>& members) {
    open('[');
    for (std::size_t i = 0; i < members.size(); ++i) {
      separate();
      path_.push_back({{}, i});
      put(members[i]);
      path_.pop_back();
    }
    close(']');
  }
  template <class T>
  void put(const T& member) {
    open('{');
    describe(*this, member);
    close('}');
  }

  std::string out_;
  std::vector<Part> path_;  // for the message about a number that is none
  std::size_t depth_ = 0;   // brackets that are open
  bool first_ = true;       // right behind an opening one
};

// The shortest digits that read back as the same double; never taken for an integer.
void Writer::put(double number) {
  if (!std::isfinite(number))
    throw std::invalid_argument(
        fmt::format("{} is {}: a report holds finite numbers or null", path_text(path_), number));
  const std::size_t start = out_.size();
  fmt::format_to(std::back_inserter(out_), "{}", number);
  if (out_.find_first_of(".e", start) == std::string::npos) out_ += ".0";
}

void Writer::quote(std::string_view text) {
  constexpr std::string_view signs = "\"\\\b\f\n\r\t";
  constexpr std::string_view names = "\"\\bfnrt";
  out_ += '"';
  while (true) {
    const std::size_t plain = plain_bytes(text);
    out_ += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto [code, length] = record::front(text);
    if (const auto sign = signs.find(text.front()); sign != std::string_view::npos)
      out_.append({'\\', names[sign]});
    else if (length == 0)
      out_ += "\uFFFD";
    else if (code < 0x20)
      fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<unsigned>(code));
    else
      out_ += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out_ += '"';
}

}  // namespace

std::string write(const record::Report& report) {
  Writer writer;
  writer.open('{');
  writer("schema", std::string(record::schema_name));
  writer("schema_version", fmt::format("{}.{}", record::schema_major, record::schema_minor));
  describe(writer, report);
  writer.close('}');
  return writer.take() + '\n';
}

}  // namespace ridge::json
