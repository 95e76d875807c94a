// Broadcast: rank 0's array, on every rank.
#include "collectives/broadcast/definition.hpp"

#include "collectives/family/family.hpp"

namespace ridge::bench::broadcast {

std::vector<Definition> definitions() {
  collective::Words words;
  words.summary = "Rank 0's array goes to all ranks";
  words.measures = "How long it takes until every rank holds rank 0's array: how weights reach all ranks at the start.";
  words.why_bus =
      "every rank but the first must receive size bytes, and the first must send them at least once; so "
      "busbw is what a link carries at least";
  words.spoil =
      "Small arrays, back to back: rank 0 may be ahead of the last rank by as many as the messages in "
      "between hold, so the time is that of a pipeline and not of one broadcast.";
  words.normal =
      "With direct, all ranks read the same array at once, as fast as a copy; with messages ⌈log2 n⌉ copies "
      "one after the other.";
  return {collective::define(collectives::operation_of(collectives::Collective::broadcast), words)};
}

}  // namespace ridge::bench::broadcast
