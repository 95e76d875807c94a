// Reduce: the sum of all ranks' arrays, on rank 0.
#include "collectives/reduce/definition.hpp"

#include "collectives/family/family.hpp"

namespace ridge::bench::reduce {

std::vector<Definition> definitions() {
  collective::Words words;
  words.summary = "All ranks' arrays are added up and rank 0 gets the sum";
  words.measures =
      "How long it takes until rank 0 holds the sum of all ranks' arrays: how a total, a loss or an error, "
      "is gathered.";
  words.why_bus =
      "every rank but the first must send size bytes, or a sum that stands for them, and the first must "
      "receive them at least once; so busbw is what a link carries at least";
  words.spoil =
      "Small arrays, back to back: ranks that only send may be ahead of rank 0 by as many as the messages "
      "in between hold.";
  words.normal =
      "With direct, all ranks add a share each and write it to rank 0's array: less than an all-reduce, "
      "which writes n times as much.";
  return {collective::define(collectives::operation_of(collectives::Collective::reduce), words)};
}

}  // namespace ridge::bench::reduce
