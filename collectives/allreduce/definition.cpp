// The table of facts of the allreduce family.
#include "collectives/allreduce/definition.hpp"

#include "collectives/allreduce/analysis.hpp"
#include "collectives/allreduce/points.hpp"
#include "collectives/communicator/threads.hpp"

namespace ridge::bench::allreduce {
namespace {

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const collectives::Algorithm* algorithm : collectives::all_algorithms()) names.emplace_back(algorithm->name);
  return names;
}

std::vector<Axis> axes() {
  Axis ranks{"ranks", "", "ranks, each a thread on a CPU of its own", AxisKind::count, "all", {}};
  ranks.most = collectives::most_ranks;
  return {{"size", "B", "bytes of each rank's array", AxisKind::bytes, "8,1Ki,16Ki,256Ki,1Mi,2Mi,16Mi,32Mi,64Mi", {}},
          {"dtype", "", "type of the elements", AxisKind::choice, "f32", {"f32", "f64", "int32"}},
          {"op", "", "how elements are joined", AxisKind::choice, "sum", {"sum", "max", "min"}},
          {"place", "", "whether the result replaces the input", AxisKind::choice, "out", {"in", "out"}},
          ranks,
          {"algorithm", "", "how it is done; direct: through shared memory", AxisKind::choice, "direct,ring",
           algorithm_names()}};
}

Explanation explanation() {
  Explanation text;
  text.measures =
      "How long it takes until every rank holds the sum of all ranks' arrays: the operation that data-parallel "
      "training "
      "waits for after each step. Here ranks are threads of one process, on CPUs of their own; algorithms are the "
      "textbook's, over messages that the receiver reads where the sender keeps them, and `direct`, which needs no "
      "messages.";
  text.formula =
      "time of one all-reduce, back to back with the next, n ranks, size bytes each. algbw = size / time. busbw = "
      "algbw · 2 (n − 1)/n: in any algorithm over links a rank must send its part of every other rank's sum and "
      "receive "
      "theirs, 2 (n − 1)/n · size, so busbw is what each link carries at least, and may be compared with the link's "
      "rate whatever n is. Where something in between does the adding (a switch, or here memory that all share) a rank "
      "sends and receives less, and busbw may exceed the link. predicted_time = α + size / rate, fitted to the sizes "
      "of "
      "this run for each algorithm.";
  text.counting =
      "bandwidth counts each rank's array read once and its result written once, the least that any all-reduce does; "
      "n − 1 operations for each element. What an algorithm moves besides is its own affair";
  text.spoil =
      "More ranks than cores: they wait for each other's turn (suspect). Arrays that fit in a cache, compared with "
      "ones "
      "that do not. Averages over sizes. Sums of random floating-point numbers, which differ by the order: here "
      "elements "
      "are whole numbers, and every element must be exact.";
  text.normal =
      "A handful of bytes: one or two times what a cache line takes from core to core, 0.1 to 0.5 µs. Large arrays: "
      "direct as much bandwidth as copying; ring less, since sums are written and read again. Messages between "
      "processes "
      "are copied once more and take about twice as long.";
  return text;
}

}  // namespace

std::vector<Definition> definitions() {
  Definition d;
  d.name = "allreduce";
  d.summary = "All ranks' arrays are added up and every rank gets the sum: algorithms between threads";
  d.axes = axes();
  d.metrics = {{"bandwidth", record::Unit::bytes_per_second, record::Better::higher, Rate::bytes},
               {"time", record::Unit::seconds, record::Better::lower, Rate::time}};
  d.explanation = explanation();
  d.analysis = analysis();
  d.work = work;
  d.buffers = buffers;
  d.unsupported = unsupported;
  d.prepare_cpu = prepare_cpu;
  return {std::move(d)};
}

}  // namespace ridge::bench::allreduce
