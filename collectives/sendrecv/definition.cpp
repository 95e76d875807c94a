// Send and receive: every rank to the right while from the left.
#include "collectives/sendrecv/definition.hpp"

#include "collectives/family/family.hpp"

namespace ridge::bench::sendrecv {

std::vector<Definition> definitions() {
  collective::Words words;
  words.summary = "Every rank sends its array to the next while it receives that of the one before";
  words.measures =
      "What a message costs while every rank sends and receives one: how stages of a pipeline hand their "
      "results on, and the step that the ring algorithms are made of.";
  words.why_bus =
      "every byte crosses one link once in each direction, so busbw is what a link carries in one direction "
      "while it carries as much in the other";
  words.spoil = "Taking it for the bandwidth of one direction alone, which on some links is more.";
  words.normal =
      "Between threads the time of a copy, all ranks at once; the shortest message about twice what a cache "
      "line takes from core to core.";
  return {collective::define(collectives::operation_of(collectives::Collective::sendrecv), words)};
}

}  // namespace ridge::bench::sendrecv
