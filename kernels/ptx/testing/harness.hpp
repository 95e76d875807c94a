// What tests of the reference machine share: a module in a memory, arrays up and down, and all orders.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/ptx/ptx.hpp"

namespace ridge::ptx::testing {

/// One module in one memory.
struct Machine {
  explicit Machine(const std::string& text) : module(Module::parse(text)), instance(module, memory) {}

  template <class T>
  std::uint64_t upload(const std::vector<T>& values, const std::string& name = {}) {
    const std::uint64_t at = memory.allocate(values.size() * sizeof(T), name);
    memory.write(at, values.data(), values.size() * sizeof(T));
    return at;
  }
  template <class T>
  std::vector<T> download(std::uint64_t address, std::size_t count) const {
    std::vector<T> out(count);
    memory.read(out.data(), address, count * sizeof(T));
    return out;
  }
  template <class... V>
  LaunchResult run(const std::string& kernel, Dim3 grid, Dim3 block, const LaunchOptions& options, const V&... values) {
    return launch_with(instance, kernel, grid, block, 0, options, values...);
  }

  Memory memory;
  std::shared_ptr<const Module> module;
  Instance instance;
};

inline LaunchOptions in_order(Order order, unsigned threads = 1) {
  LaunchOptions options;
  options.order = order;
  options.threads = threads;
  options.seed = 7;
  return options;
}

/// Checked in every order of blocks and warps, and on two host threads.
inline std::vector<LaunchOptions> every_order() {
  return {in_order(Order::forward), in_order(Order::reverse), in_order(Order::random), in_order(Order::forward, 2)};
}

inline std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot open " + path);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

/// A module of hand-written kernels.
inline std::string ptx_module(const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + body;
}

}  // namespace ridge::ptx::testing
