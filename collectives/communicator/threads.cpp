// Messages between threads.
#include "collectives/communicator/threads.hpp"

#include <chrono>
#include <cstring>

namespace ridge::collectives {

ThreadWorld::ThreadWorld(int ranks, int patience)
    : patience_(patience),
      barrier_(ranks, patience),
      mailboxes_(std::make_unique<Mailbox[]>(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks))),
      slots_(std::make_unique<Slot[]>(2 * static_cast<std::size_t>(ranks))),
      arrays_(static_cast<std::size_t>(ranks)) {
  for (int r = 0; r < ranks; ++r) ranks_.emplace_back(*this, r);
}

void ThreadWorld::break_for_all() {
  broken_.store(true, std::memory_order_release);
  barrier_.break_for_all();
}

template <class Done>
void ThreadWorld::wait(const Done& done) {
  device::cpu::spin_until([&] { return done() || broken_.load(std::memory_order_relaxed); }, patience_);
  if (!done()) throw device::cpu::BrokenBarrier{};
}

int ThreadCommunicator::size() const {
  return world_.size();
}

bool ThreadCommunicator::count_waiting(double* waited) {
  waited_ = waited;
  return true;
}

// The clock is read only while it is counted.
template <class Wait>
void ThreadCommunicator::waiting(const Wait& wait) {
  if (waited_ == nullptr) return wait();
  const auto begin = std::chrono::steady_clock::now();
  wait();
  *waited_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void ThreadCommunicator::barrier() {
  if (world_.size() > 1) waiting([this] { world_.barrier_.arrive_and_wait(); });
}

std::span<const Arrays> ThreadCommunicator::meet(const Arrays& mine) {
  world_.arrays_[static_cast<std::size_t>(rank_)] = mine;
  barrier();
  return world_.arrays_;
}

namespace {

// Both halves of an exchange: what is done with the message once it is there, says `take`.
template <class Mailbox, class Wait, class Take>
void pass(Mailbox* outgoing, Mailbox* incoming, const std::byte* sent, const Wait& wait, const Take& take) {
  std::uint64_t message = 0;
  if (outgoing != nullptr) {
    message = outgoing->posted.load(std::memory_order_relaxed) + 1;
    outgoing->data = sent;
    outgoing->posted.store(message, std::memory_order_release);
  }
  if (incoming != nullptr) {
    const std::uint64_t next = incoming->taken.load(std::memory_order_relaxed) + 1;
    wait([&] { return incoming->posted.load(std::memory_order_acquire) >= next; });
    take(incoming->data);
    incoming->taken.store(next, std::memory_order_release);
  }
  if (outgoing != nullptr) wait([&] { return outgoing->taken.load(std::memory_order_acquire) >= message; });
}

}  // namespace

void ThreadCommunicator::exchange(const reduce::Rule& rule, int to, Piece sent, int from, Piece received) {
  pass(
      to == nobody ? nullptr : &world_.mailbox(rank_, to), from == nobody ? nullptr : &world_.mailbox(from, rank_),
      sent.data, [this](const auto& done) { waiting([&] { world_.wait(done); }); },
      [&](const std::byte* coming) {
        const void* source = coming;
        void* target = received.data;
        reduce::combine(rule, {&source, 1}, {&target, 1}, 0, received.count);
      });
}

void ThreadCommunicator::exchange_join(const reduce::Rule& rule, int to, Piece sent, int from, const std::byte* mine,
                                       Piece result) {
  pass(
      to == nobody ? nullptr : &world_.mailbox(rank_, to), from == nobody ? nullptr : &world_.mailbox(from, rank_),
      sent.data, [this](const auto& done) { waiting([&] { world_.wait(done); }); },
      [&](const std::byte* coming) {
        const void* sources[] = {mine, coming};
        void* target = result.data;
        reduce::combine(rule, sources, {&target, 1}, 0, result.count);
      });
}

// A rank that begins call k + 2 has seen the flags of call k + 1 from all, who set them after they had read call k's
// slots: two slots are enough.
bool ThreadCommunicator::all_at_once(const Arrays& mine) {
  const std::int64_t bytes = mine.count * reduce::bytes_of(mine.rule.type);
  if (bytes > small_bytes) return false;
  const std::uint64_t call = small_calls_++;
  ThreadWorld::Slot& own = world_.slot(rank_, call);
  std::memcpy(own.bytes, mine.in, static_cast<std::size_t>(bytes));
  own.filled.store(call + 1, std::memory_order_release);
  const void* sources[most_ranks];
  const int ranks = world_.size();
  for (int r = 0; r < ranks; ++r) {
    const ThreadWorld::Slot& slot = world_.slot(r, call);
    waiting([&] { world_.wait([&] { return slot.filled.load(std::memory_order_acquire) >= call + 1; }); });
    sources[r] = slot.bytes;
  }
  void* target = mine.out;
  reduce::combine(mine.rule, {sources, static_cast<std::size_t>(ranks)}, {&target, 1}, 0, mine.count);
  return true;
}

}  // namespace ridge::collectives
