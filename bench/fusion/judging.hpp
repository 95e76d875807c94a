// For the tests of wrong kernels: what verification says of one, and how many it has refused.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "bench/harness/definition.hpp"
#include "kernels/device/cpu/device.hpp"

namespace ridge::bench::fusion::testing {

// Of the case that `make` makes in an arena that holds those buffers.
template <class Make>
record::Check judged(const std::vector<std::int64_t>& buffers, const Make& make) {
  const auto device = device::cpu::make_device();
  std::int64_t needed = 0;
  for (const std::int64_t bytes : buffers) needed += device::borrow_cost(bytes);
  const auto arena = device->make_arena(needed);
  CpuContext context{*device, *arena, 1, Fill::random};
  return make(context)->verify().status;
}

struct Count {
  int made = 0;
  int killed = 0;
  void judge(const std::string& name, record::Check found) {
    ++made;
    killed += found == record::Check::failed ? 1 : 0;
    std::cout << name << ": " << (found == record::Check::failed ? "killed" : "SURVIVED") << '\n';
    CAPTURE(name);
    CHECK(found == record::Check::failed);
  }
};

}  // namespace ridge::bench::fusion::testing
