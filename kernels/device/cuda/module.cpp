// Loading modules and launching what is in them.
#include "kernels/device/cuda/module.hpp"

#include <fmt/format.h>

#include <array>

namespace ridge::device::cuda {

Module::Module(std::shared_ptr<const Context> context, const void* image, const char* source)
    : context_(std::move(context)), source_(source) {
  context_->make_current();
  std::array<char, 4096> log{};
  std::array<CUjit_option, 2> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
  const CUresult status = context_->driver().cuModuleLoadDataEx(&module_, image, static_cast<unsigned>(options.size()),
                                                                options.data(), values.data());
  log.back() = '\0';
  if (status != CUDA_SUCCESS && log.front() != '\0')
    throw StatusError(fmt::format("{} of {} on {}: {}", describe(context_->driver(), "cuModuleLoadDataEx", status),
                                  source_, context_->name().text(), log.data()),
                      status);
  context_->check(status, "cuModuleLoadDataEx");
}

Module::~Module() {
  const Driver& driver = context_->driver();
  context_->note(driver.cuCtxSetCurrent(context_->handle()), "cuCtxSetCurrent");
  context_->note(driver.cuModuleUnload(module_), "cuModuleUnload");
}

CUfunction Module::find(const char* name) const {
  context_->make_current();
  CUfunction function = nullptr;
  const CUresult status = context_->driver().cuModuleGetFunction(&function, module_, name);
  if (status == CUDA_ERROR_NOT_FOUND) throw StatusError(fmt::format("{} has no kernel {}", source_, name), status);
  context_->check(status, "cuModuleGetFunction");
  return function;
}

void launch(Stream& stream, CUfunction function, const Shape& shape, void** arguments) {
  const Context& context = stream.context();
  stream.before_enqueue();
  context.check(context.driver().cuLaunchKernel(function, shape.blocks, 1, 1, shape.threads, 1, 1, shape.shared_bytes,
                                                stream.handle(), arguments, nullptr),
                "cuLaunchKernel");
}

FunctionFacts facts_of(const Context& context, CUfunction function) {
  const auto attribute = [&](CUfunction_attribute which) {
    int value = 0;
    context.check(context.driver().cuFuncGetAttribute(&value, which, function), "cuFuncGetAttribute");
    return value;
  };
  return {attribute(CU_FUNC_ATTRIBUTE_NUM_REGS), attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
          attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES), attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)};
}

int resident_blocks(const Context& context, CUfunction function, unsigned threads, unsigned shared_bytes) {
  context.make_current();
  int blocks = 0;
  context.check(context.driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function,
                                                                             static_cast<int>(threads), shared_bytes),
                "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  return blocks;
}

}  // namespace ridge::device::cuda
