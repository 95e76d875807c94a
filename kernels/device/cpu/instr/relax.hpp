// The instruction that tells a processor it is in a spin loop.
#pragma once

namespace ridge::device::cpu {

inline void relax() {
#if defined(__x86_64__)
  asm volatile("pause");
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace ridge::device::cpu
