// Matches names, expands axes, checks that cases fit, and groups them into windows.
#include "bench/harness/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "bench/harness/axis_values.hpp"
#include "bench/harness/reproduce.hpp"

namespace ridge::bench {
namespace {

using record::Status;

bool glob(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    for (std::size_t skip = 0; skip <= text.size(); ++skip)
      if (glob(pattern.substr(1), text.substr(skip))) return true;
    return false;
  }
  return !text.empty() && pattern[0] == text[0] && glob(pattern.substr(1), text.substr(1));
}

bool exists_on(const Definition& definition, const device::Name& device) {
  return device.kind == device::Kind::cpu ? static_cast<bool>(definition.prepare_cpu)
                                          : static_cast<bool>(definition.prepare_cuda);
}

void check_options(const Request& request, const std::vector<const Definition*>& definitions) {
  std::vector<std::string> known;
  for (const Definition* definition : definitions)
    for (const Axis& axis : definition->axes) known.push_back(axis.name);
  const bool sized = std::find(known.begin(), known.end(), "size") != known.end();
  if (sized) known.emplace_back("elements");
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const auto& axis : request.axes)
    if (std::find(known.begin(), known.end(), axis.first) == known.end())
      throw UsageError(
          fmt::format("--{}: {} no such axis; {} --{}", axis.first,
                      definitions.size() == 1 ? definitions.front()->name + " has" : "the selected benchmarks have",
                      definitions.size() == 1 ? "it has" : "they have", fmt::join(known, " --")));
  if (request.axes.contains("elements") && request.axes.contains("size"))
    throw UsageError("--elements and --size say the same thing; give one of them");
}

record::Record draft_of(const Definition& definition, const record::Point& point, const device::Name& device,
                        const Inventory& inventory, const Settings& settings) {
  record::Record draft;
  draft.benchmark = definition.name;
  draft.workload_version = definition.workload_version;
  draft.point = point;
  draft.device = device.text();
  draft.work = definition.work(point);
  draft.method.cache = to_string(settings.cache);
  draft.method.fill = to_string(settings.fill);
  const auto buffers = definition.buffers(point);
  draft.method.working_set = std::accumulate(buffers.begin(), buffers.end(), std::int64_t{0});
  if (!definition.over_a_link && !definition.in_shared_memory)
    draft.method.level =
        inventory.seen_by(device).level_of(*draft.method.working_set, static_cast<int>(threads_of(point).value_or(1)));
  draft.reproduce = reproduction(draft, settings);
  return draft;
}

// Whether a person meant this benchmark, which does not exist on that device, and should be told so: it was named, or
// nothing of its family exists there.
bool asked_for(const Definition& definition, const std::vector<const Definition*>& all, const Request& request,
               const device::Name& device, bool by_suite) {
  if (by_suite) return false;
  const auto& names = request.benchmarks;
  return std::find(names.begin(), names.end(), definition.name) != names.end() ||
         std::none_of(all.begin(), all.end(), [&](const Definition* each) { return exists_on(*each, device); });
}

bool knows(const Definition& definition, const std::string& name, const std::string& item) {
  return std::any_of(definition.axes.begin(), definition.axes.end(), [&](const Axis& axis) {
    return axis.name == name && std::find(axis.choices.begin(), axis.choices.end(), item) != axis.choices.end();
  });
}

// The request's axes as far as they are this benchmark's: benchmarks of a family share an axis and not all of its
// choices, so those that only others know are left out. Nothing where none is left; what no benchmark knows stays, and
// so does everything for a benchmark that was named: it is refused where points are made.
std::optional<std::map<std::string, std::string>> axes_of(const Definition& definition,
                                                          const std::vector<const Definition*>& all,
                                                          const Request& request) {
  auto axes = request.axes;
  const auto& names = request.benchmarks;
  if (std::find(names.begin(), names.end(), definition.name) != names.end()) return axes;
  for (const Axis& axis : definition.axes) {
    const auto given = axes.find(axis.name);
    if (axis.kind != AxisKind::choice || given == axes.end() || given->second == "all") continue;
    std::vector<std::string> kept = split_list(given->second);
    std::erase_if(kept, [&](const std::string& item) {
      return !knows(definition, axis.name, item) &&
             std::any_of(all.begin(), all.end(), [&](const Definition* each) { return knows(*each, axis.name, item); });
    });
    if (kept.empty()) return std::nullopt;
    given->second = fmt::format("{}", fmt::join(kept, ","));
  }
  return axes;
}

// Whether a person gave a size: what a default planned and does not fit is skipped, as a suite's is.
bool sized(const Request& request) {
  for (const char* axis : {"size", "elements", "m", "n", "k", "batch"})
    if (request.axes.contains(axis)) return true;
  return false;
}

// Decides what is final before anything runs: no such device, unsupported point or data, or more memory than there is.
void settle(PlannedCase& planned, const Inventory& inventory, Fill fill, bool by_suite) {
  record::Record& draft = planned.draft;
  const auto finish = [&](Status status, std::string reason) {
    draft.status = status;
    draft.reason = std::move(reason);
    if (status == Status::failed) draft.failure = record::Failure::measurement;
  };
  const DeviceEntry* entry = inventory.find(planned.device);
  if (!entry) return finish(Status::skipped, fmt::format("there is no device {}", planned.device.text()));
  if (entry->absent) return finish(Status::skipped, *entry->absent);
  if (!exists_on(*planned.definition, planned.device))
    return finish(Status::skipped, fmt::format("{} does not exist for {}", draft.benchmark, planned.device.text()));
  if (planned.definition->unsupported)
    if (const auto why = planned.definition->unsupported(draft.point)) return finish(Status::skipped, *why);
  if (const auto& fills = planned.definition->fills; std::find(fills.begin(), fills.end(), fill) == fills.end())
    return finish(Status::skipped, fmt::format("{} knows no data of {}", draft.benchmark, to_string(fill)));
  if (planned.arena_bytes > entry->available_bytes)
    return finish(
        by_suite ? Status::skipped : Status::failed,
        fmt::format("does not fit: needs {} bytes, {} bytes available", planned.arena_bytes, entry->available_bytes));
}

std::int64_t arena_bytes_of(const std::vector<std::int64_t>& buffers) {
  std::int64_t total = 0;
  for (const std::int64_t bytes : buffers)
    if (__builtin_add_overflow(total, device::borrow_cost(bytes), &total))
      return std::numeric_limits<std::int64_t>::max();
  return total;
}

std::vector<Window> make_windows(const std::vector<PlannedCase>& cases, const Inventory& inventory) {
  std::vector<Window> windows;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const PlannedCase& planned = cases[i];
    if (planned.draft.status != Status::not_run) continue;
    // Half of what is available: buffers of other cases may be wanted together, but never the machine's last page.
    const std::int64_t limit = inventory.find(planned.device)->available_bytes / 2;
    const auto fits = [&](const Window& window) {
      return window.device == planned.device && window.arena_bytes + planned.arena_bytes <= limit;
    };
    auto window = std::find_if(windows.begin(), windows.end(), fits);
    if (window == windows.end()) window = windows.insert(windows.end(), Window{planned.device, {}, 0});
    window->cases.push_back(i);
    window->arena_bytes += planned.arena_bytes;
  }
  return windows;
}

}  // namespace

std::vector<const Definition*> match(const Registry& registry, const std::string& pattern) {
  std::vector<const Definition*> found;
  std::vector<std::string> names;
  for (const Definition& definition : registry) {
    names.push_back(definition.name);
    if (definition.name == pattern || definition.family() == pattern || glob(pattern, definition.name))
      found.push_back(&definition);
  }
  if (found.empty())
    throw UsageError(fmt::format("there is no benchmark '{}'{}", pattern, did_you_mean(pattern, names)));
  return found;
}

std::vector<device::Name> resolve_devices(const std::string& text, const Inventory& inventory) {
  using device::Kind;
  const auto usable = [&](Kind kind) {
    std::vector<device::Name> names;
    for (const DeviceEntry& entry : inventory.devices)
      if (entry.name.kind == kind && !entry.absent) names.push_back(entry.name);
    return names;
  };
  const auto or_first = [](std::vector<device::Name> names, Kind kind) {
    return names.empty() ? std::vector<device::Name>{{kind, 0}} : names;
  };
  if (text == "cpu") return {{Kind::cpu, 0}};
  if (text == "cuda") return or_first(usable(Kind::cuda), Kind::cuda);
  if (text == "ptx") return {{Kind::ptx, 0}};
  if (text == "auto") {
    auto gpus = usable(Kind::cuda);
    return gpus.empty() ? std::vector<device::Name>{{Kind::cpu, 0}} : gpus;
  }
  if (text == "all") {
    std::vector<device::Name> all{{Kind::cpu, 0}};
    for (const device::Name& gpu : usable(Kind::cuda)) all.push_back(gpu);
    return all;
  }
  if (const auto name = device::parse_name(text)) return {*name};
  if (text.find(',') == std::string::npos)
    throw UsageError(fmt::format("--device: '{}' is not one of auto, cpu, cuda, cuda:N, ptx, ptx:N, all", text));
  std::vector<device::Name> listed;
  for (const std::string& item : split_list(text))
    for (const device::Name& name : resolve_devices(item, inventory))
      if (std::find(listed.begin(), listed.end(), name) == listed.end()) listed.push_back(name);
  return listed;
}

Plan plan(const Registry& registry, const Selection& selection, const Inventory& inventory, const Settings& settings) {
  Plan plan;
  std::set<std::string> seen;
  std::set<std::string> notes;
  for (const Request& request : selection.requests) {
    std::vector<const Definition*> definitions;
    for (const std::string& pattern : request.benchmarks)
      for (const Definition* definition : match(registry, pattern))
        if (std::find(definitions.begin(), definitions.end(), definition) == definitions.end())
          definitions.push_back(definition);
    check_options(request, definitions);
    for (const device::Name& device : selection.devices) {
      if (!request.on.empty() && (request.on == "cpu") != (device.kind == device::Kind::cpu)) continue;
      for (const Definition* definition : definitions) {
        if (!exists_on(*definition, device) &&
            !asked_for(*definition, definitions, request, device, selection.by_suite))
          continue;
        const auto axes = axes_of(*definition, definitions, request);
        if (!axes) continue;
        const Span span = span_points(*definition, device, inventory, *axes, selection.by_suite);
        notes.insert(span.notes.begin(), span.notes.end());
        for (const record::Point& point : span.points) {
          PlannedCase planned;
          planned.definition = definition;
          planned.device = device;
          planned.arena_bytes = arena_bytes_of(definition->buffers(point));
          planned.draft = draft_of(*definition, point, device, inventory, settings);
          settle(planned, inventory, settings.fill, selection.by_suite || !sized(request));
          if (seen.insert(record::identity(planned.draft)).second) plan.cases.push_back(std::move(planned));
        }
      }
    }
  }
  plan.windows = make_windows(plan.cases, inventory);
  for (const std::string& note : notes) plan.findings.push_back({"size-rounded", record::Severity::note, note, {}});
  return plan;
}

}  // namespace ridge::bench
