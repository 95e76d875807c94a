// All-to-all: every rank has a block for every other.
#include "collectives/alltoall/definition.hpp"

#include "collectives/family/family.hpp"

namespace ridge::bench::alltoall {

std::vector<Definition> definitions() {
  collective::Words words;
  words.summary = "Every rank sends each other rank a block of its own";
  words.measures =
      "How long it takes until every rank has the block that each other rank holds for it: transposing a "
      "distributed matrix, or sending tokens to their experts and back.";
  words.why_bus =
      "of a rank's n blocks one is its own, and n − 1 of size / n bytes must leave it; so busbw is what "
      "each link carries at least";
  words.spoil =
      "Networks that are narrow in the middle: every pair talks at once, so it is the bisection that "
      "limits, not a rank's own link.";
  words.normal =
      "Between threads about the time of an all-reduce by direct, which moves as much and adds. On a network the first "
      "operation to suffer.";
  return {collective::define(collectives::operation_of(collectives::Collective::alltoall), words)};
}

}  // namespace ridge::bench::alltoall
