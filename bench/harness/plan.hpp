// From what was asked for to the list of cases: a pure function of the request, the registry and the inventory.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/harness/inventory.hpp"
#include "bench/harness/parse.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/settings.hpp"
#include "reports/record/report.hpp"

namespace ridge::bench {

// Some benchmarks with the axis options given for them; axes that are not mentioned take their fallback.
struct Request {
  std::vector<std::string> benchmarks;      // names, families, or patterns with *
  std::map<std::string, std::string> axes;  // axis → expression; "elements" stands for size / bytes of an element
  std::string on = {};                      // "cpu" or "gpu": for such devices only; empty: for every one
};

struct Selection {
  std::vector<Request> requests;
  std::vector<device::Name> devices;
  // Points that a suite planned and that do not fit are skipped; those a person named are failed. Benchmarks that do
  // not exist for a device are left out of what a suite plans for it.
  bool by_suite = false;
};

// One case to be: its record with identity, work and working set filled in. Status not_run means that it is to be
// measured; anything else is final already (skipped: no such device; failed: does not fit).
struct PlannedCase {
  const Definition* definition = nullptr;
  device::Name device;
  std::int64_t arena_bytes = 0;
  record::Record draft;
};

// Cases whose buffers fit into memory together, so that their rounds can interleave.
struct Window {
  device::Name device;
  std::vector<std::size_t> cases;  // indices into Plan::cases
  std::int64_t arena_bytes = 0;
};

struct Plan {
  std::vector<PlannedCase> cases;
  std::vector<Window> windows;
  std::vector<record::Finding> findings;
};

// UsageError for an unknown benchmark, an option that no selected benchmark has, or a value an axis does not take.
Plan plan(const Registry& registry, const Selection& selection, const Inventory& inventory, const Settings& settings);

// The definitions that a name, a family or a pattern with * stands for, in registry order. UsageError when none, with
// the nearest names.
std::vector<const Definition*> match(const Registry& registry, const std::string& pattern);

// `auto`, `all`, `cpu`, `cuda`, `cuda:N`, `ptx`, `ptx:N`, or a list of these: the devices meant, each once. auto: the
// GPUs if there are any, else cpu.
// A kind that the machine lacks is still named (index 0), so that its cases are skipped with the reason. UsageError for
// other text.
std::vector<device::Name> resolve_devices(const std::string& text, const Inventory& inventory);

}  // namespace ridge::bench
