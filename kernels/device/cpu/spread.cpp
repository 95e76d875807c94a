// Threads for one piece of work.
#include "kernels/device/cpu/spread.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace ridge::device::cpu {

int threads_worth(std::int64_t count, std::int64_t least) {
  const auto most = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  return static_cast<int>(std::clamp<std::int64_t>(count / std::max<std::int64_t>(least, 1), 1, most));
}

void spread(std::int64_t count, std::int64_t line, int threads, const std::function<void(int rank, Share)>& body) {
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(threads));
  const auto of_rank = [&](int rank) {
    const Share mine = share(count, rank, threads, line);
    if (mine.begin >= mine.end) return;
    try {
      body(rank, mine);
    } catch (...) {
      thrown[static_cast<std::size_t>(rank)] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  int rank = 1;
  try {
    for (; rank < threads; ++rank) others.emplace_back(of_rank, rank);
  } catch (const std::system_error&) {  // as many as there are
  }
  of_rank(0);
  for (; rank < threads; ++rank) of_rank(rank);
  for (std::thread& each : others) each.join();
  for (const std::exception_ptr& each : thrown)
    if (each) std::rethrow_exception(each);
}

}  // namespace ridge::device::cpu
