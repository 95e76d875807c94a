// The table of facts of the atomics family.
#include "bench/atomics/definition.hpp"

#include "bench/atomics/analysis.hpp"
#include "bench/atomics/explanations.hpp"
#include "bench/atomics/points.hpp"

namespace ridge::bench::atomics {
namespace {

using ridge::atomics::Counters;

constexpr std::int64_t block_threads = 256;  // of a GPU, before it is known how many blocks fit

Axis counters_axis(std::vector<std::string> choices) {
  return {"counters",
          "",
          "who shares one: all threads (one), a warp, nobody (neighbours: side by side; spread: lines apart)",
          AxisKind::choice,
          "all",
          std::move(choices)};
}

Axis threads_axis(const char* fallback) {
  return {"threads",        "", "threads that count, each on a CPU of its own", AxisKind::count, fallback, {},
          device::Kind::cpu};
}

std::int64_t threads_of(const record::Point& point) {
  return point.find("threads") == nullptr ? block_threads : point.integer("threads");
}

bool on_cpu(const record::Point& point) {
  return point.find("threads") != nullptr;
}

Definition define(const char* name, const char* summary, std::vector<Axis> axes, Explanation text) {
  Definition d;
  d.name = std::string("atomics.") + name;
  d.summary = summary;
  d.axes = std::move(axes);
  d.metrics = {{"ops", record::Unit::op_per_second, record::Better::higher, Rate::operations},
               {"time", record::Unit::seconds, record::Better::lower, Rate::time}};
  d.explanation = std::move(text);
  d.analysis = analysis();
  d.work = [](const record::Point& point) {
    record::Work work =
        on_cpu(point) ? work_of(threads_of(point), cpu_times, 8) : work_of(threads_of(point), cuda_times, 4);
    if (!on_cpu(point)) work.counting += "; one block, on a GPU as many as it holds at once";
    return work;
  };
  d.buffers = [](const record::Point& point) {
    return std::vector<std::int64_t>{threads_of(point) * (on_cpu(point) ? 128 : 12) + guard_bytes};
  };
  return d;
}

Definition add() {
  Definition d = define("add", "Additions of one to shared and to separate counters in memory",
                        {counters_axis({"one", "warp", "neighbours", "spread"}), threads_axis("1,all")}, explain_add());
  d.prepare_cpu = prepare_add_cpu;
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_add_cuda;
  d.counted_example = {{"counters", "all"}};
#endif
  return d;
}

Definition cas() {
  Definition d = define("cas", "The same by compare-and-exchange, tried again until it succeeds",
                        {counters_axis({"one", "neighbours", "spread"}), threads_axis("1,all")}, explain_cas());
  d.prepare_cpu = prepare_cas_cpu;
  return d;
}

Definition shared() {
  Definition d = define("shared", "Additions of one to counters in a GPU's shared memory",
                        {counters_axis({"one", "warp", "neighbours"})}, explain_shared());
  d.in_shared_memory = true;
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_shared_cuda;
  d.counted_example = {{"counters", "all"}};
#endif
  return d;
}

Definition handover() {
  Definition d =
      define("handover", "Two threads hand a word to each other: the time of one way", {}, explain_handover());
  d.metrics = {{"latency", record::Unit::seconds, record::Better::lower, Rate::items_latency}};
  d.work = [](const record::Point&) {
    record::Work work;
    work.items = 2 * handover_trips;
    work.counting = "each answer of one thread to the other";
    return work;
  };
  d.buffers = [](const record::Point&) { return std::vector<std::int64_t>{8}; };
  d.prepare_cpu = prepare_handover_cpu;
  return d;
}

}  // namespace

Counters counters_of(const record::Point& point) {
  return ridge::atomics::counters_from(point.text("counters")).value_or(Counters::one);
}

record::Work work_of(std::int64_t threads, std::int64_t times, std::int64_t word_bytes) {
  record::Work work;
  work.operations = threads * times;
  work.bytes_read = threads * times * word_bytes;
  work.bytes_written = threads * times * word_bytes;
  work.items = threads;
  work.counting = "additions that succeeded, each reading and writing its counter once";
  return work;
}

std::vector<Definition> definitions() {
  return {add(), cas(), shared(), handover()};
}

}  // namespace ridge::bench::atomics
