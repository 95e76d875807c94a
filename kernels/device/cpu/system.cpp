// The real system calls behind the CPU device, on Linux.
#include "kernels/device/cpu/system.hpp"

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace ridge::device::cpu {
namespace {

constexpr int most_cpus = 1 << 16;  // no kernel has more; sets are sized for it, for cpu_set_t ends at 1024

struct CpuSet {
  CpuSet() { CPU_ZERO_S(bytes, set.get()); }
  std::size_t bytes = CPU_ALLOC_SIZE(most_cpus);
  std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set{CPU_ALLOC(most_cpus), [](cpu_set_t* s) { CPU_FREE(s); }};
};

std::vector<int> real_affinity() {
  const CpuSet mask;
  std::vector<int> cpus;
  if (sched_getaffinity(0, mask.bytes, mask.set.get()) != 0) return cpus;
  for (int cpu = 0; cpu < most_cpus; ++cpu)
    if (CPU_ISSET_S(static_cast<std::size_t>(cpu), mask.bytes, mask.set.get())) cpus.push_back(cpu);
  return cpus;
}

bool real_bind(const std::vector<int>& cpus) {
  const CpuSet mask;
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), mask.bytes, mask.set.get());
  return sched_setaffinity(0, mask.bytes, mask.set.get()) == 0;
}

void* real_reserve(std::int64_t bytes) {
  void* begin =
      mmap(nullptr, static_cast<std::size_t>(bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return begin == MAP_FAILED ? nullptr : begin;
}

std::string real_read_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

System System::real() {
  System system;
  system.reserve = real_reserve;
  system.commit = [](void* begin, std::int64_t bytes) {
    return mprotect(begin, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE) == 0;
  };
  system.ask_huge_pages = [](void* begin, std::int64_t bytes) {
    return madvise(begin, static_cast<std::size_t>(bytes), MADV_HUGEPAGE) == 0;
  };
  system.refuse_huge_pages = [](void* begin, std::int64_t bytes) {
    madvise(begin, static_cast<std::size_t>(bytes), MADV_NOHUGEPAGE);
  };
  system.discard = [](void* begin, std::int64_t bytes) {
    madvise(begin, static_cast<std::size_t>(bytes), MADV_DONTNEED);
  };
  system.release = [](void* begin, std::int64_t bytes) { munmap(begin, static_cast<std::size_t>(bytes)); };
  system.affinity = real_affinity;
  system.bind = real_bind;
  system.read_file = real_read_file;
  system.host = [] {
    HostSource source;
    source.use_hwloc = false;  // the kernel's files tell all that a device needs, and cost a tenth of the time
    return read_host(source);
  };
  return system;
}

}  // namespace ridge::device::cpu
