// Ranks that are processes: messages are MPI's.
#pragma once

#include <vector>

#include "collectives/communicator/communicator.hpp"
#include "collectives/mpi/module/module.hpp"

namespace ridge::collectives::mpi {

// Its calls throw device::Error with what MPI says.
class Processes final : public Communicator {
 public:
  Processes(const RidgeMpi& api, int rank, int size) : api_(api), rank_(rank), size_(size) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void exchange(const reduce::Rule& rule, int to, Piece sent, int from, Piece received) override;
  // What comes is received first, then joined.
  void exchange_join(const reduce::Rule& rule, int to, Piece sent, int from, const std::byte* mine,
                     Piece result) override;
  void barrier() override;
  std::span<const Arrays> meet(const Arrays&) override { return {}; }
  void leave() override {}
  bool all_at_once(const Arrays&) override { return false; }
  bool by_library(Collective collective, const Arrays& mine) override;

 private:
  const RidgeMpi& api_;
  int rank_, size_;
  std::vector<std::byte> coming_;  // grows to the largest piece, and stays
};

// device::Error when MPI said something.
void require(const char* call, const char* said);

// Why MPI's own operation cannot be used; nothing where it can.
const char* library_lacks(Collective collective, reduce::Type type, bool in_place);

}  // namespace ridge::collectives::mpi
