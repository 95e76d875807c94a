// The family's explanations.
#include "bench/launch/explanations.hpp"

namespace ridge::bench::launch {

Explanation explain_empty() {
  Explanation e;
  e.measures =
      "How long it takes to have a GPU do nothing: what every kernel costs besides its work, and how much of it "
      "waiting, "
      "many arguments, or launching one by one add.";
  e.formula =
      "latency = seconds / launches. event: between two events around one kernel, on the GPU's clock. wall: from the "
      "call "
      "to the return of the wait, on the host's. queued: a long row without waiting, so the slower of what the host "
      "takes "
      "to launch and what the GPU takes to go on to the next. graph: 64 kernels launched as one, where the host hardly "
      "counts. graph_saves = latency of queued / latency of graph with as many arguments in the same run.";
  e.counting =
      "launches. A timed kernel finds a null address and ends. When it is checked, each launch adds a digest of its "
      "other "
      "arguments to a word, which must end at launches · digest. On the reference machine launches are counted, and "
      "compared with the stated ones; it has no time.";
  e.spoil =
      "A profiler or CUDA_LAUNCH_BLOCKING, which make every launch wait. The first launch of a kernel, which loads it: "
      "it "
      "is in no sample here. Events, whose resolution is half a microsecond: one alone says little, a median of many "
      "means "
      "does. Another process on the same GPU.";
  e.normal =
      "A few microseconds, wall the longest, graph the shortest; more arguments cost the host a little more. Never run "
      "on "
      "a GPU by us.";
  return e;
}

Explanation explain_steps() {
  Explanation e;
  e.measures =
      "What launching costs a computation of many small steps, each of which needs the one before, as the layers of a "
      "model for one token do: the same steps as a kernel each, as one graph of kernels, and as one kernel whose "
      "threads meet at a barrier between them. All three do the same work and leave the same bits.";
  e.formula =
      "latency = seconds / steps. speedup = latency of stream / latency of this way, at as many steps in the same run. "
      "predicted_latency of stream and graph = latency of persistent at as many steps, which launches once, + that of "
      "launch.empty queued (of graph: in a graph) with one argument, in the same run.";
  e.counting =
      "Steps; each reads every of 1024 elements and its neighbour and writes one of 1024, by one block of 256 threads. "
      "predicted_launches = steps, and 1 for persistent; the reference machine counts launches, bytes and operations";
  e.spoil =
      "Steps that fill the GPU: their own time then hides the launches. One step, where nothing can be saved. A "
      "profiler or CUDA_LAUNCH_BLOCKING.";
  e.normal = "Stream the slowest, graph faster, persistent the fastest from some steps on. Never run on a GPU by us.";
  return e;
}

Explanation explain_fork_join() {
  Explanation e;
  e.measures =
      "How long it takes to call a team of waiting threads and to know that all have answered: what every parallel "
      "loop "
      "costs besides its work. The team is the one that all benchmarks for CPUs use.";
  e.formula =
      "latency = seconds / forks. predicted_latency = 2 · latency of launch.handover in the same run, for two threads "
      "and "
      "more: the call goes over, the answer comes back. With many threads answers meet on one counter, and each adds "
      "another handover.";
  e.counting = "forks, each with its join. Every thread must have been called once for each fork.";
  e.spoil =
      "More threads than cores, or a busy machine: an answer then waits for the scheduler. Threads that sleep between "
      "forks: waking them takes tens of microseconds, so they look without pause here, and only within an interval.";
  e.normal = "With one thread nothing is handed over: a call of a function. With two, little more than two handovers.";
  return e;
}

}  // namespace ridge::bench::launch
