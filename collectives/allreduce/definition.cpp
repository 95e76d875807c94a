// All-reduce: the sum of all ranks' arrays, on every rank.
#include "collectives/allreduce/definition.hpp"

#include "collectives/family/family.hpp"

namespace ridge::bench::allreduce {

std::vector<Definition> definitions() {
  collective::Words words;
  words.summary = "All ranks' arrays are added up and every rank gets the sum";
  words.measures =
      "How long it takes until every rank holds the sum of all ranks' arrays: the operation that data- "
      "parallel training waits for after each step.";
  words.why_bus =
      "in any algorithm over links a rank must send its part of every other rank's sum and receive theirs, "
      "2 (n − 1)/n · size, so busbw is what each link carries at least, and may be compared with the link's "
      "rate whatever n is. Where something in between does the adding (a switch, or memory that all share) "
      "a rank sends and receives less, and busbw may exceed the link";
  words.spoil =
      "Sums of random floating-point numbers, which differ by the order: here elements are whole numbers, "
      "and every element must be exact.";
  words.normal =
      "A handful of bytes: one or two times what a cache line takes from core to core, 0.1 to 0.5 µs. Large "
      "arrays: direct as much bandwidth as copying; ring less, since sums are written and read again. "
      "Messages between processes are copied once more and take about twice as long.";
  return {collective::define(collectives::operation_of(collectives::Collective::allreduce), words)};
}

}  // namespace ridge::bench::allreduce
