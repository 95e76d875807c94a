// One kernel through two evaluators, the study and the reference machine, on the same inputs.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "kernels/ptx/ptx.hpp"
#include "ptxrun.h"

namespace ridge::ptx::study {

/// The same bytes in the memory of both.
struct Array {
  std::uint64_t ours = 0;
  void* theirs = nullptr;
  std::size_t bytes = 0;
};

inline std::uint64_t for_us(const Array& a) {
  return a.ours;
}
inline void* for_them(const Array& a) {
  return a.theirs;
}
template <class T>
T for_us(const T& value) {
  return value;
}
template <class T>
T for_them(const T& value) {
  return value;
}

/// Medians of rounds in which the two take turns, one and then two host threads for us. Processor time compares cores
/// even on a machine that others use; the gain of a second thread shows in real time only, and on a quiet machine.
struct Rates {
  double thread_instructions = 0;
  double study_seconds = 0, our_seconds = 0;               ///< of processor time, one thread
  double one_thread_seconds = 0, two_threads_seconds = 0;  ///< of real time, ours
};

class Both {
 public:
  explicit Both(const std::string& text)
      : instance_(Module::parse(text), memory_), study_(ptxrun::Module::fromText(text)) {}
  Both(const Both&) = delete;
  Both& operator=(const Both&) = delete;
  ~Both() {
    for (void* p : allocated_) ptxrun::dealloc(p);
  }

  template <class T>
  Array upload(const std::vector<T>& values) {
    const Array a = allocate(values.size() * sizeof(T));
    memory_.write(a.ours, values.data(), a.bytes);
    std::memcpy(a.theirs, values.data(), a.bytes);
    return a;
  }
  Array allocate(std::size_t bytes) {
    const Array a{memory_.allocate(bytes), ptxrun::alloc(bytes), bytes};
    allocated_.push_back(a.theirs);
    std::memset(a.theirs, 0, bytes);
    memory_.fill(a.ours, 0, 1, bytes);
    return a;
  }

  /// Both run the kernel; true when `out` holds the same bytes afterwards.
  template <class... A>
  bool agree(const char* kernel, Dim3 grid, Dim3 block, const Array& out, const A&... a) {
    by_study(kernel, grid, block, a...);
    by_us(kernel, grid, block, 1, a...);
    std::vector<unsigned char> mine(out.bytes);
    memory_.read(mine.data(), out.ours, out.bytes);
    const auto* theirs = static_cast<const unsigned char*>(out.theirs);
    const auto different = std::mismatch(mine.begin(), mine.end(), theirs).first - mine.begin();
    const bool same = different == static_cast<std::ptrdiff_t>(out.bytes);
    std::printf("%-16s %8zu bytes  %s", kernel, out.bytes, same ? "the same\n" : "DIFFERENT");
    if (!same) std::printf(" from byte %td\n", different);
    return same;
  }

  template <class... A>
  Rates rates(const char* kernel, Dim3 grid, Dim3 block, int rounds, const A&... a) {
    std::vector<double> study, ours, one, two;
    Rates r;
    for (int i = 0; i < rounds; ++i) {
      study.push_back(timed([&] { by_study(kernel, grid, block, a...); }).processor);
      const Seconds single = timed([&] { r.thread_instructions = by_us(kernel, grid, block, 1, a...); });
      ours.push_back(single.processor);
      one.push_back(single.real);
      two.push_back(timed([&] { by_us(kernel, grid, block, 2, a...); }).real);
    }
    r.study_seconds = median(study);
    r.our_seconds = median(ours);
    r.one_thread_seconds = median(one);
    r.two_threads_seconds = median(two);
    return r;
  }

 private:
  struct Seconds {
    double real, processor;
  };
  template <class F>
  static Seconds timed(F f) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t used = std::clock();
    f();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
            static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC};
  }
  static double median(std::vector<double>& values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
  }
  template <class... A>
  void by_study(const char* kernel, Dim3 grid, Dim3 block, const A&... a) {
    study_->run(kernel, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, 0, {}, for_them(a)...);
  }
  /// With bounds checks only, as the study runs by default.
  template <class... A>
  double by_us(const char* kernel, Dim3 grid, Dim3 block, unsigned threads, const A&... a) {
    LaunchOptions options;
    options.checks.races = options.checks.uninitialised = false;
    options.threads = threads;
    return static_cast<double>(
        launch_with(instance_, kernel, grid, block, 0, options, for_us(a)...).counts.instructions.lanes);
  }

  Memory memory_;
  Instance instance_;
  std::shared_ptr<ptxrun::Module> study_;
  std::vector<void*> allocated_;
};

}  // namespace ridge::ptx::study
