// Two machines compared field by field: what makes reports incomparable, what may explain a change, what is ignored.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/machine.hpp"

namespace ridge::record {

enum class Tier { identity, software, incidental };
std::string_view to_string(Tier tier);

// One fact as text; `path` begins with the tier: "identity.cpu_model", "software.libraries.openblas". Bytes and other
// numbers are plain decimal.
struct Field {
  Tier tier = Tier::identity;
  std::string path;
  std::optional<std::string> value;  // nothing: unknown
};

// Every fact of a machine, tier by tier. GPUs are in an order of their own facts, not of their device index.
std::vector<Field> fields(const Machine& machine);

struct Difference {
  Tier tier = Tier::identity;
  std::string field;             // the path
  std::optional<std::string> a;  // nothing: unknown there
  std::optional<std::string> b;
};

// All fields that differ, identity first. Known against unknown is a difference; unknown against unknown is none.
std::vector<Difference> differences(const Machine& a, const Machine& b);

// No difference in the identity tier.
bool same_identity(const Machine& a, const Machine& b);

}  // namespace ridge::record
