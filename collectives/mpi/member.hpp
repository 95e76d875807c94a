// One process of the world as the others see it, and what rank 0 asks of each: all plain bytes, sent as they are.
#pragma once

#include <cstdint>
#include <functional>
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
  // Where ranks are GPUs: the one of this rank, what moves their data, and how many GPUs the process sees.
  char gpu[32] = {};      // "cuda:1"; empty: ranks are processes on CPUs
  char uuid[64] = {};     // of that GPU
  char library[96] = {};  // "NCCL 2.28.9 (known here: 2.28.9)"
  std::int32_t gpus = 0;
};

enum class Ask : std::int32_t { prepare, verify, pass, passages, run, flush, drop, leave };

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
  double joining = 0;    // of one join by itself; 0: this rank joins nothing
  char error[160] = {};  // empty: it went well
};

// One rank's share of a case, wherever its arrays are. Made, used and destroyed by the thread that speaks MPI.
class Share {
 public:
  virtual ~Share() = default;
  virtual Reply verify() = 0;                             // together with all others, as all the following
  virtual double run(std::int64_t repetitions) = 0;       // seconds
  virtual std::vector<Passage> pass(std::int64_t n) = 0;  // in a row
  virtual std::vector<Passage> pass_late() = 0;           // of a barrier, in each of which another rank is late
  virtual void flush() = 0;                               // caches, of this rank alone

 protected:
  Share() = default;
  Share(const Share&) = default;
  Share& operator=(const Share&) = default;
};
// What it throws must leave no other rank waiting.
using MakeShare = std::function<std::unique_ptr<Share>(const Job& job)>;

// A rank's cases. All its calls are made by the thread that speaks MPI.
class Member {
 public:
  // `make`: shares of another kind than arrays in this process' memory.
  Member(const RidgeMpi& api, int rank, int size, MakeShare make = {});
  // Obeys a command together with all other ranks. Passages, those of a barrier that was verified or those asked for,
  // are left in `passages`.
  Reply obey(const Command& command);
  [[nodiscard]] const std::vector<Passage>& passages() const { return passages_; }
  Processes& communicator() { return communicator_; }

 private:
  Reply prepare(const Command& command);

  Processes communicator_;
  std::unique_ptr<device::cpu::Device> device_;
  MakeShare make_;
  std::map<std::int32_t, std::unique_ptr<Share>> held_;
  std::vector<Passage> passages_;
};

// What is not equal on all ranks, as one line that names the first that differs from rank 0; empty: nothing.
std::string difference(const std::vector<Hello>& all);

}  // namespace ridge::collectives::mpi
