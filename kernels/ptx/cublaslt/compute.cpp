// The product itself, with the number of bytes that it takes and of operations that it does.
#include <algorithm>
#include <cmath>

#include "kernels/formats/formats.hpp"
#include "kernels/ptx/cublaslt/state.hpp"
#include "kernels/ptx/driver/library_work.hpp"

namespace ridge::ptx {
namespace {

using gemm::Type;

FlopType counted_as(const Asked& x) {
  switch (x.a) {
    case Type::f64:
      return FlopType::f64;
    case Type::f16:
      return FlopType::f16;
    case Type::bf16:
      return FlopType::bf16;
    case Type::s8:
      return FlopType::integer;
    case Type::e4m3:
    case Type::e5m2:
    case Type::e2m1:
      return FlopType::f8;
    default:
      return x.compute == CUBLAS_COMPUTE_32F_FAST_TF32 ? FlopType::tf32 : FlopType::f32;
  }
}

std::uint64_t bytes_for(Type type, std::int64_t elements) {
  return static_cast<std::uint64_t>(gemm::size_of(type, elements));
}

// A whole matrix of GPU memory, column-major, as numbers.
std::vector<double> fetched(const Memory& memory, const void* at, Type type, std::int64_t elements, bool tf32) {
  std::vector<std::uint8_t> raw(bytes_for(type, elements));
  memory.read(raw.data(), reinterpret_cast<std::uint64_t>(at), raw.size());
  std::vector<double> values(static_cast<std::size_t>(elements));
  const gemm::Matrix matrix{raw.data(), type, 1, elements, false};
  for (std::int64_t i = 0; i < elements; ++i) {
    double& value = values[static_cast<std::size_t>(i)];
    value = gemm::load(matrix, i);
    if (tf32) value = formats::rounded(value, formats::tf32);
  }
  return values;
}

// The scale of row (or column) `outer` at `l` along k. Blocks' scales lie in tiles of 128 by 4; within a tile the four
// of row r are at (r mod 32)·16 + (r / 32)·4.
double scale_at(const std::vector<std::uint8_t>& scales, int mode, std::int64_t outer, std::int64_t l, std::int64_t k) {
  const auto single = [&](std::int64_t index) {
    float value = 0;
    std::memcpy(&value, scales.data() + index * 4, 4);
    return static_cast<double>(value);
  };
  if (scales.empty()) return 1;
  if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F) return single(0);
  if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F) return single(outer);
  const std::int64_t block = mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3 ? 16 : 32;
  const std::int64_t across = ((k + block - 1) / block + 3) / 4, r = outer % 128, s = l / block;
  const std::int64_t index = (outer / 128 * across + s / 4) * 512 + r % 32 * 16 + r / 32 * 4 + s % 4;
  const std::uint8_t code = scales[static_cast<std::size_t>(index)];
  return block == 16 ? formats::decode(code, formats::e4m3) : std::ldexp(1.0, code - 127);
}

std::vector<std::uint8_t> fetched_scales(const Memory& memory, const void* at, int mode, std::int64_t outer,
                                         std::int64_t k) {
  if (at == nullptr) return {};
  std::int64_t bytes = 4;
  if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F) bytes = 4 * outer;
  if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3 || mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0) {
    const std::int64_t block = mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3 ? 16 : 32;
    bytes = (outer + 127) / 128 * 128 * (((k + block - 1) / block + 3) / 4 * 4);
  }
  std::vector<std::uint8_t> scales(static_cast<std::size_t>(bytes));
  memory.read(scales.data(), reinterpret_cast<std::uint64_t>(at), scales.size());
  return scales;
}

// f16, each of whose operations is rounded.
struct Half {
  double value = 0;
  Half() = default;
  explicit Half(double of) : value(formats::rounded(of, formats::f16)) {}
  explicit operator double() const { return value; }
  Half operator*(Half other) const { return Half(value * other.value); }
  Half& operator+=(Half other) { return *this = Half(value + other.value); }
};

// Products and sums in T, each rounded.
template <class T>
std::vector<double> multiplied(const std::vector<double>& from_a, const std::vector<double>& from_b, std::int64_t m,
                               std::int64_t n, std::int64_t k) {
  const std::vector<T> a(from_a.begin(), from_a.end());  // (m, k), column-major
  const std::vector<T> b(from_b.begin(), from_b.end());  // (k, n)
  std::vector<double> all(static_cast<std::size_t>(m * n));
  std::vector<T> sums(static_cast<std::size_t>(m));
  for (std::int64_t j = 0; j < n; ++j) {
    std::fill(sums.begin(), sums.end(), T{});
    for (std::int64_t l = 0; l < k; ++l) {
      const T right = b[static_cast<std::size_t>(j * k + l)];
      const T* const left = a.data() + l * m;
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += left[i] * right;
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
      all[static_cast<std::size_t>(j * m) + i] = static_cast<double>(sums[i]);
  }
  return all;
}

// op(matrix) (rows, columns), column-major without gaps, scaled.
template <class Scaled>
std::vector<double> arranged(const std::vector<double>& from, std::int64_t leading, bool transposed, std::int64_t rows,
                             std::int64_t columns, const Scaled& scaled) {
  std::vector<double> all(static_cast<std::size_t>(rows * columns));
  for (std::int64_t j = 0; j < columns; ++j)
    for (std::int64_t i = 0; i < rows; ++i)
      all[static_cast<std::size_t>(j * rows + i)] =
          scaled(from[static_cast<std::size_t>(transposed ? i * leading + j : j * leading + i)], i, j);
  return all;
}

// What becomes of an element of D before it is stored; gelu in the tanh form, as the library's is.
double followed_up(double value, double bias, cublasLtEpilogue_t epilogue) {
  value += bias;
  if ((epilogue & CUBLASLT_EPILOGUE_RELU) != 0) value = std::max(value, 0.0);
  if ((epilogue & CUBLASLT_EPILOGUE_GELU) != 0)
    value = 0.5 * value * (1 + std::tanh(0.7978845608028654 * (value + 0.044715 * value * value * value)));
  return value;
}

const void* moved(const void* pointer, Type type, std::int64_t elements) {
  return static_cast<const std::uint8_t*>(pointer) + gemm::size_of(type, elements);
}

void one_product(Memory& memory, const Asked& x, const Given& given, std::int64_t each, Counts& counts) {
  const void* const a = moved(given.a, x.a, each * x.a_stride);
  const void* const b = moved(given.b, x.b, each * x.b_stride);
  const void* const d = moved(given.d, x.d, each * x.d_stride);
  const bool tf32 = x.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  const std::int64_t of_a = x.a_leading * (x.a_transposed ? x.m : x.k);
  const std::int64_t of_b = x.b_leading * (x.b_transposed ? x.k : x.n);
  const auto a_scales = fetched_scales(memory, x.a_scale, x.scale_mode, x.m, x.k);
  const auto b_scales = fetched_scales(memory, x.b_scale, x.scale_mode, x.n, x.k);
  const auto left = arranged(fetched(memory, a, x.a, of_a, tf32), x.a_leading, x.a_transposed, x.m, x.k,
                             [&](double value, std::int64_t i, std::int64_t l) {
                               return value * scale_at(a_scales, x.scale_mode, i, l, x.k);
                             });
  const auto right = arranged(fetched(memory, b, x.b, of_b, tf32), x.b_leading, x.b_transposed, x.k, x.n,
                              [&](double value, std::int64_t l, std::int64_t j) {
                                return value * scale_at(b_scales, x.scale_mode, j, l, x.k);
                              });
  const auto sums = x.compute == CUBLAS_COMPUTE_16F ? multiplied<Half>(left, right, x.m, x.n, x.k)
                    : x.compute == CUBLAS_COMPUTE_64F || x.compute == CUBLAS_COMPUTE_32I
                        ? multiplied<double>(left, right, x.m, x.n, x.k)
                        : multiplied<float>(left, right, x.m, x.n, x.k);
  std::vector<double> bias(static_cast<std::size_t>(x.m));
  if (x.has_bias()) {
    bias = fetched(memory, x.bias, x.d, x.m, false);
    counts.global.load.bytes += bytes_for(x.d, x.m);
  }
  for (std::int64_t j = 0; j < x.n; ++j) {
    std::vector<double> before(static_cast<std::size_t>(x.m));
    if (given.beta != 0) {
      before = fetched(memory, moved(given.c, x.d, each * x.c_stride + j * x.c_leading), x.d, x.m, false);
      counts.global.load.bytes += bytes_for(x.d, x.m);
    }
    std::vector<std::uint8_t> column(bytes_for(x.d, x.m));
    const gemm::Matrix out{column.data(), x.d, 1, x.m, false};
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double sum = given.alpha * sums[static_cast<std::size_t>(j * x.m) + i] + given.beta * before[i];
      gemm::store(out, static_cast<std::int64_t>(i), followed_up(sum, bias[i], x.epilogue));
    }
    memory.write(reinterpret_cast<std::uint64_t>(moved(d, x.d, j * x.d_leading)), column.data(), column.size());
    counts.global.store.bytes += column.size();
  }
  counts.global.load.bytes += bytes_for(x.a, of_a) + bytes_for(x.b, of_b) + a_scales.size() + b_scales.size();
  counts.tensor_flops[static_cast<std::size_t>(counted_as(x))] += static_cast<std::uint64_t>(2 * x.m * x.n * x.k);
}

}  // namespace

cublasStatus_t compute(const device::cuda::Driver& driver, const Asked& asked, const Given& given, CUstream stream) {
  const auto work = [asked, given](Memory& memory) {
    Counts counts;
    for (std::int64_t each = 0; each < asked.batch; ++each) one_product(memory, asked, given, each, counts);
    return counts;
  };
  const CUresult status = queue_library_work(driver, stream, "cublasLtMatmul (stand-in)", work);
  return status == CUDA_SUCCESS ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace ridge::ptx
