// All-gather: every rank's block, on every rank.
#include "collectives/allgather/definition.hpp"

#include "collectives/family/family.hpp"

namespace ridge::bench::allgather {

std::vector<Definition> definitions() {
  collective::Words words;
  words.summary = "Every rank gets the blocks of all ranks, one after the other";
  words.measures =
      "How long it takes until every rank holds the blocks of all ranks: how sharded weights are brought "
      "together before a layer runs.";
  words.why_bus =
      "a rank has its own block and must receive the n − 1 others, each of size / n bytes, whatever the "
      "algorithm; so busbw is what each link carries at least";
  words.spoil = "Taking size for what a rank sends: it is what a rank has in the end, n times as much.";
  words.normal =
      "Half the time of an all-reduce of the same size over links, or less: one round instead of two, and "
      "nothing to add.";
  return {collective::define(collectives::operation_of(collectives::Collective::allgather), words)};
}

}  // namespace ridge::bench::allgather
