// One thread that makes all of a process' MPI calls, so that a call that never returns can be given up by the others.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace ridge::collectives::mpi {

class Worker {
 public:
  Worker();
  // Waits for the task at hand, unless one was given up: then the thread is left behind, and the process has to end
  // without waiting for it.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Runs `task` there and waits. What it throws is thrown here. Every now and then `trouble` is asked; once it says
  // something the task is given up: nothing more is run, and that is the answer.
  std::optional<std::string> run(std::function<void()> task,
                                 const std::function<std::optional<std::string>(double seconds)>& trouble);
  [[nodiscard]] bool given_up() const { return given_up_; }

 private:
  // Outlives this object where the thread is left behind.
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::function<void()> task;
    std::exception_ptr failure;
    bool busy = false;
    bool quit = false;
  };
  static void work(const std::shared_ptr<Shared>& shared);

  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::thread thread_;
  bool given_up_ = false;
};

}  // namespace ridge::collectives::mpi
