// Kernels for the tests of the reference machine: one of each kind that Ridge and its users write.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <mma.h>

extern "C" __global__ void triad_f32(float* a, const float* b, const float* c, float s, size_t n) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x) {
    a[i] = b[i] + s * c[i];
  }
}

extern "C" __global__ void triad_f64(double* a, const double* b, const double* c, double s, size_t n) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x) {
    a[i] = b[i] + s * c[i];
  }
}

extern "C" __global__ void add_vector4(const float4* a, const float4* b, float4* c, int n4) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n4) c[i] = make_float4(a[i].x + b[i].x, a[i].y + b[i].y, a[i].z + b[i].z, a[i].w + b[i].w);
}

extern "C" __global__ void block_sum(const float* a, float* out, int n) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) v += a[i];
  s[t] = v;
  __syncthreads();
  for (int w = blockDim.x / 2; w > 0; w >>= 1) {
    if (t < w) s[t] += s[t + w];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

extern "C" __global__ void warp_sum(const float* a, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? a[i] : 0;
#pragma unroll
  for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
  if ((threadIdx.x & 31) == 0) out[i >> 5] = v;
}

extern "C" __global__ void warp_operations(const int* a, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, v = a[i];
  int scan = v;
#pragma unroll
  for (int o = 1; o < 32; o <<= 1) {
    const int t = __shfl_up_sync(~0u, scan, o);
    if (lane >= o) scan += t;
  }
  out[6 * i] = scan;
  out[6 * i + 1] = __shfl_down_sync(~0u, v, 3, 16);
  out[6 * i + 2] = static_cast<int>(__ballot_sync(~0u, v & 1));
  out[6 * i + 3] = __any_sync(~0u, v > 90) * 2 + __all_sync(~0u, v >= 0);
  int match = 0;
  if (lane < 20) match = static_cast<int>(__match_any_sync(0xfffffu, v % 4));
  out[6 * i + 4] = match;
  out[6 * i + 5] = static_cast<int>(__reduce_add_sync(~0u, static_cast<unsigned>(v)));
}

extern "C" __global__ void chase(void** start, void** out, int steps) {
  void** p = start;
  for (int i = 0; i < steps; ++i) p = static_cast<void**>(*p);
  out[threadIdx.x] = p;
}

extern "C" __global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

__device__ float block_reduce(float v, float* shared, bool maximum) {
  for (int o = 16; o; o >>= 1) {
    const float t = __shfl_xor_sync(~0u, v, o);
    v = maximum ? fmaxf(v, t) : v + t;
  }
  const int warp = threadIdx.x >> 5;
  __syncthreads();
  if ((threadIdx.x & 31) == 0) shared[warp] = v;
  __syncthreads();
  v = shared[0];
  for (int w = 1; w < blockDim.x >> 5; ++w) v = maximum ? fmaxf(v, shared[w]) : v + shared[w];
  return v;
}

extern "C" __global__ void softmax(const float* x, float* y, int columns) {
  __shared__ float shared[32];
  const float* row = x + size_t{blockIdx.x} * columns;
  float m = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) m = fmaxf(m, row[c]);
  m = block_reduce(m, shared, true);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += expf(row[c] - m);
  sum = block_reduce(sum, shared, false);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) y[size_t{blockIdx.x} * columns + c] = expf(row[c] - m) / sum;
}

extern "C" __global__ void layernorm(const float* x, float* y, const float* g, const float* b, int columns) {
  __shared__ float shared[32];
  const float* row = x + size_t{blockIdx.x} * columns;
  float sum = 0, squares = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += row[c];
  const float mean = block_reduce(sum, shared, false) / columns;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) squares += (row[c] - mean) * (row[c] - mean);
  const float scale = rsqrtf(block_reduce(squares, shared, false) / columns + 1e-5f);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    y[size_t{blockIdx.x} * columns + c] = (row[c] - mean) * scale * g[c] + b[c];
  }
}

extern "C" __global__ void sgemm(int m, int n, int k, float alpha, const float* a, const float* b, float beta,
                                 float* c) {
  __shared__ float as[32][32], bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
  float sum = 0;
  for (int k0 = 0; k0 < k; k0 += 32) {
    as[ty][tx] = row < m && k0 + tx < k ? a[size_t(row) * k + k0 + tx] : 0;
    bs[ty][tx] = k0 + ty < k && column < n ? b[size_t(k0 + ty) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; ++i) sum = fmaf(as[ty][i], bs[i][tx], sum);
    __syncthreads();
  }
  if (row < m && column < n) c[size_t(row) * n + column] = alpha * sum + beta * c[size_t(row) * n + column];
}

extern "C" __global__ void histogram(const unsigned char* d, unsigned* h, int n) {
  __shared__ unsigned s[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[d[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&h[i], s[i]);
}

extern "C" __global__ void tensor_tile(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ __align__(16) __nv_bfloat16 sa[256], sb[256];
  const int l = threadIdx.x;
  const unsigned da = unsigned(__cvta_generic_to_shared(sa + l * 8)),
                 db = unsigned(__cvta_generic_to_shared(sb + l * 8));
  asm volatile("cp.async.cg.shared.global [%0],[%1],16;" ::"r"(da), "l"(a + l * 8));
  asm volatile("cp.async.ca.shared.global [%0],[%1],16;" ::"r"(db), "l"(b + l * 8));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  unsigned a0, a1, a2, a3, b0, b1, b2, b3;
  const unsigned pa = unsigned(__cvta_generic_to_shared(sa + (l % 16) * 16 + (l / 16) * 8));
  const unsigned pb = unsigned(__cvta_generic_to_shared(sb + (l % 16) * 16 + (l / 16) * 8));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];"
               : "=r"(a0), "=r"(a1), "=r"(a2), "=r"(a3)
               : "r"(pa));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3},[%4];"
               : "=r"(b0), "=r"(b1), "=r"(b2), "=r"(b3)
               : "r"(pb));
  float d[8] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
               : "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b2), "r"(b3));
  const int g = l / 4, t = l % 4;
  for (int h = 0; h < 2; ++h) {
    c[g * 16 + h * 8 + t * 2] = d[h * 4];
    c[g * 16 + h * 8 + t * 2 + 1] = d[h * 4 + 1];
    c[(g + 8) * 16 + h * 8 + t * 2] = d[h * 4 + 2];
    c[(g + 8) * 16 + h * 8 + t * 2 + 1] = d[h * 4 + 3];
  }
}

extern "C" __global__ void wmma_tile(const __half* a, const __half* b, float* c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, __half, col_major> fb;
  fragment<accumulator, 16, 16, 16, float> fc;
  fill_fragment(fc, 0.0f);
  load_matrix_sync(fa, a, 16);
  load_matrix_sync(fb, b, 16);
  mma_sync(fc, fa, fb, fc);
  store_matrix_sync(c, fc, 16, mem_row_major);
}

__constant__ float table[4] = {1.5f, 2.5f, -3, 4};
__device__ int counter = 7;
__device__ int numbers[3] = {1, 2, 3};
__device__ int* second = &numbers[1];
struct Bundle {
  float a;
  int n;
  double d;
  short s[3];
};
__device__ __noinline__ int called(int x, int y) {
  int r = 0;
  for (int i = 0; i < x % 5; ++i) r += y * i + x;
  return r + counter;
}
extern "C" __global__ void assorted(Bundle p, int* o, float* f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int local[8];
  for (int k = 0; k < 8; ++k) local[k] = k * i;
  int s = 0;
  for (int k = 0; k < p.n; ++k) s += local[(k * 3 + i) & 7];
  int chosen;
  switch (i % 5) {
    case 0:
      chosen = i * 3;
      break;
    case 1:
      chosen = i ^ 5;
      break;
    case 2:
      chosen = i << 2;
      break;
    case 3:
      chosen = ~i;
      break;
    default:
      chosen = -1;
  }
  int steps = 0;
  for (long long c = i + 1; c != 1 && steps < 1000; ++steps) c = c & 1 ? 3 * c + 1 : c >> 1;
  const unsigned long long q = 0x123456789abcdefull * (i + 1);
  o[6 * i] = s;
  o[6 * i + 1] = chosen;
  o[6 * i + 2] = steps;
  o[6 * i + 3] = called(i, i & 31);
  o[6 * i + 4] = *second + p.s[i % 3];
  o[6 * i + 5] = int(q % 1000003ull) + int(q / (i + 3)) + __popc(i) + __clz(i) + int(__brev(i)) +
                 int(__byte_perm(i, ~i, 0x5140)) + int(__umulhi(i * 77777u, 99999999u));
  f[i] = table[i & 3] * p.a + float(p.d);
}

extern "C" __global__ void functions(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float* o = y + size_t{12} * i;
  o[0] = __expf(v);
  o[1] = __logf(fabsf(v) + 1.f);
  o[2] = rsqrtf(fabsf(v) + .1f);
  o[3] = sqrtf(fabsf(v));
  o[4] = v / (v * v + 1.f);
  o[5] = tanhf(v);
  o[6] = sinf(v);
  o[7] = cosf(v);
  o[8] = powf(fabsf(v) + .5f, 1.7f);
  o[9] = erff(v);
  o[10] = log1pf(fabsf(v));
  o[11] = fmodf(v, 1.3f);
}

__device__ int lock_word = 0;
__device__ int guarded = 0;
extern "C" __global__ void spin_lock(int* out) {
  for (bool done = false; !done;) {
    if (atomicCAS(&lock_word, 0, 1) == 0) {
      *(volatile int*)&guarded = *(volatile int*)&guarded + 1;
      __threadfence();
      atomicExch(&lock_word, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(out, *(volatile int*)&guarded);
}

// Conversions and arithmetic of the small types, for every bit pattern; the host runs the same header functions.
extern "C" __global__ void all_halves(unsigned short* o) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half h = __ushort_as_half((unsigned short)i);
  const __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)i);
  const __half third = __float2half(0.333f);
  const __nv_bfloat16 bthird = __float2bfloat16(0.333f);
  unsigned short* r = o + 12 * i;
  r[0] = __half_as_ushort(__float2half_rn(__half2float(h) * 1.0009765f));
  r[1] = __half_as_ushort(__float2half_rz(__half2float(h) * 1.0007f));
  r[2] = __half_as_ushort(__float2half_rd(__half2float(h) * 1.0007f));
  r[3] = __half_as_ushort(__float2half_ru(__half2float(h) * 1.0007f));
  r[4] = __half_as_ushort(__hadd(h, third));
  r[5] = __half_as_ushort(__hmul(h, third));
  r[6] = __half_as_ushort(__hfma(h, third, h));
  r[7] = __bfloat16_as_ushort(__float2bfloat16_rn(__bfloat162float(b) * 1.003f));
  r[8] = __bfloat16_as_ushort(__hadd(b, bthird));
  r[9] = __bfloat16_as_ushort(__hmul(b, bthird));
  r[10] = __bfloat16_as_ushort(__hfma(b, bthird, b));
  r[11] = (unsigned short)(short)__half2int_rn(h);
}
