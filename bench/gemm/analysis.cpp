// Ratios between records of the same shape.
#include "bench/gemm/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/gemm/points.hpp"
#include "bench/harness/lookup.hpp"

namespace ridge::bench::gemm {
namespace {

using record::Better;
using record::Record;
using record::Unit;

bool of_family(const Record& record) {
  return record.benchmark.starts_with("gemm.");
}

std::optional<double> rate_of(const Record& record) {
  for (const char* name : {"flops", "tf32_flops", "ops"})
    if (const auto rate = value_of(record, name)) return rate;
  return std::nullopt;
}

// Alike in all axes but those named; one that only one of them has does not count.
bool alike_but(const Record& a, const Record& b, std::initializer_list<std::string_view> names) {
  return std::all_of(a.point.values().begin(), a.point.values().end(), [&](const auto& value) {
    const record::Value* const other = b.point.find(value.first);
    return other == nullptr || *other == value.second ||
           std::find(names.begin(), names.end(), value.first) != names.end();
  });
}

template <class Wanted>
std::optional<double> rate_where(std::span<const Record> records, const Record& like, std::string_view benchmark,
                                 const Wanted& wanted) {
  const Record* const found =
      find(records, benchmark, like.device, [&](const Record& other) { return rate_of(other) && wanted(other); });
  return found == nullptr ? std::nullopt : rate_of(*found);
}

void add(Record& record, const char* name, double value) {
  record.metrics.push_back({name, value, Unit::ratio, Better::neither, std::nullopt, std::nullopt});
}

// The limit of a floating-point product: multiply-adds that nothing holds back, by the same threads.
void assign_peak(Record& record, std::span<const Record> records) {
  const auto peak = rate_where(records, record, "roofline.peak", [&](const Record& other) {
    return axis_text(other, "dtype") == axis_text(record, "dtype") &&
           axis_text(other, "threads") == axis_text(record, "threads");
  });
  if (!peak || record.benchmark != "gemm.float") return;
  for (record::Metric& metric : record.metrics)
    if (metric.name == "flops" && metric.value) {
      metric.peak = record::Peak{*peak, "measured in this run: roofline.peak"};
      metric.percent_of_peak = 100 * *metric.value / *peak;
    }
}

// The library's in f32: of the same layout, or else of any, for narrow types have one that f32 need not be measured in.
std::optional<double> rate_of_f32(std::span<const Record> records, const Record& record) {
  const auto among = [&](std::initializer_list<std::string_view> may_differ) {
    return rate_where(records, record, "gemm.float", [&](const Record& other) {
      return axis_text(other, "dtype") == "f32" && axis_text(other, "engine") == "library" &&
             alike_but(record, other, may_differ);
    });
  };
  const auto same_layout = among({"dtype", "engine", "output", "accumulation"});
  return same_layout ? same_layout : among({"dtype", "engine", "output", "accumulation", "layout"});
}

void conclude_float(Record& record, std::span<const Record> records, double rate) {
  if (axis_text(record, "engine") != "library")
    if (const auto library = rate_where(records, record, record.benchmark, [&](const Record& other) {
          return axis_text(other, "engine") == "library" && alike_but(record, other, {"engine"});
        }))
      add(record, "share_of_library", rate / *library);
  if (axis_text(record, "beta") != "0" && !axis_text(record, "beta").empty())
    if (const auto alone = rate_where(records, record, record.benchmark, [&](const Record& other) {
          return axis_text(other, "beta") == "0" && alike_but(record, other, {"beta"});
        }))
      add(record, "share_of_beta_0", rate / *alone);
  if (axis_text(record, "dtype") != "f32")
    if (const auto single = rate_of_f32(records, record)) add(record, "times_f32", rate / *single);
  assign_peak(record, records);
}

// The ladder that a record is a step of, and the axis that names the step.
std::span<const Step> ladder_of(const Record& record) {
  return record.point.find("rung") != nullptr ? rungs() : steps();
}
const char* step_axis(const Record& record) {
  return record.point.find("rung") != nullptr ? "rung" : "step";
}

void conclude_ladder(Record& record, std::span<const Record> records, double rate) {
  const char* const axis = step_axis(record);
  const auto of_step = [&](const std::string& step) {
    return rate_where(records, record, record.benchmark, [&](const Record& other) {
      return axis_text(other, axis) == step && alike_but(record, other, {axis});
    });
  };
  const std::string step = axis_text(record, axis);
  if (const auto library =
          of_step(step == "mma" || step == "bf16_dot" || step == "library_bf16" ? "library_bf16" : "library"))
    add(record, "share_of_library", rate / *library);
  const std::vector<std::string> names = names_of(ladder_of(record));
  auto at = std::find(names.begin(), names.end(), step);
  if (at == names.begin() || at == names.end()) return;
  if (step == "mma" || step == "bf16_dot") --at;  // the library is no step towards it
  if (const auto before = of_step(*(at - 1))) add(record, "gain", rate / *before);
}

// What a step of our own on a GPU reads and computes, by its formula: the reference machine counts the same.
void predict(Record& record) {
  const ridge::gemm::GpuStep* const step = ridge::gemm::gpu_step(axis_text(record, "rung"));
  if (step == nullptr || record.status == record::Status::skipped) return;
  const auto [m, n, k] = std::tuple{record.point.integer("m"), record.point.integer("n"), record.point.integer("k")};
  const auto told = [&record](const char* name, std::int64_t value, Unit unit) {
    record.metrics.push_back({name, static_cast<double>(value), unit, Better::neither, std::nullopt, std::nullopt});
  };
  told("predicted_counted_bytes_read", ridge::gemm::loads_of(*step, m, n, k) * (step->bf16 ? 2 : 4), Unit::bytes);
  told("predicted_counted_operations", ridge::gemm::operations_of(*step, m, n, k), Unit::count);
}

// A step's idea in a line, and what it was worth.
record::Finding reason_for(const Record& record) {
  const std::string step = axis_text(record, step_axis(record)), dtype = axis_text(record, "dtype");
  std::string text =
      fmt::format("ladder {} {}: {}", dtype.empty() ? record.device : dtype, step, idea_of(ladder_of(record), step));
  if (const auto gain = value_of(record, "gain")) text += fmt::format(" ({:.2g} times the step before)", *gain);
  return {"ladder-step", record::Severity::note, std::move(text), {record::identity(record)}};
}

std::string shape_of(const Record& record) {
  const std::string m = axis_text(record, "m"), n = axis_text(record, "n"), k = axis_text(record, "k");
  return m == n && n == k ? m + "³" : fmt::format("{}×{}×{}", m, n, k);
}

bool plain(const Record& record) {
  const auto usual = [&](const char* axis, const char* value) {
    return record.point.find(axis) == nullptr || axis_text(record, axis) == value;
  };
  const bool narrow = record.benchmark == "gemm.fp8" || record.benchmark == "gemm.fp4" ||
                      record.benchmark == "gemm.int8";  // others are not supported on GPUs
  return record.benchmark != "gemm.ladder" && usual("engine", "library") && usual("layout", narrow ? "nt" : "nn") &&
         usual("batch", "1") && usual("beta", "0") && usual("output", "sum") && usual("accumulation", "full") &&
         usual("scale", "none");
}

}  // namespace

std::vector<record::Finding> conclude(std::span<Record> records) {
  record::Finding held{"library-held-back",
                       record::Severity::warning,
                       "environment variables that can hold a library back are set: ",
                       {}};
  std::vector<std::string> set;
  std::vector<record::Finding> findings;
  for (Record& record : records) {
    if (!of_family(record)) continue;
    if (const std::string by = held_back_by(record.work.counting); !by.empty()) {
      held.records.push_back(record::identity(record));
      if (std::find(set.begin(), set.end(), by) == set.end()) set.push_back(by);
    }
    predict(record);
    const auto rate = rate_of(record);
    if (!rate) continue;
    if (record.benchmark == "gemm.ladder") {
      conclude_ladder(record, records, *rate);
      findings.push_back(reason_for(record));
    } else {
      conclude_float(record, records, *rate);
    }
  }
  if (!held.records.empty()) {
    held.message += fmt::format("{}", fmt::join(set, ", "));
    findings.push_back(std::move(held));
  }
  return findings;
}

// "gemm cpu 1024³: f64 51.2 GFLOP/s, f32 140 GFLOP/s, int8 280 GOP/s".
std::vector<std::string> key_figures(std::span<const Record> records) {
  std::vector<std::string> lines;
  std::vector<std::string> done;
  for (const Record& first : records) {
    if (!of_family(first) || !plain(first) || !rate_of(first)) continue;
    const std::string name = fmt::format("gemm {} {}", first.device, shape_of(first));
    if (std::find(done.begin(), done.end(), name) != done.end()) continue;
    done.push_back(name);
    std::vector<std::string> parts;
    for (const Record& record : records) {
      const auto rate = of_family(record) && plain(record) ? rate_of(record) : std::nullopt;
      if (!rate || record.device != first.device || shape_of(record) != shape_of(first) ||
          axis_text(record, "threads") != axis_text(first, "threads"))
        continue;
      const bool bytes = record.benchmark == "gemm.int8";
      parts.push_back(fmt::format("{} {}", bytes ? "int8" : axis_text(record, "dtype"),
                                  record::human(*rate, bytes ? Unit::op_per_second : Unit::flop_per_second)));
    }
    lines.push_back(fmt::format("{}: {}", name, fmt::join(parts, ", ")));
  }
  return lines;
}

std::shared_ptr<const Analysis> analysis() {
  static const auto one = std::make_shared<const Analysis>(Analysis{conclude, key_figures, {}});
  return one;
}

}  // namespace ridge::bench::gemm
