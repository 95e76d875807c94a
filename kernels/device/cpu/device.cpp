// The CPU device: which CPUs its teams run on, how much memory its arenas may take.
#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "kernels/device/cpu/arena.hpp"
#include "kernels/device/cpu/team.hpp"

namespace ridge::device::cpu {
namespace {

// One CPU of every core first, then their hyperthread siblings, so that a team no larger than the machine has cores has
// a core for each thread.
std::vector<int> cores_first(const System& system, std::vector<int> cpus) {
  const auto is_sibling = [&](int cpu) {
    const std::string list =
        system.read_file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
    int first = cpu;
    std::from_chars(list.data(), list.data() + list.size(), first);
    return first != cpu && std::find(cpus.begin(), cpus.end(), first) != cpus.end();
  };
  std::vector<int> firsts;
  std::vector<int> siblings;
  for (const int cpu : cpus) (is_sibling(cpu) ? siblings : firsts).push_back(cpu);
  firsts.insert(firsts.end(), siblings.begin(), siblings.end());
  return firsts;
}

class HostDevice final : public Device {
 public:
  explicit HostDevice(System system)
      : system_(std::move(system)), host_(system_.host()), flusher_(system_, flush_bytes(host_)) {}

  [[nodiscard]] Name name() const override { return {Kind::cpu, 0}; }

  [[nodiscard]] std::int64_t available_bytes() const override {
    const std::int64_t usable = system_.host().memory_usable;
    return std::max<std::int64_t>(usable - (flusher_.prepared() ? 0 : flusher_.bytes()), 0);
  }

  std::unique_ptr<Arena> make_arena(std::int64_t bytes) override { return make_arena(bytes, Pages::huge); }

  std::unique_ptr<Arena> make_arena_of_small_pages(std::int64_t bytes) override {
    return make_arena(bytes, Pages::small);
  }

  Team& team(int threads) override {
    if (cpus_.empty()) cpus_ = cores_first(system_, host_.affinity);
    auto& team = teams_[threads];
    if (!team)
      team = std::make_unique<PinnedTeam>(system_, cpus_, threads, flusher_,
                                          [this] { return system_.host().memory_usable; });
    return *team;
  }

  [[nodiscard]] int usable_threads() const override { return std::max(host_.usable_threads, 1); }

 private:
  std::unique_ptr<Arena> make_arena(std::int64_t bytes, Pages pages) {
    const std::int64_t available = available_bytes();
    if (bytes > available) throw OutOfMemory(bytes, available);
    const bool several_nodes = host_.numa_nodes.value_or(1) > 1;
    return std::make_unique<HostArena>(system_, bytes, available, several_nodes, pages);
  }

  const System system_;
  const Host host_;
  CacheFlusher flusher_;
  std::vector<int> cpus_;
  std::map<int, std::unique_ptr<PinnedTeam>> teams_;
};

}  // namespace

std::unique_ptr<Device> make_device(System system) {
  return std::make_unique<HostDevice>(std::move(system));
}

std::unique_ptr<Device> make_device() {
  return make_device(System::real());
}

}  // namespace ridge::device::cpu
