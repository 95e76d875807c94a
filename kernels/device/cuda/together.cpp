// Flushing several GPUs.
#include "kernels/device/cuda/together.hpp"

namespace ridge::device::cuda {

void TogetherStream::flush_caches() {
  measured_.flush_caches();
  for (cuda::Stream* const other : others_) {
    other->flush_caches();
    other->synchronize();  // the measured one's comes before the interval by its order; theirs would reach into it
  }
}

}  // namespace ridge::device::cuda
