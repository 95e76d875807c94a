// One process of the world as the others see it, and what rank 0 asks of each: all plain bytes, sent as they are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "collectives/mpi/communicator.hpp"
#include "collectives/operations/rank_work.hpp"
#include "kernels/device/cpu/device.hpp"

namespace ridge::collectives::mpi {

// What a rank says of itself when it joins.
struct Hello {
  char version[64] = {};  // of Ridge
  char host[64] = {};
  std::uint64_t asked = 0;      // hash of what its command line asks for
  std::uint64_t processes = 0;  // equal on ranks that see each other's process numbers
  std::int64_t pid = 0;
  std::int32_t rank = 0;
  std::int32_t cpus = 0;  // that it may run on
  std::int32_t cpu = -1;  // the one it bound itself to, or was bound to; -1: none
};

enum class Ask : std::int32_t { prepare, verify, passages, run, flush, drop, leave };

struct Command {
  Ask ask = Ask::leave;
  std::int32_t id = 0;  // of the case
  std::int64_t repetitions = 0;
  Job job;
};

struct Reply {
  std::int64_t wrong = 0;
  std::int64_t checked = 0;
  double seconds = 0;
  char error[160] = {};  // empty: it went well
};

// A rank's cases. All its calls are made by the thread that speaks MPI.
class Member {
 public:
  Member(const RidgeMpi& api, int rank, int size);
  // Obeys a command together with all other ranks. Passages of a barrier that was verified are left in `passages`.
  Reply obey(const Command& command);
  [[nodiscard]] const std::vector<Passage>& passages() const { return passages_; }
  Processes& communicator() { return communicator_; }

 private:
  struct Held {
    std::unique_ptr<device::Arena> arena;
    std::unique_ptr<RankWork> work;
    Job job;
  };
  void prepare(const Command& command);
  Reply verify(Held& held);
  Reply run(Held& held, std::int64_t repetitions);

  Processes communicator_;
  std::unique_ptr<device::cpu::Device> device_;
  std::map<std::int32_t, Held> held_;
  std::vector<Passage> passages_;
};

// What is not equal on all ranks, as one line that names the first that differs from rank 0; empty: nothing.
std::string difference(const std::vector<Hello>& all);

}  // namespace ridge::collectives::mpi
