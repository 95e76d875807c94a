// The last step of our own: the matrix units multiply. bf16 in, sums in f32.
//
// A warp has 64 × 32 of a block's 128 × 128 of C, in 4 × 4 tiles of m16n8k16; the two stages of copies are those of
// the two steps before. ldmatrix brings pieces of 8 × 8 from shared memory into the registers where the instruction
// wants them (of B transposed, as the instruction takes it by columns). Rows in shared memory lie 16 bytes further
// apart than they are long: the eight rows of a piece then meet no bank twice.
#include "kernels/gemm/staged.cuh"

namespace {

using namespace ridge::gemm;

constexpr int depth = 32, step = 16, apart = copy_width<std::uint16_t>;
constexpr int tiles = 4;  // of 16 rows, and of 8 columns, that a warp has
using Halves = Stage<std::uint16_t, depth, apart, apart>;

// Four pieces of 8 × 8, the rows of which lanes 0 to 7, 8 to 15, … point at.
__device__ void load_pieces(std::uint32_t (&to)[4], const std::uint16_t* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)));
}
__device__ void load_pieces_transposed(std::uint32_t (&to)[4], const std::uint16_t* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)));
}
__device__ void multiply_add(float (&sum)[4], const std::uint32_t (&a)[4], std::uint32_t b_low, std::uint32_t b_high) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b_low), "r"(b_high));
}

// The first row and column of a warp's 64 × 32.
struct Place {
  Slot warp = slot<4>(threadIdx.x / 32);
  int row = warp.row * 64, column = warp.column * 32;
};

__device__ void multiply_stage(const Halves& stage, const Place& place, float (&sum)[tiles][tiles][4]) {
  const Slot half = slot<16>(threadIdx.x % 32);  // of the warp
  const int low = half.column, high = half.row * 8;
#pragma unroll
  for (int l = 0; l < depth; l += step) {
    std::uint32_t a[tiles][4], b[tiles / 2][4];
#pragma unroll
    for (int i = 0; i < tiles; ++i) load_pieces(a[i], &stage.a[place.row + 16 * i + low][l + high]);
#pragma unroll
    for (int j = 0; j < tiles / 2; ++j) load_pieces_transposed(b[j], &stage.b[l + low][place.column + 16 * j + high]);
#pragma unroll
    for (int i = 0; i < tiles; ++i)
#pragma unroll
      for (int j = 0; j < tiles; ++j) multiply_add(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(staged_threads)
    gemm_mma(const void* a, const void* b, float* c, std::int32_t m, std::int32_t n, std::int32_t k) {
  __shared__ alignas(16) Halves stages[2];
  const Operands<std::uint16_t> o(a, b, m, n, k);
  const Place place;
  float sum[tiles][tiles][4] = {};
  in_stages(stages, o, [&](const Halves& stage) { multiply_stage(stage, place, sum); });
  // Element e of a tile's sums is row lane / 4 + 8·(e / 2), column 2·(lane mod 4) + e mod 2 of it.
  const Slot quad = slot<4>(threadIdx.x % 32);
#pragma unroll
  for (int i = 0; i < tiles; ++i)
#pragma unroll
    for (int j = 0; j < tiles; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int row = o.tile.row + place.row + 16 * i + quad.row + e / 2 * 8;
        const int column = o.tile.column + place.column + 8 * j + quad.column * 2 + e % 2;
        if (row < m && column < n) c[static_cast<std::int64_t>(row) * n + column] = sum[i][j][e];
      }
}

RIDGE_KERNEL_MATCHES(gemm_mma, ridge::gemm::gpu_steps[6].kernel);
