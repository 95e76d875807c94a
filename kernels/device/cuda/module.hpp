// Kernels ready to launch: modules from embedded images, functions by name, arguments checked when compiled.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/device/cuda/context.hpp"
#include "kernels/device/cuda/image.hpp"
#include "kernels/device/cuda/kernel.hpp"
#include "kernels/device/cuda/stream.hpp"

namespace ridge::device::cuda {

// How many blocks of how many threads, with how much dynamic shared memory each.
struct Shape {
  unsigned blocks = 1;
  unsigned threads = 1;
  unsigned shared_bytes = 0;
};

class Module {
 public:
  // Error when no code in it fits the GPU, with what the driver's compiler said.
  Module(std::shared_ptr<const Context> context, const void* image, const char* source);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  // Error when the module has no such kernel.
  [[nodiscard]] CUfunction find(const char* name) const;
  [[nodiscard]] const Context& context() const { return *context_; }

 private:
  std::shared_ptr<const Context> context_;
  const char* source_;
  CUmodule module_ = nullptr;
};

// What one kernel needs and allows on its device.
struct FunctionFacts {
  int registers = 0;
  std::int64_t shared_bytes = 0;
  std::int64_t local_bytes = 0;
  int max_threads = 0;
};

void launch(Stream& stream, CUfunction function, const Shape& shape, void** arguments);
FunctionFacts facts_of(const Context& context, CUfunction function);
// Blocks of that shape that fit on one multiprocessor together.
int resident_blocks(const Context& context, CUfunction function, unsigned threads, unsigned shared_bytes);

template <class... Args>
class Function {
 public:
  Function(std::shared_ptr<const Module> module, const Kernel<Args...>& kernel)
      : module_(std::move(module)), function_(module_->find(kernel.name)) {}
  // Queues one launch. Error when the driver refuses it; what goes wrong on the GPU shows at the next synchronising.
  void operator()(Stream& stream, const Shape& shape, Args... args) const {
    void* pointers[] = {const_cast<void*>(static_cast<const void*>(&args))..., nullptr};
    launch(stream, function_, shape, pointers);
  }
  [[nodiscard]] CUfunction handle() const { return function_; }
  [[nodiscard]] int resident(unsigned threads, unsigned shared_bytes = 0) const {
    return resident_blocks(module_->context(), function_, threads, shared_bytes);
  }

 private:
  std::shared_ptr<const Module> module_;
  CUfunction function_;
};

}  // namespace ridge::device::cuda
