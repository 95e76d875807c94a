// libFuzzer: whatever the bytes, a rule file gives rules in their ranges, or one line that says what is wrong.
#include <cstdint>
#include <cstdlib>

#include "reports/inputs/rule_file.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge;
  try {
    const auto rules = inputs::read_rules({reinterpret_cast<const char*>(data), size}, "fuzzed.toml");
    for (const auto& rule : rules.rules) {
      require(!rule.pattern.empty() && !rule.where.empty());
      require(!rule.tolerance || (*rule.tolerance > 0 && *rule.tolerance <= 10));
      require(!rule.floor || rule.floor->value >= 0);
      require(rule.gated.value_or(true) || !rule.reason.empty());
      compare::matches(rule.pattern, "bandwidth.triad size=4096 on cpu: bandwidth");
    }
    for (const auto& ratio : rules.ratios)
      require(!ratio.name.empty() && !ratio.numerator.empty() && !ratio.denominator.empty());
  } catch (const compare::RuleError& error) {
    for (const char* c = error.what(); *c != '\0'; ++c) require(static_cast<unsigned char>(*c) >= 0x20);
  }
  return 0;
}
