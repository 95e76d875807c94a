// What the writer writes follows the published schema, and the schema is not so wide that anything would.
#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "reports/json/read.hpp"
#include "reports/json/write.hpp"
#include "tests/support/sample_report.hpp"

using namespace ridge;
using Json = nlohmann::json;

namespace {

const valijson::Schema& published() {
  static valijson::Schema schema;
  static const bool parsed = [] {
    const Json text = Json::parse(json::read_text_file(RIDGE_SCHEMA));
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema);
    return true;
  }();
  REQUIRE(parsed);
  return schema;
}

// Empty where `document` follows the schema, else all complaints.
std::string complaint(const Json& document) {
  const valijson::Schema& schema = published();
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results)) return "";
  std::string all = "refused";
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    all += "\n";
    for (const auto& part : error.context) all += part;
    all += ": " + error.description;
  }
  return all;
}

Json sample() {
  return Json::parse(json::write(ridge::test::sample_report()));
}

bool refused_after(const std::function<void(Json&)>& spoil) {
  Json document = sample();
  spoil(document);
  return !complaint(document).empty();
}

}  // namespace

TEST_CASE("written reports follow the schema") {
  CHECK(complaint(sample()) == "");
  record::Report bare;
  bare.started = "2025-01-02T03:04:05Z";
  CHECK(complaint(Json::parse(json::write(bare))) == "");
}

TEST_CASE("keys the schema does not know are allowed, as for the reader") {
  CHECK_FALSE(refused_after([](Json& j) { j["records"][0]["colour"] = "red"; }));
  CHECK_FALSE(refused_after([](Json& j) { j["schema_version"] = "1.9"; }));
}

TEST_CASE("every required key is required") {
  for (const char* key :
       {"schema", "schema_version", "tool", "command", "started", "duration", "machine", "records", "findings"}) {
    INFO(key);
    CHECK(refused_after([key](Json& j) { j.erase(key); }));
  }
  for (const char* key : {"benchmark", "workload_version", "point", "device", "status", "reason", "work", "samples",
                          "statistics", "metrics", "verification", "conditions", "reproduce"}) {
    INFO(key);
    CHECK(refused_after([key](Json& j) { j["records"][0].erase(key); }));
  }
}

TEST_CASE("stand-ins for numbers are refused") {
  CHECK(refused_after([](Json& j) { j["records"][0]["metrics"][0]["value"] = "NaN"; }));
  CHECK(refused_after([](Json& j) { j["records"][0]["samples"][0] = nullptr; }));
  CHECK(refused_after([](Json& j) { j["records"][0]["samples"][0] = -1; }));
  CHECK(refused_after([](Json& j) { j["duration"] = "42"; }));
  CHECK(refused_after([](Json& j) { j["records"][0]["metrics"][0]["peak"]["value"] = 0; }));
}

TEST_CASE("a status has its place in the list and its reason") {
  CHECK(refused_after([](Json& j) { j["records"][0]["status"] = "fine"; }));
  CHECK(refused_after([](Json& j) { j["records"][0]["verification"]["status"] = "ok"; }));
  for (const char* status : {"suspect", "skipped", "failed", "not_run"}) {
    INFO(status);
    CHECK(refused_after([status](Json& j) { j["records"][0]["status"] = status; }));
    CHECK(refused_after([status](Json& j) {
      j["records"][0]["status"] = status;
      j["records"][0]["reason"] = "";
    }));
    CHECK_FALSE(refused_after([status](Json& j) {
      j["records"][0]["status"] = status;
      j["records"][0]["reason"] = "why";
    }));
  }
}

TEST_CASE("other schemas, units and times are refused") {
  CHECK(refused_after([](Json& j) { j["schema"] = "other"; }));
  CHECK(refused_after([](Json& j) { j["schema_version"] = "2.0"; }));
  CHECK(refused_after([](Json& j) { j["records"][0]["metrics"][0]["unit"] = "GB/s"; }));
  CHECK(refused_after([](Json& j) { j["started"] = "yesterday"; }));
  CHECK(refused_after([](Json& j) { j["findings"][0]["code"] = "Not A Code"; }));
}
