// Blackwell's matrix instruction and nothing else: what the matrix units of an sm_100a or sm_103a do in a second, by
// type.
//
// One thread hands over the instructions of its whole block; both operands lie in shared memory and the sums in tensor
// memory, 128 lanes of 512 columns in each multiprocessor. A block takes half of the columns, so that two are at work.
// Lane l, column c holds row l, column c of the sums; a warp reaches the 32 lanes of its place among four.
//
// architectures: sm_100a sm_103a
#include "kernels/roofline/tile.cuh"

#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM103_ALL)

// The types that the architecture multiplies.
#if defined(__CUDA_ARCH_FEAT_SM100_ALL)
#define RIDGE_TCGEN05_INSTRUCTIONS(X) RIDGE_TCGEN05_FLOATING(X) RIDGE_TCGEN05_WHOLE(X)
#else
#define RIDGE_TCGEN05_INSTRUCTIONS(X) RIDGE_TCGEN05_FLOATING(X)
#endif

namespace {

using namespace ridge::roofline;

constexpr int columns_at_once = 32;
constexpr unsigned lane_field = 16;  // of an address in tensor memory: lane above, column below
static_assert(tcgen05_threads == tile_m, "a thread for each lane");

#define RIDGE_TCGEN05(dtype, Type, k, instruction, types)                                                         \
  struct Tcgen05_##dtype {                                                                                        \
    using Sum = Type;                                                                                             \
    static constexpr Tcgen05Types numbers = types;                                                                \
    static __device__ __forceinline__ void multiply(std::uint32_t sums, std::uint64_t a, std::uint64_t b,         \
                                                    std::uint32_t kind) {                                         \
      asm volatile("{\n.reg .pred p;\nsetp.eq.u32 p, 1, 1;\n" instruction " [%0], %1, %2, %3, p;\n}" ::"r"(sums), \
                   "l"(a), "l"(b), "r"(kind)                                                                      \
                   : "memory");                                                                                   \
    }                                                                                                             \
  };
RIDGE_TCGEN05_INSTRUCTIONS(RIDGE_TCGEN05)

#define RIDGE_8(constraint, v, i)                                                                           \
  constraint(v[i]), constraint(v[i + 1]), constraint(v[i + 2]), constraint(v[i + 3]), constraint(v[i + 4]), \
      constraint(v[i + 5]), constraint(v[i + 6]), constraint(v[i + 7])
#define RIDGE_32(constraint, v) \
  RIDGE_8(constraint, v, 0), RIDGE_8(constraint, v, 8), RIDGE_8(constraint, v, 16), RIDGE_8(constraint, v, 24)

// 32 columns of this thread's lane.
__device__ __forceinline__ void load(std::uint32_t (&v)[columns_at_once], std::uint32_t from) {
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x32.b32 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,"
      "%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, [%32];"
      : RIDGE_32("=r", v)
      : "r"(from)
      : "memory");
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void store(std::uint32_t to, const std::uint32_t (&v)[columns_at_once]) {
  asm volatile(
      "tcgen05.st.sync.aligned.32x32b.x32.b32 [%0], {%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,"
      "%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32};" ::"r"(to),
      RIDGE_32("r", v)
      : "memory");
}

// What threads did in tensor memory, seen by all after they met.
__device__ __forceinline__ void meet() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  __syncthreads();
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

// One thread of the calling warp, which the compiler knows to be one.
__device__ __forceinline__ bool elected() {
  std::uint32_t is = 0;
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(is));
  return is != 0;
}

__device__ __forceinline__ void wait(std::uint32_t barrier) {
  std::uint32_t done = 0;
  while (done == 0)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(barrier)
                 : "memory");
}

__device__ __forceinline__ std::uint32_t bits_of(float value) {
  return __float_as_uint(value);
}
[[maybe_unused]] __device__ __forceinline__ std::uint32_t bits_of(std::int32_t value) {
  return static_cast<std::uint32_t>(value);
}

template <class I>
__device__ void repeat(const void* a, const void* b, void* out, std::int32_t steps) {
  using Sum = typename I::Sum;
  __shared__ Tile tile;
  __shared__ alignas(8) std::uint64_t finished;
  __shared__ std::uint32_t taken;
  const int warp = __shfl_sync(0xffffffffU, static_cast<int>(threadIdx.x) / 32, 0);
  const std::uint32_t barrier = shared_address(&finished);
  if (warp == 0) {
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(shared_address(&taken)),
                 "n"(tile_n)
                 : "memory");
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" ::: "memory");
  }
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
  fill(tile, a, b);
  meet();
  const std::uint32_t sums = taken;
  const std::uint32_t lanes = sums + (static_cast<std::uint32_t>(warp * 32) << lane_field);
  std::uint32_t values[columns_at_once];
#pragma unroll
  for (int i = 0; i < columns_at_once; ++i)
    values[i] = bits_of(static_cast<Sum>(static_cast<int>(blockIdx.x % tile_starts)));
#pragma unroll 1
  for (int column = 0; column < tile_n; column += columns_at_once) store(lanes + column, values);
  asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
  meet();
  if (warp == 0) {
    if (elected()) {
      constexpr std::uint32_t kind = tcgen05_kind(I::numbers, tile_m, tile_n);
      std::uint64_t left[tile_slabs], right[tile_slabs];
#pragma unroll
      for (int s = 0; s < tile_slabs; ++s) {
        left[s] = tcgen05_descriptor(slab_address(tile.left, s, tile_m), tile_m);
        right[s] = tcgen05_descriptor(slab_address(tile.right, s, tile_n), tile_n);
      }
#pragma unroll 4
      for (; steps > 0; --steps) {
#pragma unroll
        for (int s = 0; s < tile_slabs; ++s) I::multiply(sums, left[s], right[s], kind);
      }
      asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier)
                   : "memory");
    }
    __syncwarp();
  }
  wait(barrier);
  __syncwarp();
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  auto* const ds = static_cast<Sum*>(out) + (static_cast<std::int64_t>(blockIdx.x) * tile_m + threadIdx.x) * tile_n;
#pragma unroll 1
  for (int column = 0; column < tile_n; column += columns_at_once) {
    load(values, lanes + column);
    auto* const pieces = reinterpret_cast<uint4*>(ds + column);
#pragma unroll
    for (int i = 0; i < columns_at_once; i += 4)
      pieces[i / 4] = make_uint4(values[i], values[i + 1], values[i + 2], values[i + 3]);
  }
  meet();
  if (warp == 0)
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(sums), "n"(tile_n) : "memory");
}

}  // namespace

#define RIDGE_TCGEN05_KERNEL(dtype, Sum, k, instruction, types)                      \
  extern "C" __global__ void __launch_bounds__(tcgen05_threads)                      \
      tcgen05_##dtype(const void* a, const void* b, void* out, std::int32_t steps) { \
    repeat<Tcgen05_##dtype>(a, b, out, steps);                                       \
  }                                                                                  \
  RIDGE_KERNEL_MATCHES(tcgen05_##dtype, ridge::roofline::tile_instructions[0].kernel);
RIDGE_TCGEN05_INSTRUCTIONS(RIDGE_TCGEN05_KERNEL)
#endif
