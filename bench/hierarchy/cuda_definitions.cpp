// The facts of the benchmarks that only a GPU has: its shared memory, and bytes in flight by warps and loads.
#include <fmt/format.h>

#include "bench/hierarchy/explanations.hpp"
#include "bench/hierarchy/prepare.hpp"
#include "kernels/chase/chase_kernels.hpp"

namespace ridge::bench::hierarchy {
namespace {

Axis shared_size() {
  return {"size", "B", "bytes of shared memory that each block uses, at most 32 KiB", AxisKind::bytes, "16Ki", {}};
}

std::optional<std::string> beyond_shared(const record::Point& point, std::int64_t least_words) {
  constexpr std::int64_t most = chase::shared_words * 4;
  if (words_of(point) < least_words)
    return fmt::format("a size of {} bytes is below {} bytes", point.integer("size"), least_words * 4);
  if (point.integer("size") > most)
    return fmt::format("a size of {} bytes is above the {} bytes of shared memory that a block takes",
                       point.integer("size"), most);
  return std::nullopt;
}

Definition shared_latency(const std::shared_ptr<const Analysis>& analysis) {
  Definition d;
  d.name = "hierarchy.shared_latency";
  d.summary = "A chain of loads from a GPU's shared memory: the time of a load";
  d.axes = {shared_size()};
  d.metrics = {{"latency", record::Unit::seconds, record::Better::lower, Rate::items_latency}};
  d.in_shared_memory = true;
  d.explanation = explain_shared_latency();
  d.analysis = analysis;
  d.work = [](const record::Point&) {
    record::Work work;
    work.items = cuda_loads;
    work.bytes_read = cuda_loads * 4;
    work.bytes_written = 0;
    work.counting = "4 bytes of shared memory for each load; the copy that fills it is besides";
    return work;
  };
  d.buffers = [](const record::Point& point) { return std::vector<std::int64_t>{words_of(point) * 4}; };
  d.unsupported = [](const record::Point& point) { return beyond_shared(point, 1); };
  d.prepare_cuda = prepare_shared_latency;
  return d;
}

Definition shared_bandwidth(const std::shared_ptr<const Analysis>& analysis) {
  Definition d = shared_latency(analysis);
  d.name = "hierarchy.shared_bandwidth";
  d.summary = "All multiprocessors read their shared memory, 16 bytes a thread, without bank conflicts";
  d.metrics = {{"bandwidth", record::Unit::bytes_per_second, record::Better::higher, Rate::bytes}};
  d.explanation = explain_shared_bandwidth();
  // Of one block; the case, which knows the GPU, says how many there are.
  d.work = [](const record::Point& point) {
    record::Work work;
    work.bytes_read = words_of(point) / 4 * 16 * shared_passes;
    work.bytes_written = 0;
    work.items = 1;
    work.counting = "one block; on a GPU as many as it holds at once, and items are its multiprocessors";
    return work;
  };
  d.unsupported = [](const record::Point& point) { return beyond_shared(point, 4); };
  d.prepare_cuda = prepare_shared_bandwidth;
  return d;
}

Definition in_flight(const std::shared_ptr<const Analysis>& analysis) {
  Definition d;
  d.name = "hierarchy.in_flight";
  d.summary = "Reads with a stated number of bytes in flight: warps on each multiprocessor, loads of each thread";
  d.axes = {{"size", "B", "bytes that are read over and over, or a level: L2, memory", AxisKind::bytes, "memory", {}},
            {"warps", "", "warps on each multiprocessor", AxisKind::count, "1,2,4,8,16,32,64", {}, std::nullopt, 64},
            {"loads",
             "",
             "loads of 16 bytes that each thread has under way at once",
             AxisKind::choice,
             "1,2,4",
             {"1", "2", "4"}}};
  d.metrics = {{"bandwidth", record::Unit::bytes_per_second, record::Better::higher, Rate::bytes}};
  d.explanation = explain_in_flight();
  d.analysis = analysis;
  // Of one multiprocessor; the case, which knows the GPU, says how many there are.
  d.work = [](const record::Point& point) {
    record::Work work;
    work.bytes_read = point.integer("warps") * 512 * std::stoll(point.text("loads")) * in_flight_rounds;
    work.bytes_written = 0;
    work.items = in_flight_rounds;
    work.counting = "one multiprocessor; on a GPU all that it has";
    return work;
  };
  d.buffers = [](const record::Point& point) { return std::vector<std::int64_t>{point.integer("size")}; };
  d.unsupported = [](const record::Point& point) -> std::optional<std::string> {
    if (point.integer("warps") <= 32 || point.integer("warps") % 2 == 0) return std::nullopt;
    return "more than 32 warps are two blocks on each multiprocessor: an even number";
  };
  d.prepare_cuda = prepare_in_flight;
  return d;
}

}  // namespace

std::vector<Definition> cuda_definitions(const std::shared_ptr<const Analysis>& analysis) {
  return {shared_latency(analysis), shared_bandwidth(analysis), in_flight(analysis)};
}

}  // namespace ridge::bench::hierarchy
