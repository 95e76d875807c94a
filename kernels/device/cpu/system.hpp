// The system calls that the CPU device makes, each under a name that a test can replace with one that fails.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device/cpu/device.hpp"
#include "kernels/device/cpu/host.hpp"

namespace ridge::device::cpu {

struct System {
  // Address space of that many bytes without access rights; nullptr when refused.
  std::function<void*(std::int64_t bytes)> reserve;
  // Makes a part of it readable and writable; false when refused.
  std::function<bool(void* begin, std::int64_t bytes)> commit;
  // Asks for huge pages under a part of it; false when the kernel has none to offer. Never an error.
  std::function<bool(void* begin, std::int64_t bytes)> ask_huge_pages;
  // Wants none there, even where the kernel gives them unasked. Never an error.
  std::function<void(void* begin, std::int64_t bytes)> refuse_huge_pages;
  // Gives the pages of a part back, so that the next thread to touch one places it anew.
  std::function<void(void* begin, std::int64_t bytes)> discard;
  std::function<void(void* begin, std::int64_t bytes)> release;

  // The logical CPUs that the calling thread may run on, ascending; empty when unknown.
  std::function<std::vector<int>()> affinity;
  // Binds the calling thread to these logical CPUs; false when refused.
  std::function<bool(const std::vector<int>& cpus)> bind;

  // The text of a file under /proc or /sys; empty when there is none.
  std::function<std::string(const std::string& path)> read_file;
  std::function<Host()> host;

  static System real();
};

// Like make_device() of device.hpp, with other system calls. Its host facts are read once, here.
std::unique_ptr<Device> make_device(System system);

}  // namespace ridge::device::cpu
