// What each benchmark that only a GPU has answers, by which formula, and what spoils it.
#include "bench/hierarchy/explanations.hpp"

namespace ridge::bench::hierarchy {

Explanation explain_shared_latency() {
  Explanation e;
  e.measures =
      "How long a load from a GPU's shared memory takes when nothing hides it: one thread follows one random cycle of "
      "4-byte words.";
  e.formula =
      "latency = seconds / loads that wait for each other; the copy into shared memory is inside, and small. "
      "latency_cycles = latency · the clock that is probed after each sample.";
  e.counting =
      "4 bytes of shared memory for each load. The cycle is read back from the device and walked on the host, and a "
      "repetition, which passes every word of the copy, must end where its links lead.";
  e.spoil =
      "Links as indices: each address is then an addition more. Here a link is the address itself. Few loads in a "
      "launch: launching takes as long as hundreds of them.";
  e.normal = "Of the order of the first-level cache, whose memory it shares. Never measured by us: no GPU was there.";
  return e;
}

Explanation explain_shared_bandwidth() {
  Explanation e;
  e.measures = "How many bytes a second the shared memories of all multiprocessors deliver together.";
  e.formula =
      "bandwidth = blocks · passes · size / seconds. Each multiprocessor has 32 banks of 4 bytes: at most 128 bytes a "
      "cycle, so predicted_bandwidth = multiprocessors · 128 B · the clock that is probed after each sample.";
  e.counting =
      "Each block fills its shared memory once (besides) and reads all of it 256 times, 16 bytes a thread: 32 lanes "
      "read "
      "512 bytes in a run, which no bank serves twice in a pass. Every block's sum must be the sum of what was filled "
      "in, times the passes, modulo 2^32: a word left out or read twice shows.";
  e.spoil = "Bank conflicts. Few passes: filling and joining are then no small part. Too few blocks to fill the GPU.";
  e.normal = "Close to the 128 bytes a cycle of each multiprocessor. Never measured by us: no GPU was there.";
  return e;
}

Explanation explain_in_flight() {
  Explanation e;
  e.measures =
      "How much must be under way to fill a GPU's memory. Each thread asks for 1, 2 or 4 pieces of 16 bytes and needs "
      "them all before it goes on, so what is in flight is known: multiprocessors · warps · 32 · loads · 16 bytes.";
  e.formula =
      "Little's law: predicted_bandwidth = min(bytes in flight / latency, bandwidth), with latency of "
      "hierarchy.latency "
      "and bandwidth of hierarchy.bandwidth at the same size in the same run. The two meet where bytes in flight = "
      "latency · bandwidth: fewer warps cannot fill the memory, more only wait.";
  e.counting =
      "1024 rounds of all threads over the data, in windows, from the first again behind the last. The sum over all "
      "blocks must be that of the pieces read, each as often as its window was, modulo 2^64.";
  e.spoil =
      "A loop that the compiler spreads out so that loads of two rounds overlap, or that uses one piece before it "
      "asked "
      "for the next: here the rounds are not unrolled, and pieces are added up from the last one on. A working set "
      "that "
      "fits in the L2. Launching: with one warp a round is one latency, so 1024 of them are far above it.";
  e.normal =
      "Proportional to warps · loads, then flat. Never measured by us: no GPU was there. What the compiler for the "
      "machine makes of the loop was not seen either; the reference machine executes its PTX.";
  return e;
}

}  // namespace ridge::bench::hierarchy
