// Library work as one more operation of a stream.
#include "kernels/ptx/driver/library_work.hpp"

#include "kernels/ptx/driver/state.hpp"

namespace ridge::ptx {

CUresult queue_library_work(const device::cuda::Driver& driver, CUstream stream, const std::string& name,
                            LibraryWork work) {
  auto& state = *static_cast<Reference::State*>(driver.library.get());
  return state.entry("library work", [&](CUstream on) {
    Gpu& gpu = state.here();
    state.enqueue(state.stream(on, gpu), [&state, &gpu, name, work] {
      state.launches.push_back({gpu.index, name, {1}, {1}, work(gpu.memory)});
    });
    return CUDA_SUCCESS;
  })(stream);
}

}  // namespace ridge::ptx
