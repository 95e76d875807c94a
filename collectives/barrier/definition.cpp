// Barrier: nobody leaves before all have come.
#include "collectives/barrier/definition.hpp"

#include "collectives/family/family.hpp"

namespace ridge::bench::barrier {

std::vector<Definition> definitions() {
  collective::Words words;
  words.summary = "No rank goes on before all have come";
  words.measures =
      "How long it takes from the last rank's coming until all may go on: the least that any "
      "synchronisation of all ranks costs.";
  words.spoil = "Ranks that share a core: each passage then costs a turn of the scheduler.";
  words.normal =
      "Between two threads what a cache line takes there and back; more with each doubling of ranks. Between processes "
      "the same, and what the library adds.";
  return {collective::define(collectives::operation_of(collectives::Collective::barrier), words)};
}

}  // namespace ridge::bench::barrier
