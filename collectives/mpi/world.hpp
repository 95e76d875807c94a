// All ranks of a job: rank 0 leads and measures, the others follow.
//
// Every MPI call is made by one thread of each process. The thread that waits for it sees when a rank on this host is
// gone, when it takes too long, and when the user ends the run; it then gives the world up for good. What it was is one
// line that names host, rank and phase.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/mpi/launcher.hpp"
#include "collectives/mpi/library.hpp"
#include "collectives/mpi/member.hpp"
#include "collectives/mpi/worker.hpp"

namespace ridge::collectives::mpi {

// The GPU of this process, where ranks are GPUs.
struct GpuOfRank {
  std::string name;  // "cuda:1"
  std::string uuid;
  std::string library;  // what moves their data: "NCCL 2.28.9 (known here: 2.28.9)"
  int gpus = 0;         // that the process sees
  std::string absent;   // why nothing can be measured with it all the same; empty where it can
  // What this rank keeps of a case, given what ranks speak by.
  std::function<MakeShare(const RidgeMpi& api, int rank, int size)> shares;
};

struct Terms {
  Launch launch;
  std::string version;           // of Ridge
  std::string asked;             // must be the same on all ranks: the command line
  std::function<Opened()> open;  // device::Absent when there is no MPI
  std::function<bool()> interrupted;
  std::optional<GpuOfRank> gpu;
  double join_seconds = 60;   // to wait for all ranks to come
  double step_seconds = 300;  // for anything after that
};

class World {
 public:
  explicit World(Terms terms);
  // Leaves the world, unless it was given up.
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // For rank 0. Joins at the first call; later calls answer as the first did. device::Absent when there is no MPI,
  // device::Error with the line when it cannot be joined.
  void join();
  [[nodiscard]] int size() const { return terms_.launch.size; }
  // Where ranks are GPUs.
  [[nodiscard]] const std::optional<GpuOfRank>& gpu() const { return terms_.gpu; }
  [[nodiscard]] const std::vector<Hello>& ranks() const { return ranks_; }  // of all, once joined
  [[nodiscard]] const std::string& library() const { return opened_.version; }
  // Ranks of a host for each CPU that they may use together, at most; above 1 they wait for each other's turn.
  [[nodiscard]] bool oversubscribed() const;

  // A command to all ranks, named `phase` should it fail; the replies of all. device::Error with the line.
  std::vector<Reply> command(const Command& command, const std::string& phase);
  // Those of the last command that left some, by rank.
  std::vector<std::vector<Passage>> passages(const std::string& phase);
  std::int32_t next_id() { return ++ids_; }

  // For every other rank: joins and obeys until rank 0 has left. Returns the line, or empty when all went well.
  std::string follow();

  // What went wrong for good: one line, empty as long as nothing did. A process whose world is given up must end by
  // _exit.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  // The ranks were not started alike.
  [[nodiscard]] bool differs() const { return differs_; }
  [[nodiscard]] bool given_up() const { return worker_.given_up(); }

 private:
  void in_worker(const std::string& phase, double limit, const std::function<void()>& task);
  void enter();  // in the worker
  void bind(const std::vector<Hello>& all);
  void leave();
  std::string line(const std::string& phase, const std::string& what) const;
  std::optional<std::string> gone() const;
  template <class T>
  std::vector<T> gather(const T& mine);

  Terms terms_;
  Opened opened_;
  std::vector<Hello> ranks_;
  std::unique_ptr<Member> member_;
  std::string trouble_;
  std::atomic<bool> leaving_{false};  // ranks that are through may be gone before the last one is
  bool joined_ = false;
  bool absent_ = false;
  bool differs_ = false;
  std::int32_t ids_ = 0;
  Worker worker_;
};

}  // namespace ridge::collectives::mpi
