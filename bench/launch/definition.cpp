// The table of facts of the launch family.
#include "bench/launch/definition.hpp"

#include <algorithm>

#include "bench/atomics/definition.hpp"
#include "bench/launch/analysis.hpp"
#include "bench/launch/explanations.hpp"
#include "bench/launch/points.hpp"
#include "kernels/launch/launch.hpp"

namespace ridge::bench::launch {
namespace {

std::vector<std::string> argument_choices() {
  std::vector<std::string> all;
  for (const int count : ridge::launch::argument_counts) all.push_back(std::to_string(count));
  return all;
}

Definition empty() {
  Definition d;
  d.name = "launch.empty";
  d.summary = "A kernel that does nothing: launched and waited for, one after the other, in a graph";
  d.axes = {
      {"way",
       "",
       "timed by events around one (event), with waiting by the host's clock (wall), without waiting (queued), 64 "
       "in a graph",
       AxisKind::choice,
       "all",
       {"event", "wall", "queued", "graph"}},
      {"arguments", "", "of 8 bytes each", AxisKind::choice, "all", argument_choices()}};
  d.metrics = {{"latency", record::Unit::seconds, record::Better::lower, Rate::items_latency}};
  d.explanation = explain_empty();
  d.analysis = analysis();
  d.work = [](const record::Point& point) {
    record::Work work;
    work.items = launches_of(way_of(point));
    work.bytes_read = 0;
    work.bytes_written = 0;
    work.counting = "launches; a timed kernel touches no memory";
    return work;
  };
  d.buffers = [](const record::Point&) { return std::vector<std::int64_t>{8}; };
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_empty;
  d.counted_example = {{"arguments", "1"}};
#endif
  return d;
}

Definition steps() {
  Definition d;
  d.name = "launch.steps";
  d.summary = "Small steps that need each other: a kernel each, a graph of them, one kernel that stays";
  Axis steps{"steps", "", "steps, each of which needs the one before", AxisKind::count, "1,16,256", {}};
  steps.most = 4096;
  d.axes = {{"way",
             "",
             "a kernel for each (stream), all in a graph, one kernel that does all (persistent)",
             AxisKind::choice,
             "all",
             {"stream", "graph", "persistent"}},
            steps};
  d.metrics = {{"latency", record::Unit::seconds, record::Better::lower, Rate::items_latency}};
  d.explanation = explain_steps();
  d.analysis = analysis();
  d.work = [](const record::Point& point) {
    const std::int64_t elements = ridge::launch::step_elements, count = point.integer("steps");
    record::Work work;
    work.items = count;
    work.bytes_read = 2 * 4 * elements * count;
    work.bytes_written = 4 * elements * count;
    work.operations = 3 * elements * count;
    work.counting = "items are steps; each element and its neighbour read, one written, two products and a sum";
    return work;
  };
  d.buffers = [](const record::Point&) { return std::vector<std::int64_t>(2, 4 * ridge::launch::step_elements + 64); };
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_steps;
  d.counted_example = {{"steps", "16"}};
#endif
  return d;
}

Definition fork_join() {
  Definition d;
  d.name = "launch.fork_join";
  d.summary = "A team of threads is called and waited for, with nothing to do";
  d.axes = {{"threads", "", "threads of the team, each on a CPU of its own", AxisKind::count, "1,all", {}}};
  d.metrics = {{"latency", record::Unit::seconds, record::Better::lower, Rate::items_latency}};
  d.explanation = explain_fork_join();
  d.analysis = analysis();
  d.work = [](const record::Point&) {
    record::Work work;
    work.items = 1;
    work.counting = "forks, each with its join";
    return work;
  };
  d.buffers = [](const record::Point& point) { return std::vector<std::int64_t>{point.integer("threads") * 128}; };
  d.prepare_cpu = prepare_fork_join;
  return d;
}

// What a fork and join is made of, under this family's name: one run then holds what predicts it.
Definition handover() {
  const std::vector<Definition> from = atomics::definitions();
  Definition d =
      *std::find_if(from.begin(), from.end(), [](const Definition& each) { return each.name == "atomics.handover"; });
  d.name = "launch.handover";
  d.analysis = analysis();
  return d;
}

}  // namespace

Way way_of(const record::Point& point) {
  const std::string& way = point.text("way");
  return way == "event" ? Way::event : way == "wall" ? Way::wall : way == "queued" ? Way::queued : Way::graph;
}

std::int64_t arguments_of(const record::Point& point) {
  return std::stoll(point.text("arguments"));
}

std::int64_t launches_of(Way way) {
  return way == Way::graph ? graph_launches : 1;
}

StepWay step_way_of(const record::Point& point) {
  const std::string& way = point.text("way");
  return way == "stream" ? StepWay::stream : way == "graph" ? StepWay::graph : StepWay::persistent;
}

std::int64_t step_launches(const record::Point& point) {
  return step_way_of(point) == StepWay::persistent ? 1 : point.integer("steps");
}

std::vector<Definition> definitions() {
  return {empty(), steps(), fork_join(), handover()};
}

}  // namespace ridge::bench::launch
