// Reduce-scatter: the sum of all ranks' arrays, a block of it on each rank.
#include "collectives/reducescatter/definition.hpp"

#include "collectives/family/family.hpp"

namespace ridge::bench::reducescatter {

std::vector<Definition> definitions() {
  collective::Words words;
  words.summary = "All ranks' arrays are added up and each rank gets its block of the sum";
  words.measures =
      "How long it takes until each rank holds its block of the sum of all ranks' arrays: how gradients go "
      "to the rank that keeps that share of the weights.";
  words.why_bus =
      "a rank must hand over the n − 1 blocks of its array that belong to others, or sums that stand for "
      "them, each of size / n bytes; so busbw is what each link carries at least. Where something in "
      "between does the adding, a rank receives its block once, and busbw may exceed the link";
  words.spoil = "Taking size for what a rank gets: it is what a rank brings, n times as much.";
  words.normal =
      "Half the time of an all-reduce of the same size over links, or less; with direct, reading all and "
      "writing an n-th, as much bandwidth as reading.";
  return {collective::define(collectives::operation_of(collectives::Collective::reducescatter), words)};
}

}  // namespace ridge::bench::reducescatter
