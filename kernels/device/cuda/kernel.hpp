// A kernel's name with the types of its arguments: written once, checked by nvcc where the kernel is defined and by the
// host's compiler where it is launched.
#pragma once

namespace ridge::device::cuda {

// `constexpr Kernel<const float*, float*, std::int64_t> scale{"stream_scale_f32"};` in the contract header of the
// kernels.
template <class... Args>
struct Kernel {
  using Pointer = void (*)(Args...);
  const char* name;
};

}  // namespace ridge::device::cuda

// In the .cu file, after the kernel: its arguments are those of the contract. (Types only: names are found at run
// time.)
#define RIDGE_KERNEL_MATCHES(function, kernel)                             \
  static_assert(__is_same(decltype(&function), decltype(kernel)::Pointer), \
                #function " takes other arguments than its contract says")
