// Modules from PTX or from our fatbins, functions with their attributes, launches.
#include <algorithm>

#include "kernels/device/cuda/image.hpp"
#include "kernels/ptx/driver/state.hpp"

namespace ridge::ptx {
namespace {

constexpr int architecture = 80;
constexpr int default_dynamic_shared = 48 << 10;
constexpr int most_dynamic_shared = 163 << 10;

// The driver's compiler writes into the log that the caller offers; so do we.
void write_log(const std::string& text, unsigned count, const CUjit_option* options, void* const* values) {
  char* log = nullptr;
  std::size_t bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) log = static_cast<char*>(values[i]);
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) bytes = reinterpret_cast<std::size_t>(values[i]);
  }
  if (log == nullptr || bytes == 0) return;
  const std::size_t shown = std::min(bytes - 1, text.size());
  std::copy_n(text.data(), shown, log);
  log[shown] = '\0';
}

CUresult load(Reference::State& state, CUmodule* module, const void* image, unsigned count, const CUjit_option* options,
              void* const* values) {
  Gpu& gpu = state.here();
  std::string_view text;
  try {
    text = device::cuda::ptx_of(image, architecture);
  } catch (const std::exception& error) {
    return state.refuse(CUDA_ERROR_INVALID_IMAGE, error.what());
  }
  if (text.empty()) return CUDA_ERROR_NO_BINARY_FOR_GPU;
  try {
    auto loaded = std::make_unique<StandInModule>();
    loaded->gpu = &gpu;
    loaded->instance = std::make_unique<Instance>(Module::parse(std::string(text)), gpu.memory);
    *module = Reference::State::add(state.modules, std::move(loaded));
  } catch (const ReadError& error) {
    write_log(error.what(), count, options, values);
    throw;
  }
  return CUDA_SUCCESS;
}

CUresult launch_kernel(Reference::State& state, CUfunction handle, Dim3 grid, Dim3 block, unsigned shared, CUstream on,
                       void** arguments) {
  Gpu& gpu = state.here();
  const StandInFunction& function = Reference::State::find(state.functions, handle);
  if (function.module->gpu != &gpu) return CUDA_ERROR_INVALID_CONTEXT;
  if (grid.count() == 0 || block.count() == 0 || block.count() > 1024 || grid.x > 0x7fffffffu || grid.y > 65535 ||
      grid.z > 65535)
    return state.refuse(CUDA_ERROR_INVALID_VALUE, "a grid or block that no GPU takes");
  if (block.count() > function.info.max_threads) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  if (static_cast<int>(shared) > function.dynamic_shared_limit)
    return state.refuse(CUDA_ERROR_INVALID_VALUE, "more dynamic shared memory than the function was allowed");
  // Arguments are copied now: the caller's may be gone when the kernel runs.
  Parameters parameters(function.info);
  for (std::size_t i = 0; i < function.info.parameters.size(); ++i)
    parameters.add_bytes(arguments[i], function.info.parameters[i].bytes);
  StandInStream& stream = state.stream(on, gpu);
  state.enqueue(stream, [&state, &gpu, instance = function.module->instance.get(), name = function.info.name, grid,
                         block, shared, bytes = parameters.bytes()] {
    LaunchOptions options = state.settings.launch;
    options.multiprocessors = static_cast<unsigned>(state.settings.multiprocessors);
    auto result = launch(*instance, name, grid, block, shared, bytes, options);
    state.launches.push_back({gpu.index, name, grid, block, result.counts});
  });
  return CUDA_SUCCESS;
}

CUresult function_attribute(const StandInFunction& f, int* value, CUfunction_attribute which) {
  switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = static_cast<int>(f.info.max_threads);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(f.info.static_shared_bytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(f.info.local_bytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:  // of the PTX, where every value has one; ptxas needs far fewer
      *value = static_cast<int>(std::min<std::uint32_t>(f.info.registers, 255));
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = f.dynamic_shared_limit;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// By threads and shared memory only: how many registers machine code takes is not known here.
int resident(const StandInFunction& f, int threads, std::size_t dynamic) {
  if (threads < 1 || threads > static_cast<int>(f.info.max_threads)) return 0;
  const int by_threads = 2048 / ((threads + 31) / 32 * 32);
  const std::size_t shared = f.info.static_shared_bytes + dynamic;
  const int by_shared = shared == 0 ? 32 : static_cast<int>((164u << 10) / (shared + 1024));
  return std::min({by_threads, by_shared, 32});
}

}  // namespace

void fill_module(device::cuda::Driver& table, Reference::State& state) {
  table.cuModuleLoadDataEx = state.entry(
      "cuModuleLoadDataEx", [&state](CUmodule* module, const void* image, unsigned count, CUjit_option* options,
                                     void** values) { return load(state, module, image, count, options, values); });
  table.cuModuleUnload = state.entry("cuModuleUnload", [&state](CUmodule handle) {
    StandInModule& module = Reference::State::find(state.modules, handle);
    state.run_everything(*module.gpu);
    std::erase_if(state.functions, [&](const auto& each) { return each.second->module == &module; });
    state.modules.erase(handle);
    return CUDA_SUCCESS;
  });
  table.cuModuleGetFunction =
      state.entry("cuModuleGetFunction", [&state](CUfunction* function, CUmodule handle, const char* name) {
        StandInModule& module = Reference::State::find(state.modules, handle);
        if (!module.instance->module().has_kernel(name)) return CUDA_ERROR_NOT_FOUND;
        for (const auto& [known, f] : state.functions)
          if (f->module == &module && f->info.name == name) {
            *function = known;
            return CUDA_SUCCESS;
          }
        *function = Reference::State::add(state.functions,
                                          std::make_unique<StandInFunction>(StandInFunction{
                                              &module, module.instance->module().info(name), default_dynamic_shared}));
        return CUDA_SUCCESS;
      });
  table.cuFuncGetAttribute =
      state.entry("cuFuncGetAttribute", [&state](int* value, CUfunction_attribute which, CUfunction function) {
        return function_attribute(Reference::State::find(state.functions, function), value, which);
      });
  table.cuFuncSetAttribute =
      state.entry("cuFuncSetAttribute", [&state](CUfunction handle, CUfunction_attribute which, int value) {
        StandInFunction& function = Reference::State::find(state.functions, handle);
        if (which != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 || value > most_dynamic_shared)
          return CUDA_ERROR_INVALID_VALUE;
        function.dynamic_shared_limit = value;
        return CUDA_SUCCESS;
      });
  table.cuOccupancyMaxActiveBlocksPerMultiprocessor =
      state.entry("cuOccupancyMaxActiveBlocksPerMultiprocessor",
                  [&state](int* blocks, CUfunction function, int threads, std::size_t dynamic) {
                    *blocks = resident(Reference::State::find(state.functions, function), threads, dynamic);
                    return CUDA_SUCCESS;
                  });
  table.cuLaunchKernel = state.entry(
      "cuLaunchKernel", [&state](CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                 unsigned bz, unsigned shared, CUstream on, void** arguments, void**) {
        return launch_kernel(state, function, {gx, gy, gz}, {bx, by, bz}, shared, on, arguments);
      });
}

}  // namespace ridge::ptx
