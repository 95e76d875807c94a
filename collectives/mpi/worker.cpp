// A mailbox of one task. The waiting thread sleeps, so that it takes no time from ranks that are measured.
#include "collectives/mpi/worker.hpp"

#include <malloc.h>

#include <utility>

namespace ridge::collectives::mpi {
namespace {

constexpr std::chrono::milliseconds between_looks{50};

// MPI takes temporaries of the arrays' size for each operation. glibc gives every further thread a heap of its own, of
// 64 MiB at most, and takes from the kernel what does not fit there, page by page and each time anew: 64 MiB took twice
// as long as in a program that calls MPI from its first thread, whose heap has no such bound. So threads share that
// one.
void share_one_heap() {
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, 1);
#endif
}

}  // namespace

Worker::Worker() {
  share_one_heap();
  thread_ = std::thread([shared = shared_] { work(shared); });
}

Worker::~Worker() {
  if (given_up_) {
    thread_.detach();
    return;
  }
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->quit = true;
  }
  shared_->changed.notify_all();
  thread_.join();
}

void Worker::work(const std::shared_ptr<Shared>& shared) {
  std::unique_lock lock(shared->mutex);
  for (;;) {
    shared->changed.wait(lock, [&] { return shared->busy || shared->quit; });
    if (!shared->busy) return;
    lock.unlock();
    std::exception_ptr failure;
    try {
      shared->task();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    shared->failure = failure;
    shared->busy = false;
    shared->changed.notify_all();
  }
}

std::optional<std::string> Worker::run(std::function<void()> task,
                                       const std::function<std::optional<std::string>(double seconds)>& trouble) {
  const auto begun = std::chrono::steady_clock::now();
  std::unique_lock lock(shared_->mutex);
  shared_->task = std::move(task);
  shared_->busy = true;
  shared_->changed.notify_all();
  while (!shared_->changed.wait_for(lock, between_looks, [&] { return !shared_->busy; })) {
    lock.unlock();
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begun;
    auto said = trouble(waited.count());
    if (said) {
      given_up_ = true;
      return said;
    }
    lock.lock();
  }
  if (shared_->failure) std::rethrow_exception(std::exchange(shared_->failure, nullptr));
  return std::nullopt;
}

}  // namespace ridge::collectives::mpi
