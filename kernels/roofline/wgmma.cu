// Hopper's matrix instruction and nothing else: what the matrix units of an sm_90a do in a second, by type.
//
// A warpgroup, four warps, multiplies 64 rows of A with all 256 of B, both in shared memory, into 128 registers a
// thread. The instructions work by themselves (asynchronously): a group of eight is handed over while the one before is
// at work, so that the units never wait for the warps. Two warpgroups fill the registers of a multiprocessor.
//
// Register i of thread t of a warpgroup holds row 16·(t / 32) + t mod 32 / 4 + 8·(i / 2 mod 2), column 8·(i / 4) +
// 2·(t mod 4) + i mod 2.
//
// architectures: sm_90a
#include "kernels/roofline/tile.cuh"

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

namespace {

using namespace ridge::roofline;

constexpr int group_threads = 128;
constexpr int group_rows = 64;
constexpr int sums = group_rows * tile_n / group_threads;
constexpr int steps_at_once = 4;
static_assert(wgmma_threads / group_threads * group_rows == tile_m);

#define RIDGE_8(kind, i)                                                                                              \
  "+" kind(d[i]), "+" kind(d[i + 1]), "+" kind(d[i + 2]), "+" kind(d[i + 3]), "+" kind(d[i + 4]), "+" kind(d[i + 5]), \
      "+" kind(d[i + 6]), "+" kind(d[i + 7])
#define RIDGE_32(kind, i) RIDGE_8(kind, i), RIDGE_8(kind, i + 8), RIDGE_8(kind, i + 16), RIDGE_8(kind, i + 24)

#define RIDGE_WGMMA(dtype, Type, kind, k, instruction, behind)                                                     \
  struct Wgmma_##dtype {                                                                                           \
    using Sum = Type;                                                                                              \
    static __device__ __forceinline__ void multiply(Sum (&d)[sums], std::uint64_t a, std::uint64_t b) {            \
      asm volatile(                                                                                                \
          "{\n.reg .pred p;\nsetp.eq.u32 p, 1, 1;\n" instruction                                                   \
          " {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,"   \
          "%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,"   \
          "%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,"   \
          "%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101," \
          "%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,"   \
          "%122,%123,%124,%125,%126,%127}, %128, %129, " behind ";\n}"                                             \
          : RIDGE_32(kind, 0), RIDGE_32(kind, 32), RIDGE_32(kind, 64), RIDGE_32(kind, 96)                          \
          : "l"(a), "l"(b));                                                                                       \
    }                                                                                                              \
  };
RIDGE_WGMMA_INSTRUCTIONS(RIDGE_WGMMA)

template <class I>
__device__ void repeat(const void* a, const void* b, void* out, std::int32_t steps) {
  using Sum = typename I::Sum;
  __shared__ Tile tile;
  fill(tile, a, b);
  const int group = static_cast<int>(threadIdx.x) / group_threads, t = static_cast<int>(threadIdx.x) % group_threads;
  std::uint64_t left[tile_slabs], right[tile_slabs];
#pragma unroll
  for (int s = 0; s < tile_slabs; ++s) {
    left[s] = wgmma_descriptor(slab_address(tile.left, s, tile_m) + group * group_rows * piece_bytes, tile_m);
    right[s] = wgmma_descriptor(slab_address(tile.right, s, tile_n), tile_n);
  }
  Sum sum[sums];
#pragma unroll
  for (int i = 0; i < sums; ++i) sum[i] = static_cast<Sum>(static_cast<int>(blockIdx.x % tile_starts));
#pragma unroll 1
  for (; steps >= steps_at_once; steps -= steps_at_once) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int step = 0; step < steps_at_once; ++step) {
#pragma unroll
      for (int s = 0; s < tile_slabs; ++s) I::multiply(sum, left[s], right[s]);
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
  }
#pragma unroll 1
  for (; steps > 0; --steps) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int s = 0; s < tile_slabs; ++s) I::multiply(sum, left[s], right[s]);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  const int row = group * group_rows + t / 32 * 16 + t % 32 / 4;
  auto* const ds = static_cast<Sum*>(out) + static_cast<std::int64_t>(blockIdx.x) * tile_m * tile_n;
#pragma unroll
  for (int i = 0; i < sums; ++i) ds[(row + i / 2 % 2 * 8) * tile_n + i / 4 * 8 + t % 4 * 2 + i % 2] = sum[i];
}

}  // namespace

#define RIDGE_WGMMA_KERNEL(dtype, Sum, kind, k, instruction, behind)               \
  extern "C" __global__ void __launch_bounds__(wgmma_threads)                      \
      wgmma_##dtype(const void* a, const void* b, void* out, std::int32_t steps) { \
    repeat<Wgmma_##dtype>(a, b, out, steps);                                       \
  }                                                                                \
  RIDGE_KERNEL_MATCHES(wgmma_##dtype, ridge::roofline::tile_instructions[0].kernel);
RIDGE_WGMMA_INSTRUCTIONS(RIDGE_WGMMA_KERNEL)
#endif
