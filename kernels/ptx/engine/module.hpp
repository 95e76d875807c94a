// A PTX module, and its instance in the memory of one reference GPU.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kernels/ptx/machine/op.hpp"
#include "kernels/ptx/memory/memory.hpp"
#include "kernels/ptx/text/error.hpp"
#include "kernels/ptx/text/syntax.hpp"

namespace ridge::ptx {

struct KernelInfo {
  std::string name;
  std::vector<Parameter> parameters;  ///< with offsets and sizes in bytes
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;     ///< per thread
  std::uint32_t registers = 0;       ///< 32-bit virtual registers of the PTX; ptxas needs far fewer
  std::uint32_t max_threads = 1024;  ///< of a block, from `.maxntid` or `.reqntid`
  std::uint32_t instructions = 0;
};

/// Immutable and thread-safe after parse; kernels are decoded when first asked for.
class Module {
 public:
  /// Throws ReadError with the line for malformed text. Never crashes, whatever the text.
  static std::shared_ptr<const Module> parse(const std::string& text);

  std::vector<std::string> kernels() const;
  bool has_kernel(const std::string& name) const;
  /// Throws ReadError that names an instruction the machine does not know, its line and the kernel;
  /// std::out_of_range when there is no such kernel.
  KernelInfo info(const std::string& name) const;
  /// The same errors for every kernel; nothing when all can run.
  std::vector<std::string> unsupported() const;
  const std::vector<Variable>& variables() const { return syntax_.variables; }
  const std::string& target() const { return syntax_.target; }
  const Kernel& kernel(const std::string& name) const;

 private:
  explicit Module(Syntax syntax) : syntax_(std::move(syntax)) {}

  Syntax syntax_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::unique_ptr<Kernel>> decoded_;
};

/// The global and constant variables of a module, allocated in a memory while this lives.
class Instance {
 public:
  Instance(std::shared_ptr<const Module> module, Memory& memory);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  struct Address {
    std::uint64_t address = 0, bytes = 0;
  };
  /// Throws std::out_of_range for a name that is no global or constant variable.
  Address symbol(const std::string& name) const;
  const Module& module() const { return *module_; }
  Memory& memory() const { return memory_; }

 private:
  std::shared_ptr<const Module> module_;
  Memory& memory_;
  std::map<std::string, Address> symbols_;
};

}  // namespace ridge::ptx
