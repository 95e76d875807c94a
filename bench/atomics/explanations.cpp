// The family's explanations.
#include "bench/atomics/explanations.hpp"

namespace ridge::bench::atomics {
namespace {

const char* const checked =
    "Each counter must end at the number of its additions, words between counters be untouched, and the values that "
    "additions found on a counter must add up to m · (m - 1) / 2 for m additions: each of 0 … m-1 once.";

}  // namespace

Explanation explain_add() {
  Explanation e;
  e.measures =
      "How many atomic additions a second threads do on one counter, on counters side by side in a line, and on "
      "counters that lie apart: what sharing costs, and what sharing a line without knowing it costs (false sharing).";
  e.formula =
      "ops = additions of all threads / seconds. On a CPU: separate counters do not wait, so predicted_ops of spread = "
      "threads · ops of one thread; on one counter or in one line each addition waits for the line, so predicted_ops = "
      "1 / latency of atomics.handover in the same run, were every addition a handover, and ceiling_ops = ops of one "
      "thread, which never has to wait. On a GPU lanes of a warp that meet at one address take turns: "
      "predicted_turns_per_atomic "
      "= 32 for one and warp, 1 otherwise. With r = ops at one address (counters one), predicted_ops of warp = min(r · "
      "warps, ops of neighbours), of spread = ops of neighbours · 4 / 32, the 32-byte sectors that a warp's request "
      "touches.";
  e.counting = std::string(
                   "additions, not instructions of warps; what each thread found is added up in a register and written "
                   "once, besides. ") +
               checked +
               " On the reference machine turns_per_atomic is counted: the most lanes of a warp's request that meet "
               "at one address.";
  e.spoil =
      "A result that nobody uses: compilers then send additions off without waiting for an answer, or add up a warp's "
      "lanes first. Counters 64 bytes apart on a CPU that fetches lines in pairs. Threads that share a core's caches, "
      "or are moved from core to core.";
  e.normal =
      "On a CPU a thread alone adds once in a few nanoseconds; two on one counter do less together than one alone, and "
      "counters side by side are no better; apart, the rate is proportional to the threads. On a GPU neighbours should "
      "be "
      "far above one address. Never run on a GPU by us.";
  return e;
}

Explanation explain_cas() {
  Explanation e;
  e.measures =
      "How many additions a second threads do by compare-and-exchange, as data structures without locks do: an "
      "exchange that another thread was faster than is tried again.";
  e.formula =
      "ops = additions that succeeded / seconds. predicted_ops of spread = threads · ops of one thread; ceiling_ops of "
      "counters in one line = ops of one thread.";
  e.counting = std::string("additions that succeeded; attempts that failed are time only. ") + checked;
  e.spoil = "Threads that pause between attempts: kinder to each other, and another algorithm.";
  e.normal =
      "On one counter below atomics.add, which never fails: some attempts are in vain. On separate ones nearly the "
      "same.";
  return e;
}

Explanation explain_shared() {
  Explanation e;
  e.measures =
      "How many atomic additions a second the shared memories of all multiprocessors do together: on one counter a "
      "block, one a warp, one a thread. Beside atomics.add, what it saves to count in shared memory first.";
  e.formula =
      "ops = additions of all threads / seconds. Lanes of a warp that meet at one address take turns: "
      "predicted_turns_per_atomic "
      "= 32 for one and warp, 1 for neighbours. predicted_ops of warp = min(8 · ops of one, ops of neighbours): a "
      "block has 8 warps, and counts on 8 addresses in place of one.";
  e.counting = std::string(
                   "4 bytes read and written for each addition; clearing the counters and reading them back "
                   "are besides. ") +
               checked;
  e.spoil = "Few additions for each thread: clearing, two barriers and launching are then no small part.";
  e.normal = "Far above atomics.add on one counter. Never run on a GPU by us; on the reference machine it is counted.";
  return e;
}

Explanation explain_handover() {
  Explanation e;
  e.measures =
      "How long it takes until a thread on one core sees what a thread on another has written, and can answer: the "
      "line of the word goes to and fro.";
  e.formula = "latency = seconds / answers, two for each round trip. A fork and join of two threads is two of them.";
  e.counting =
      "each answer of one thread to the other. The word must end two higher for each round trip: an answer given too "
      "early or twice would end elsewhere, or never.";
  e.spoil =
      "Two threads on one core, or a busy machine: an answer then waits for the scheduler. A pause instruction between "
      "two looks, which takes up to 140 cycles on some processors.";
  e.normal =
      "30 to 150 ns between cores of one socket, less between threads of one core, several times as much between "
      "sockets.";
  return e;
}

}  // namespace ridge::bench::atomics
