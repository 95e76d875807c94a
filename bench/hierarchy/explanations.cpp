// What each benchmark of the family answers, by which formula, and what spoils it.
#include "bench/hierarchy/explanations.hpp"

namespace ridge::bench::hierarchy {

Explanation explain_latency() {
  Explanation e;
  e.measures =
      "How long a load takes when nothing hides it: each load's address is what the load before it brought, so no two "
      "overlap and no prefetcher can guess the next. By working set this is a staircase. While the lines fit in a "
      "level, a load costs that level's latency; where they stop fitting, the curve leaves the step. So the curve "
      "tells of levels and capacities by itself, also where the machine hides them, and shows what of a shared cache "
      "is really to be had.";
  e.formula =
      "latency = seconds / loads that wait for each other. latency_cycles = latency · the core's clock, probed after "
      "each sample. A level is a run of sizes whose latency grows by less than a quarter from each size to the next "
      "when that is doubled; its figure is the median over its sizes; it reaches up to its largest size.";
  e.counting =
      "Lines of 64 bytes, linked to one cycle in a random order that follows from the seed; a load uses 8 bytes of its "
      "line. Before it is timed, the cycle is walked: every line must be visited exactly once, and the timed loop must "
      "end where following its links one by one leads. Links are followed 16384 at a time, going on where the last "
      "repetition ended.";
  e.spoil =
      "An order that a prefetcher guesses (a stride, or neighbours within a page). A shuffle with short cycles: a "
      "working set that is smaller than it says. Small pages: beyond what the TLB reaches every load also pays for "
      "finding its page; --pages huge,small shows how much. On a virtual machine the host's pages count as well, and "
      "huge ones of the guest may lie on small ones of the host. Neighbours: a last level is shared, and what "
      "strangers "
      "hold of it is not yours. A clock that rises during the measurement.";
  e.normal =
      "First level 4 to 5 cycles, second 12 to 18, last 40 to 80, memory 70 to 130 ns on a quiet machine and 200 ns "
      "and "
      "more on a busy or virtual one. lmbench's lat_mem_rd and multichase give the same figures for an equal order of "
      "lines and equal pages.";
  return e;
}

Explanation explain_pages() {
  Explanation e = explain_latency();
  e.measures =
      "What a load pays for finding its page. A core keeps the places of its last pages (64 to 3000 of them) in a TLB; "
      "a "
      "load from any other page first walks the page table, which is memory itself. On pages of 4 KiB the TLB reaches "
      "some megabytes, on pages of 2 MiB some gigabytes.";
  e.formula =
      "latency as in hierarchy.latency; against_huge_pages = latency on small pages / latency on huge ones, of the "
      "same "
      "number of lines in the same order. The difference is the part of a page walk that nothing hides.";
  e.spoil =
      "No huge pages to be had: then both are the same, and the run says that they were asked for and not given (the "
      "record's page_size is what came). On a virtual machine two tables are walked, the guest's and the host's, and a "
      "guest's huge page that lies on small pages of the host is kept in the TLB as small ones: the ratio is then "
      "small, "
      "and both figures are large.";
  e.normal =
      "No difference while the TLB reaches all lines; beyond, 10 to 40 % in a set that lies in memory, up to a factor "
      "of "
      "two on virtual machines, and more where the page table itself no longer fits in a cache.";
  return e;
}

Explanation explain_parallelism() {
  Explanation e;
  e.measures =
      "How many loads overlap. One thread follows k chains in one loop; the loads of different chains do not wait for "
      "each other. As long as the core and the memory can hold k loads under way, k chains take no longer than one, "
      "and "
      "k times as many lines arrive.";
  e.formula =
      "Little's law: bytes in flight = latency · bandwidth. With k lines of 64 bytes in flight, predicted_bandwidth = "
      "min(k · 64 B / latency of one chain, what the same thread reads in order), both of this run, at this size; "
      "share_of_prediction = bandwidth / predicted_bandwidth. Read the other way round: a bandwidth b needs b · "
      "latency "
      "/ 64 B lines in flight, and a thread that cannot hold as many cannot fill the memory alone.";
  e.counting =
      "One line of 64 bytes for each load. latency is that of one chain's link, whatever the other chains do: where it "
      "rises with k, loads queue.";
  e.spoil =
      "Chains that meet: they start n/k links apart on one cycle of n lines. More chains than registers (some 14): "
      "their places lie on the stack, which costs one more hit in the first level each link and shows in working sets "
      "that lie in that level themselves. Too many pages: what overlaps less than loads are the walks through the page "
      "tables. A page table that only several chains together keep in the caches makes the prediction too low.";
  e.normal =
      "Linear up to the line buffers of the first level (10 to 16 on older cores, 24 to 48 on newer ones); then the "
      "bandwidth stays and the latency rises. Reading in order does better than any number of chains, since "
      "prefetchers keep lines in flight that no load has asked for yet.";
  return e;
}

Explanation explain_bandwidth() {
  Explanation e;
  e.measures =
      "How many bytes a second each level delivers to one thread and to all of them, by working set: the kernel is "
      "that "
      "of bandwidth.read, at sizes through the whole hierarchy.";
  e.formula =
      "bandwidth = size / seconds of a pass. bytes_in_flight = bandwidth · latency (of hierarchy.latency at the same "
      "size): "
      "what must be under way all the time to sustain it.";
  e.counting =
      "Each element of one array read once; nothing is written. Sizes are of the whole array, shared by the threads.";
  e.spoil =
      "Reading all threads' figure as one core's, or the other way round: private levels add up, shared ones do not. A "
      "size between two levels. What spoils bandwidth.read.";
  e.normal =
      "One core: 32 to 128 bytes a cycle from the first level, half of that from the second, 10 to 30 GB/s from "
      "memory. "
      "All cores together fill memory long before they are all needed.";
  return e;
}

}  // namespace ridge::bench::hierarchy
