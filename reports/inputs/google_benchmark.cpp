// One pass over the text with the pull scanner; benchmarks are gathered by run name.
#include "reports/inputs/google_benchmark.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "reports/compare/median.hpp"
#include "reports/json/scanner.hpp"
#include "reports/record/text.hpp"

namespace ridge::inputs {
namespace {

using json::Scanner;
using record::Better;

// The figures of one benchmark by metric, over its repetitions.
struct Gathered {
  std::string unit = "ns";
  std::array<std::vector<double>, 4> values;      // of repetitions, in the order of `kinds`
  std::array<std::vector<double>, 4> aggregated;  // of the "median" aggregate
  std::string error;
  bool twice = false;  // the same repetition occurred twice
  std::vector<std::int64_t> repetitions;
};

struct Kind {
  const char* name;
  const char* unit;  // none: time_unit
  Better better;
};
constexpr std::array<Kind, 4> kinds{{{"real_time", nullptr, Better::lower},
                                     {"cpu_time", nullptr, Better::lower},
                                     {"bytes_per_second", "B/s", Better::higher},
                                     {"items_per_second", "items/s", Better::higher}}};

struct Entry {
  std::string name;
  std::string run_name;
  std::string aggregate;
  std::string unit = "ns";
  std::string message;
  bool failed = false;
  bool is_aggregate = false;
  std::int64_t repetition = 0;
  std::array<std::optional<double>, 4> values;
};

// An object, whose keys may not occur twice: `take` is given each and takes its value.
template <class Take>
void each_member(Scanner& in, const Take& take) {
  std::vector<std::string> seen;
  std::string_view view;
  in.open_object();
  while (in.next_key(view)) {
    const std::string key(view);
    if (std::find(seen.begin(), seen.end(), key) != seen.end())
      in.refuse("the key \"" + record::cut(record::printable(key), 80) + "\" occurs twice");
    seen.push_back(key);
    const Scanner::Step step(in, key);
    take(key);
  }
}

bool take_figure(Scanner& in, std::string_view key, Entry& entry) {
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (key == kinds[i].name) {
      entry.values[i] = in.number();
      return true;
    }
  return false;
}

void take_unit(Scanner& in, Entry& entry) {
  entry.unit = in.text();
  constexpr std::array<std::string_view, 4> allowed{"ns", "us", "ms", "s"};
  if (std::find(allowed.begin(), allowed.end(), entry.unit) == allowed.end())
    in.refuse("expected one of ns, us, ms, s");
}

Entry take_entry(Scanner& in) {
  Entry entry;
  each_member(in, [&](const std::string& key) {
    if (key == "name") {
      entry.name = in.text();
    } else if (key == "run_name") {
      entry.run_name = in.text();
    } else if (key == "run_type") {
      entry.is_aggregate = in.text() == "aggregate";
    } else if (key == "aggregate_name") {
      entry.aggregate = in.text();
    } else if (key == "repetition_index") {
      entry.repetition = in.integer();
    } else if (key == "time_unit") {
      take_unit(in, entry);
    } else if (key == "error_occurred" && in.peek() == Scanner::Kind::boolean) {
      entry.failed = in.boolean();
    } else if (key == "error_message" && in.peek() == Scanner::Kind::text) {
      entry.message = in.text();
    } else if (!take_figure(in, key, entry)) {
      in.skip();
    }
  });
  if (entry.name.empty()) in.refuse("the benchmark has no name");
  if (!entry.failed && !entry.values[0]) in.refuse("the benchmark has no real_time");
  if (entry.run_name.empty()) entry.run_name = entry.name;  // before 1.5
  return entry;
}

void gather(const Entry& entry, Gathered& to) {
  to.unit = entry.unit;
  if (entry.failed) {
    to.error = entry.message.empty() ? "error_occurred" : entry.message;
    return;
  }
  if (entry.is_aggregate && entry.aggregate != "median") return;
  auto& values = entry.is_aggregate ? to.aggregated : to.values;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (entry.values[i]) values[i].push_back(*entry.values[i]);
  if (entry.is_aggregate) return;
  to.twice =
      to.twice || std::find(to.repetitions.begin(), to.repetitions.end(), entry.repetition) != to.repetitions.end();
  to.repetitions.push_back(entry.repetition);
}

void take_caches(Scanner& in, record::Identity& identity) {
  in.open_array();
  for (std::size_t i = 0; in.next_element(); ++i) {
    const Scanner::Step step(in, i);
    record::Cache cache;
    each_member(in, [&](const std::string& key) {
      if (key == "type")
        cache.kind = in.text();
      else if (key == "level")
        cache.level = static_cast<int>(std::clamp<std::int64_t>(in.integer(), 0, 99));
      else if (key == "size")
        cache.bytes = in.integer();
      else
        in.skip();
    });
    cache.instances = 1;
    identity.caches.push_back(cache);
  }
}

// `library_build_type` speaks of the library alone, and distributions ship a debug one: what the program was built as
// can be told by `--benchmark_context=build_type=Release`, and counts where it is.
void take_context(Scanner& in, compare::Run& run) {
  std::string own_build_type;
  each_member(in, [&](const std::string& key) {
    if (key == "date") {
      run.started = in.text();
    } else if (key == "host_name") {
      run.machine.incidental.hostname = std::string(in.text());
    } else if (key == "executable") {
      run.command = in.text();
    } else if (key == "num_cpus") {
      run.machine.identity.cores_used = static_cast<int>(std::clamp<std::int64_t>(in.integer(), 0, 1 << 20));
    } else if (key == "caches") {
      take_caches(in, run.machine.identity);
    } else if (key == "library_build_type") {
      run.build_type = in.text() == "release" ? "Release" : "Debug";
    } else if (key == "build_type") {
      own_build_type = in.text();
    } else {
      in.skip();
    }
  });
  if (!own_build_type.empty()) run.build_type = own_build_type;
}

compare::Case case_of(const std::string& name, const Gathered& gathered) {
  compare::Case out;
  out.id = name;
  if (!gathered.error.empty()) {
    out.status = record::Status::failed;
    out.failure = record::Failure::measurement;
    out.reason = gathered.error;
    return out;
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto& values = gathered.values[i].empty() ? gathered.aggregated[i] : gathered.values[i];
    if (values.empty()) continue;
    out.metrics.push_back({kinds[i].name, compare::median_of(values),
                           kinds[i].unit != nullptr ? kinds[i].unit : gathered.unit, kinds[i].better, std::nullopt});
  }
  if (out.metrics.empty()) {
    out.status = record::Status::failed;
    out.failure = record::Failure::measurement;
    out.reason = "only aggregates other than the median were kept";
  }
  return out;
}

}  // namespace

compare::Run read_google_benchmark(std::string_view text, const std::string& name) {
  Scanner in(text, name);
  compare::Run run;
  run.source = name;
  run.schema = "google-benchmark";
  run.tool = "google-benchmark";
  std::vector<std::string> order;
  std::map<std::string, Gathered> all;
  bool any = false;
  each_member(in, [&](const std::string& key) {
    if (key == "context") {
      take_context(in, run);
    } else if (key == "benchmarks") {
      any = true;
      in.open_array();
      for (std::size_t i = 0; in.next_element(); ++i) {
        const Scanner::Step element(in, i);
        const Entry entry = take_entry(in);
        const auto [place, fresh] = all.try_emplace(entry.run_name);
        if (fresh) order.push_back(entry.run_name);
        if (fresh) place->second.unit = entry.unit;
        if (place->second.unit != entry.unit) in.refuse("the time_unit changed between repetitions");
        gather(entry, place->second);
      }
    } else {
      in.skip();
    }
  });
  in.end();
  if (!any) in.refuse("there is no \"benchmarks\"");
  for (const auto& each : order) {
    run.cases.push_back(case_of(each, all.at(each)));
    if (all.at(each).twice) run.cases.push_back(run.cases.back());  // left to the gate, which refuses what occurs twice
  }
  return run;
}

}  // namespace ridge::inputs
