// Products from the command line: what holds a library back is found, the data and the kernel that was chosen stand in
// the record, and more than 2^31 entries are refused with the bytes they need where they do not fit.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/ridge.hpp"
#include "tests/support/cgroup.hpp"
#include "tests/support/skip.hpp"

using namespace ridge::test;
using Catch::Contains;
using nlohmann::json;

namespace {

json product(std::vector<std::string> more, const Start& start = {}) {
  std::vector<std::string> arguments{"gemm",     "float", "--device",   "cpu", "--m",     "48",     "--threads", "2",
                                     "--rounds", "2",     "--min-time", "1ms", "--quiet", "--json", "-"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = invoke(std::move(arguments), start);
  INFO(outcome.err);
  REQUIRE((outcome.status == 0 || outcome.status == 5));
  return json::parse(outcome.out);
}

std::string counting_of(const json& report) {
  return report["records"][0]["work"]["counting"].get<std::string>();
}

// Findings of that code.
std::vector<json> found(const json& report, const std::string& code) {
  std::vector<json> all;
  for (const json& finding : report["findings"])
    if (finding["code"] == code) all.push_back(finding);
  return all;
}

}  // namespace

TEST_CASE("an environment that holds a library back is a finding with its value, and the record names the kernel") {
  struct Case {
    const char *dtype, *variable, *value, *library;
  };
  for (const Case& each : {Case{"f64", "OPENBLAS_CORETYPE", "Prescott", "OpenBLAS "},
                           Case{"f32", "ONEDNN_MAX_CPU_ISA", "SSE41", "oneDNN 2."}}) {
    INFO(each.variable);
    Start start;
    start.environment[each.variable] = each.value;
    const json held = product({"--dtype", each.dtype}, start);
    if (held["records"][0]["status"] == "skipped") return skip(held["records"][0]["reason"].get<std::string>());
    const std::string set = std::string(each.variable) + "=" + each.value;
    CHECK_THAT(counting_of(held), Contains(std::string("; multiplied by ") + each.library) && Contains(", kernel ") &&
                                      Contains(", alpha 1, beta 0") && Contains("held back by " + set));
    const auto findings = found(held, "library-held-back");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0]["severity"] == "warning");
    CHECK_THAT(findings[0]["message"].get<std::string>(), Contains(set));
    CHECK(findings[0]["records"].size() == 1);
    const json free = product({"--dtype", each.dtype});
    CHECK(found(free, "library-held-back").empty());
    CHECK_THAT(counting_of(free), !Contains("held back"));
  }
}

TEST_CASE("what a product was filled with is recorded, and each filling is verified") {
  for (const char* fill : {"random", "zero", "ones"}) {
    INFO(fill);
    const json report = product({"--dtype", "f32", "--engine", "blocked", "--fill", fill});
    const json& record = report["records"][0];
    CHECK(record["status"] != "failed");
    CHECK(record["verification"]["status"] == "passed");
    CHECK(record["verification"]["checked"] == 48 * 48);
    CHECK(record["method"]["fill"] == fill);
    CHECK_THAT(record["reproduce"].get<std::string>(), Contains(std::string("--fill ") + fill));
  }
  const json usual = product({"--dtype", "f32", "--engine", "blocked"});
  CHECK(usual["records"][0]["method"]["fill"] == "random");
}

TEST_CASE("a product of bytes has a beta, and one that no library adds to is skipped with the rule") {
  const Outcome bytes = invoke({"gemm", "int8", "--device", "cpu", "--m", "48", "--beta", "0,1", "--rounds", "2",
                                "--min-time", "1ms", "--quiet", "--json", "-"});
  INFO(bytes.err);
  REQUIRE((bytes.status == 0 || bytes.status == 5));
  const json report = json::parse(bytes.out);
  REQUIRE(report["records"].size() == 2);
  for (const json& record : report["records"])
    CHECK((record["verification"]["status"] == "passed" || record["status"] == "skipped"));
  const json own = product({"--dtype", "f32", "--engine", "blocked", "--beta", "1"});
  CHECK(own["records"][0]["status"] == "skipped");
  CHECK_THAT(own["records"][0]["reason"].get<std::string>(), Contains("our own kernels compute A·B alone"));
}

TEST_CASE("46341 rows and columns in half a GiB are refused with the bytes they need: 4") {
  if (!std::string_view(RIDGE_SANITIZE).empty()) return skip("a sanitizer's own memory exceeds the limit");
  const Cgroup group("memory", half_a_gib());
  if (group.reason()) return skip(*group.reason());
  const auto text = group.run([] {
    const auto outcome = invoke(
        {"gemm", "float", "--device", "cpu", "--dtype", "f32", "--m", "46341", "--k", "64", "--quiet", "--json", "-"});
    return std::to_string(outcome.status) + " " + outcome.out;
  });
  REQUIRE(text.has_value());
  CHECK(text->substr(0, 2) == "4 ");
  const json report = json::parse(text->substr(2));
  CHECK(report["records"][0]["status"] == "failed");
  CHECK_THAT(report["records"][0]["reason"].get<std::string>(),
             Contains("does not fit: needs 86") && Contains("bytes available"));
}
