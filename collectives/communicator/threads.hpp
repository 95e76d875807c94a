// Ranks that are threads of one process: a message is a pointer, and the receiver reads the sender's array.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "collectives/communicator/communicator.hpp"
#include "kernels/device/cpu/barrier.hpp"

namespace ridge::collectives {

// The most that all_at_once() takes, and the most ranks.
inline constexpr std::int64_t small_bytes = 128;
inline constexpr int most_ranks = 64;

class ThreadWorld;

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(ThreadWorld& world, int rank) : world_(world), rank_(rank) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override;
  void exchange(const reduce::Rule& rule, int to, Piece sent, int from, Piece received) override;
  void exchange_join(const reduce::Rule& rule, int to, Piece sent, int from, const std::byte* mine,
                     Piece result) override;
  void barrier() override;
  std::span<const Arrays> meet(const Arrays& mine) override;
  void leave() override { barrier(); }
  bool count_waiting(double* waited) override;

  // Of at most small_bytes. One message to each other rank, and no waiting at the end.
  bool all_at_once(const Arrays& mine) override;

 private:
  template <class Wait>
  void waiting(const Wait& wait);

  ThreadWorld& world_;
  int rank_;
  std::uint64_t small_calls_ = 0;
  double* waited_ = nullptr;  // where what waiting takes is added up
};

// What the threads of one process share. One thread for each rank, which alone uses that rank's communicator.
class ThreadWorld {
 public:
  // `patience`: looks at a flag before a waiting thread gives its CPU away between two looks; 0 where there are more
  // ranks than CPUs.
  ThreadWorld(int ranks, int patience);
  [[nodiscard]] ThreadCommunicator& rank(int r) { return ranks_[static_cast<std::size_t>(r)]; }
  [[nodiscard]] int size() const { return static_cast<int>(ranks_.size()); }
  // Lets every rank that waits, now or later, leave by device::cpu::BrokenBarrier: one of them has failed.
  void break_for_all();

 private:
  friend class ThreadCommunicator;
  // From one rank to another. `posted` counts messages, `taken` those that were read.
  struct alignas(64) Mailbox {
    std::atomic<std::uint64_t> posted{0};
    const std::byte* data = nullptr;
    alignas(64) std::atomic<std::uint64_t> taken{0};
  };
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> filled{0};
    std::byte bytes[small_bytes];
  };
  [[nodiscard]] Mailbox& mailbox(int from, int to) { return mailboxes_[static_cast<std::size_t>(from * size() + to)]; }
  [[nodiscard]] Slot& slot(int rank, std::uint64_t call) {
    return slots_[static_cast<std::size_t>(2 * rank) + call % 2];
  }
  template <class Done>
  void wait(const Done& done);

  int patience_;
  std::atomic<bool> broken_{false};
  device::cpu::SpinBarrier barrier_;
  std::vector<ThreadCommunicator> ranks_;
  std::unique_ptr<Mailbox[]> mailboxes_;
  std::unique_ptr<Slot[]> slots_;
  std::vector<Arrays> arrays_;
};

}  // namespace ridge::collectives
