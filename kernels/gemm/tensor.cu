// The last step of our own: the matrix units multiply. bf16 in, sums in f32.
//
// A warp has 64 × 32 of a block's 128 × 128 of C, in 4 × 4 tiles of m16n8k16; the two stages of copies are those of
// pipelined.cu. ldmatrix brings pieces of 8 × 8 from shared memory into the registers where the instruction wants them
// (of B transposed, as the instruction takes it by columns). Rows in shared memory lie 16 bytes further apart than they
// are long: the eight rows of a piece then meet no bank twice.
#include "kernels/gemm/async.cuh"
#include "kernels/gemm/gemm_kernels.hpp"

namespace {

using namespace ridge::gemm;

constexpr int side = 128, depth = 32, threads = 256, vector = 8, step = 16;
constexpr int tiles = 4;  // of 16 rows, and of 8 columns, that a warp has

struct Stage {
  std::uint16_t a[side][depth + vector];  // rows of C, part of k
  std::uint16_t b[depth][side + vector];  // part of k, columns of C
};

// Eight elements of row `row` of (rows, columns) from `column` on; what lies outside is zero.
__device__ void copy_eight(std::uint16_t* dst, const std::uint16_t* src, int row, int column, int rows, int columns,
                           bool wide) {
  const std::uint16_t* const from = src + static_cast<std::int64_t>(row) * columns + column;
  if (wide) {
    const bool real = row < rows && column < columns;
    copy_async<16>(dst, real ? from : src, real);
  } else {  // cp.async moves 4 bytes and more
#pragma unroll
    for (int i = 0; i < vector; ++i) dst[i] = row < rows && column + i < columns ? from[i] : 0;
  }
}

struct Operands {
  const std::uint16_t* a;  // (m, k)
  const std::uint16_t* b;  // (k, n)
  int m, n, k;
  Tile tile;
  bool wide;  // rows begin at multiples of 16 bytes
};

__device__ void fetch(Stage& stage, const Operands& o, int first) {
#pragma unroll
  for (int i = 0; i < side * depth / vector; i += threads) {
    const auto [row, piece] = slot<depth / vector>(threadIdx.x + i);
    const int l = piece * vector;
    copy_eight(&stage.a[row][l], o.a, o.tile.row + row, first + l, o.m, o.k, o.wide);
  }
#pragma unroll
  for (int i = 0; i < side * depth / vector; i += threads) {
    const auto [l, piece] = slot<side / vector>(threadIdx.x + i);
    const int column = piece * vector;
    copy_eight(&stage.b[l][column], o.b, first + l, o.tile.column + column, o.k, o.n, o.wide);
  }
}

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

__device__ void multiply_stage(const Stage& stage, const Place& place, float (&sum)[tiles][tiles][4]) {
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

extern "C" __global__ void __launch_bounds__(threads)
    gemm_mma(const void* a, const void* b, float* c, std::int32_t m, std::int32_t n, std::int32_t k) {
  __shared__ alignas(16) Stage stages[2];
  const Operands o{static_cast<const std::uint16_t*>(a), static_cast<const std::uint16_t*>(b), m, n, k,
                   tile_of_block<side, side>(n),         k % vector == 0 && n % vector == 0};
  const Place place;
  float sum[tiles][tiles][4] = {};
  if (k > 0) fetch(stages[0], o, 0);
  commit_copies();
#pragma unroll 1
  for (int first = 0, now = 0; first < k; first += depth, now ^= 1) {
    if (first + depth < k) fetch(stages[now ^ 1], o, first + depth);
    commit_copies();
    wait_copies<1>();
    __syncthreads();
    multiply_stage(stages[now], place, sum);
    __syncthreads();
  }
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
