// The table of facts of the hierarchy benchmarks.
#include "bench/hierarchy/definition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bench/bandwidth/definition.hpp"
#include "bench/hierarchy/conclusions.hpp"
#include "bench/hierarchy/explanations.hpp"
#include "bench/hierarchy/prepare.hpp"
#include "kernels/chase/chase.hpp"

namespace ridge::bench::hierarchy {
namespace {

using chase::most_chains;

// Every power of two through the caches, and where memory begins: at four times the last level.
constexpr const char* all_sizes = "4Ki:64Mi:*2,memory";

Axis size_axis(const char* fallback) {
  return {"size", "B", "bytes of all lines, or a level: L1, L2, L3, memory", AxisKind::bytes, fallback, {}};
}

Axis pages_axis(const char* fallback) {
  return {"pages",          "",       "pages that are asked for: huge, or the machine's smallest (mostly 4 KiB)",
          AxisKind::choice, fallback, {"huge", "small"},
          device::Kind::cpu};
}

std::vector<std::int64_t> line_buffers(const record::Point& point) {
  return {lines_of(point) * line_bytes_of(point)};
}

std::optional<std::string> too_few_lines(const record::Point& point) {
  if (lines_of(point) >= chains_of(point)) return std::nullopt;
  const std::int64_t chains = chains_of(point);
  return fmt::format("a size of {} bytes holds {} lines of {} bytes, {} chain{} need{} {}", point.integer("size"),
                     lines_of(point), line_bytes_of(point), chains, chains == 1 ? "" : "s", chains == 1 ? "s" : "",
                     chains);
}

// A load's latency is the time of one link, however many chains go at once: items are links of one chain.
record::Work latency_work(const record::Point& point) {
  record::Work work;
  work.items = (on_cpu(point) ? cpu_loads : cuda_loads) / chains_of(point);
  work.bytes_read = *work.items * chains_of(point) * 8;
  work.bytes_written = 0;
  work.counting =
      fmt::format("the 8 bytes that each load asks for, of a line of {}; items are loads that wait for each other",
                  line_bytes_of(point));
  return work;
}

record::Work parallel_work(const record::Point& point) {
  record::Work work = latency_work(point);
  work.bytes_read = *work.items * chains_of(point) * chase::line_bytes;
  work.counting = "one line of 64 bytes for each load, though it asks for 8 of them; items are links of one chain";
  return work;
}

Definition latency(const std::shared_ptr<const Analysis>& analysis) {
  Definition d;
  d.name = "hierarchy.latency";
  d.summary = "A chain of loads, each waiting for the one before: the time of a load, by working set";
  d.axes = {size_axis(all_sizes), pages_axis("huge")};
  d.metrics = {{"latency", record::Unit::seconds, record::Better::lower, Rate::items_latency}};
  d.explanation = explain_latency();
  d.analysis = analysis;
  d.work = latency_work;
  d.buffers = line_buffers;
  d.unsupported = too_few_lines;
  d.prepare_cpu = prepare_chase_cpu;
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_chase_cuda;
#endif
  return d;
}

Definition pages(const std::shared_ptr<const Analysis>& analysis) {
  Definition d = latency(analysis);
  d.name = "hierarchy.pages";
  d.prepare_cuda = nullptr;
  d.summary = "The latency chase on huge pages and on small ones: what finding a page costs";
  d.axes = {size_axis("16Mi,memory"), pages_axis("huge,small")};
  d.explanation = explain_pages();
  return d;
}

Definition parallelism(const std::shared_ptr<const Analysis>& analysis) {
  Definition d = latency(analysis);
  d.name = "hierarchy.parallelism";
  d.prepare_cuda = nullptr;
  d.summary = "Several chains of loads at once: how many loads overlap";
  d.axes = {size_axis("memory"),
            {"chains",
             "",
             "chains that one thread follows at once",
             AxisKind::count,
             "1,2,4,8,16,32",
             {},
             device::Kind::cpu,
             most_chains},
            pages_axis("huge")};
  d.metrics = {{"bandwidth", record::Unit::bytes_per_second, record::Better::higher, Rate::bytes},
               {"latency", record::Unit::seconds, record::Better::lower, Rate::items_latency}};
  d.explanation = explain_parallelism();
  d.work = parallel_work;
  return d;
}

// bandwidth.read at many sizes, in one type: whatever that family measures, this one means by bandwidth.
Definition bandwidth(const std::shared_ptr<const Analysis>& analysis) {
  const auto all = bandwidth::definitions();
  Definition d =
      *std::find_if(all.begin(), all.end(), [](const Definition& each) { return each.name == "bandwidth.read"; });
  const auto typed = [](const record::Point& point) {
    record::Point with = point;
    with.set("dtype", std::string("f64"));
    return with;
  };
  d.name = "hierarchy.bandwidth";
  d.summary = "Reads an array and nothing else: bytes a second, by working set";
  d.axes = {size_axis("16Ki:64Mi:*16,memory"),
            {"threads",
             "",
             "threads that share the array, each on a CPU of its own",
             AxisKind::count,
             "1,all",
             {},
             device::Kind::cpu}};
  d.explanation = explain_bandwidth();
  d.analysis = analysis;
  d.work = [typed, work = d.work](const record::Point& p) { return work(typed(p)); };
  d.buffers = [typed, buffers = d.buffers](const record::Point& p) { return buffers(typed(p)); };
  d.unsupported = [typed, unsupported = d.unsupported](const record::Point& p) { return unsupported(typed(p)); };
  d.prepare_cpu = [typed, prepare = d.prepare_cpu](CpuContext& c, const record::Point& p) {
    return prepare(c, typed(p));
  };
  if (d.prepare_cuda)
    d.prepare_cuda = [typed, prepare = d.prepare_cuda](CudaContext& c, const record::Point& p) {
      return prepare(c, typed(p));
    };
  return d;
}

}  // namespace

std::int64_t chains_of(const record::Point& point) {
  return point.find("chains") == nullptr ? 1 : point.integer("chains");
}

bool on_cpu(const record::Point& point) {
  return point.find("pages") != nullptr;
}

std::int64_t line_bytes_of(const record::Point& point) {
  return on_cpu(point) ? chase::line_bytes : cuda_line_bytes;
}

std::int64_t lines_of(const record::Point& point) {
  return point.integer("size") / line_bytes_of(point);
}

std::int64_t words_of(const record::Point& point) {
  return point.integer("size") / 4;
}

std::vector<Definition> definitions() {
  const auto analysis = make_analysis();
  std::vector<Definition> all{latency(analysis), pages(analysis), parallelism(analysis), bandwidth(analysis)};
#if RIDGE_WITH_CUDA
  for (Definition& d : cuda_definitions(analysis)) all.push_back(std::move(d));
#endif
  return all;
}

}  // namespace ridge::bench::hierarchy
