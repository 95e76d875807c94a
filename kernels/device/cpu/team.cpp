// Orders go from the caller's thread to the workers through one atomic word; each worker answers every order once.
//
// The word is a sequence number (so that every order differs from the one before) above three flags. While `spin` is
// set workers look at it without pause; otherwise they sleep on it in the kernel and cost nothing. All that the caller
// wrote before an order is visible to the workers, and the other way round once they have answered.
#include "kernels/device/cpu/team.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <chrono>
#include <system_error>
#include <utility>

namespace ridge::device::cpu {
namespace {

constexpr unsigned spin = 1;  // stay awake after this order
constexpr unsigned job = 2;   // call the body
constexpr unsigned quit = 4;
constexpr unsigned sequence = 8;

// Looks at a word that takes longer than any measured fork or join, yet short against a scheduler's time slice; with
// more threads than CPUs the awaited thread may need this very CPU, so hardly any.
constexpr int patient = 1 << 14;
constexpr int impatient = 16;

int patience_of(int threads, const std::vector<int>& cpus) {
  return threads > static_cast<int>(cpus.size()) ? impatient : patient;
}

}  // namespace

class PinnedTeam::Pin {
 public:
  explicit Pin(PinnedTeam& team) : team_(team) {
    if (team_.cpus_.empty()) return;
    before_ = team_.system_.affinity();
    if (!team_.system_.bind({team_.cpus_.front()})) team_.pinned_ = false;
  }
  ~Pin() {
    if (!before_.empty()) team_.system_.bind(before_);
  }
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;

 private:
  PinnedTeam& team_;
  std::vector<int> before_;
};

class PinnedTeam::Awake {
 public:
  explicit Awake(PinnedTeam& team) : team_(team) {
    team_.awake_ = true;
    team_.post(spin);
    team_.await_workers();
  }
  ~Awake() {
    team_.awake_ = false;
    team_.post(0);
    team_.await_workers();
  }
  Awake(const Awake&) = delete;
  Awake& operator=(const Awake&) = delete;

 private:
  PinnedTeam& team_;
};

PinnedTeam::PinnedTeam(const System& system, std::vector<int> cpus, int threads, CacheFlusher& flusher,
                       std::function<std::int64_t()> available)
    : system_(system),
      cpus_(std::move(cpus)),
      size_(threads),
      patience_(patience_of(threads, cpus_)),
      flusher_(flusher),
      available_(std::move(available)),
      pinned_(!cpus_.empty()),
      barrier_(threads, patience_) {
  if (threads < 1) throw std::invalid_argument(fmt::format("a team of {} threads", threads));
  try {
    for (int rank = 1; rank < size_; ++rank) workers_.emplace_back([this, rank] { work(rank); });
  } catch (const std::system_error& error) {
    const auto started = workers_.size() + 1;
    stop();
    throw Error(fmt::format("cannot start thread {} of {}: {}", started + 1, threads, error.what()));
  }
}

PinnedTeam::~PinnedTeam() {
  stop();
}

void PinnedTeam::stop() {
  post(quit);
  for (std::thread& worker : workers_) worker.join();
}

void PinnedTeam::work(int rank) {
  ::pthread_setname_np(::pthread_self(), team_name);
  if (!cpus_.empty() && !system_.bind({cpus_[static_cast<std::size_t>(rank) % cpus_.size()]})) pinned_ = false;
  unsigned last = 0;
  for (;;) {
    if ((last & spin) != 0) {
      spin_until([&] { return order_.load(std::memory_order_acquire) != last; }, patience_);
    } else {
      order_.wait(last, std::memory_order_acquire);
    }
    last = order_.load(std::memory_order_acquire);
    if ((last & quit) != 0) return;
    if ((last & job) != 0) call(*body_, rank);
    pending_.fetch_sub(1, std::memory_order_release);
  }
}

// No two orders overlap: each is answered by all before the next is given.
void PinnedTeam::post(unsigned flags) {
  if (workers_.empty()) return;
  pending_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
  const unsigned before = order_.load(std::memory_order_relaxed);
  order_.store((before & ~(sequence - 1)) + sequence + flags, std::memory_order_release);
  if ((before & spin) == 0) order_.notify_all();
}

void PinnedTeam::await_workers() {
  spin_until([&] { return pending_.load(std::memory_order_acquire) == 0; }, patience_);
}

void PinnedTeam::call(const std::function<void(int)>& body, int rank) noexcept {
  try {
    body(rank);
  } catch (const BrokenBarrier&) {  // a consequence; the cause is in failure_
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
    barrier_.break_for_all();
  }
}

void PinnedTeam::parallel(const std::function<void(int)>& body) {
  if (busy_) throw std::logic_error("parallel() within parallel()");
  if (size_ == 1) return body(0);
  busy_ = true;
  body_ = &body;
  post(job | (awake_ ? spin : 0));
  call(body, 0);
  await_workers();
  busy_ = false;
  if (failure_) {
    barrier_.mend();
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

Interval PinnedTeam::time(const std::function<void()>& work) {
  if (awake_) throw std::logic_error("time() within time()");
  const Pin pin(*this);
  const Awake awake(*this);
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return {took.count(), took.count()};
}

void PinnedTeam::flush_caches() {
  if (!flusher_.prepared()) flusher_.prepare(available_());
  const Pin pin(*this);
  parallel([this](int rank) { flusher_.flush(rank, size_); });
  flusher_.settle();
}

}  // namespace ridge::device::cpu
