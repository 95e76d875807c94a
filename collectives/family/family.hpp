// A benchmark of one operation: its definition, given the operation and what only words can say of it.
#pragma once

#include <string>

#include "bench/harness/definition.hpp"
#include "collectives/operations/operations.hpp"

namespace ridge::bench::collective {

struct Words {
  std::string summary;
  std::string measures;
  std::string why_bus;  // why busbw is algbw times that factor; empty where nothing is moved
  std::string spoil;    // besides what spoils each of them
  std::string normal;
};

Definition define(const collectives::Operation& operation, const Words& words);

// The engine that the point names: "threads" or "mpi".
std::string engine_of(const record::Point& point);

}  // namespace ridge::bench::collective
