// From the record's structs to JSON text.
#include "reports/json/write.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "reports/json/report_fields.hpp"

namespace ridge::json {
namespace {

using Json = nlohmann::ordered_json;

// Fills one JSON object; `where` is the path of that object, for the message about a number that is none.
class Writer {
 public:
  Writer(Json& object, std::string where) : object_(object), where_(std::move(where)) { object_ = Json::object(); }

  template <class T>
  void operator()(const char* key, const T& member) {
    put(object_[key], member, key);
  }
  template <class T>
  void required(const char* key, const T& member) {
    (*this)(key, member);
  }
  void reason(const char* key, const std::string& text) {
    if (text.empty())
      object_[key] = nullptr;
    else
      object_[key] = text;
  }

 private:
  [[nodiscard]] std::string path(std::string_view key) const {
    return where_.empty() ? std::string(key) : fmt::format("{}.{}", where_, key);
  }

  void put(Json& json, double number, std::string_view key) {
    if (!std::isfinite(number))
      throw std::invalid_argument(fmt::format("{} is {}: a report holds finite numbers or null", path(key), number));
    json = number;
  }
  void put(Json& json, bool flag, std::string_view) { json = flag; }
  void put(Json& json, int number, std::string_view) { json = number; }
  void put(Json& json, std::int64_t number, std::string_view) { json = number; }
  void put(Json& json, std::uint64_t number, std::string_view) { json = number; }
  void put(Json& json, const std::string& text, std::string_view) { json = text; }
  void put(Json& json, record::Status status, std::string_view) { json = to_string(status); }
  void put(Json& json, record::Check check, std::string_view) { json = to_string(check); }
  void put(Json& json, record::Severity severity, std::string_view) { json = to_string(severity); }
  void put(Json& json, record::Better better, std::string_view) { json = to_string(better); }
  void put(Json& json, record::Unit unit, std::string_view) { json = symbol(unit); }
  void put(Json& json, record::Failure failure, std::string_view) {
    if (failure != record::Failure::none) json = to_string(failure);
  }
  void put(Json& json, const std::map<std::string, std::string>& entries, std::string_view) {
    json = Json::object();
    for (const auto& [key, text] : entries) json[key] = text;
  }
  void put(Json& json, const record::Point& point, std::string_view key) {
    json = Json::object();
    for (const auto& entry : point.values()) {  // clang 14 cannot capture a structured binding
      const std::string& axis = entry.first;
      std::visit([&](const auto& plain) { put(json[axis], plain, fmt::format("{}.{}", key, axis)); }, entry.second);
    }
  }
  template <class T>
  void put(Json& json, const std::optional<T>& member, std::string_view key) {
    if (member) put(json, *member, key);  // else it stays null
  }
  void put(Json& json, const std::vector<double>& numbers, std::string_view key) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (!std::isfinite(numbers[i])) put(json, numbers[i], fmt::format("{}[{}]", key, i));
    json = numbers;
  }
  template <class T>
  void put(Json& json, const std::vector<T>& members, std::string_view key) {
    json = Json::array();
    json.get_ref<Json::array_t&>().reserve(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      json.emplace_back();
      put(json.back(), members[i], fmt::format("{}[{}]", key, i));
    }
  }
  template <class T>
  void put(Json& json, const T& member, std::string_view key) {
    Writer inner(json, path(key));
    describe(inner, member);
  }

  Json& object_;
  std::string where_;
};

// Three levels are spread over lines, one field a line, so that a text diff of two reports names the field that
// changed; what lies deeper stays on its line, so that a record is not longer than a screen.
void print(const Json& json, int depth, std::string& out) {
  constexpr int spread = 3;
  if (depth >= spread || !json.is_structured() || json.empty()) {
    out += json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  out += json.is_object() ? '{' : '[';
  const char* separator = "\n";
  for (auto it = json.begin(); it != json.end(); ++it) {
    out += separator;
    out.append(static_cast<std::size_t>(depth + 1) * 2, ' ');
    if (json.is_object()) {
      out += Json(it.key()).dump(-1, ' ', false, Json::error_handler_t::replace);
      out += ": ";
    }
    print(*it, depth + 1, out);
    separator = ",\n";
  }
  out += '\n';
  out.append(static_cast<std::size_t>(depth) * 2, ' ');
  out += json.is_object() ? '}' : ']';
}

}  // namespace

std::string write(const record::Report& report) {
  Json json;
  Writer writer(json, "");
  writer("schema", std::string(record::schema_name));
  writer("schema_version", fmt::format("{}.{}", record::schema_major, record::schema_minor));
  describe(writer, report);
  std::string out;
  print(json, 0, out);
  out += '\n';
  return out;
}

}  // namespace ridge::json
