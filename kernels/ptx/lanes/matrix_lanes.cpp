// mma and wmma: D = A·B + C of one warp. Products are exact in double precision; the sum is rounded once at the end
// (a GPU truncates in between, so its last bits may differ; integers and doubles agree exactly).
#include "kernels/ptx/arith/convert.hpp"
#include "kernels/ptx/lanes/fragments.hpp"
#include "kernels/ptx/lanes/lanes.hpp"

namespace ridge::ptx::RIDGE_PTX_ISA {
namespace {

constexpr int largest = 256 * 32;

double element(u64 word, int e, Type t) {
  const unsigned b = bits_of(t);
  const u64 v = b == 64 ? word : word >> (static_cast<unsigned>(e) * b) & ((u64{1} << b) - 1);
  switch (t) {
    case Type::s4:
      return static_cast<double>(static_cast<s64>(v << 60) >> 60);
    case Type::s8:
      return static_cast<s8>(v);
    case Type::u4:
    case Type::u8:
    case Type::b1:
      return static_cast<double>(v);
    default:
      return value_of(v, t);
  }
}

template <class Place>
void read_fragment(Warp& w, const std::vector<u32>& registers, int count, Type t, double* out, int stride,
                   Place place) {
  const unsigned width_bits = bits_of(t);
  for (int r = 0; r < count; ++r) {
    const u32 offset = registers[static_cast<std::size_t>(r)];
    for (int lane = 0; lane < 32; ++lane) {
      const u64 word = width_bits == 64 ? lanes_of<u64>(w, offset)[lane] : lanes_of<u32>(w, offset)[lane];
      const int elements = width_bits == 64 ? 1 : static_cast<int>(32 / width_bits);
      for (int e = 0; e < elements; ++e) {
        const Place2 at = place(lane, r, e);
        out[at.row * stride + at.column] = element(word, e, t);
      }
    }
  }
}

double accumulator(Warp& w, const MatrixExtra& x, int lane, int e) {
  const auto at = static_cast<std::size_t>(e);
  switch (x.c_type) {
    case Type::f16:
      return to_float(f16{static_cast<u16>(lanes_of<u32>(w, x.c[at / 2])[lane] >> (16 * (e & 1)))});
    case Type::f64:
      return lanes_of<double>(w, x.c[at])[lane];
    case Type::s32:
      return lanes_of<s32>(w, x.c[at])[lane];
    default:
      return lanes_of<float>(w, x.c[at])[lane];
  }
}

void put_result(Warp& w, const MatrixExtra& x, int lane, int e, double v) {
  const auto at = static_cast<std::size_t>(e);
  switch (x.d_type) {
    case Type::f16: {
      u32& d = lanes_of<u32>(w, x.d[at / 2])[lane];
      const u32 h = static_cast<u32>(bits_from(v, Type::f16));
      d = e & 1 ? (d & 0xffffu) | h << 16 : (d & 0xffff0000u) | h;
      break;
    }
    case Type::f64:
      lanes_of<double>(w, x.d[at])[lane] = v;
      break;
    case Type::s32: {
      const s64 whole = static_cast<s64>(v);
      lanes_of<s32>(w, x.d[at])[lane] =
          x.saturate ? clamped<s32>(whole, -2147483648ll, 2147483647ll) : static_cast<s32>(static_cast<u32>(whole));
      break;
    }
    default:
      lanes_of<float>(w, x.d[at])[lane] = static_cast<float>(v);
      break;
  }
}

void multiply_bits(const MatrixExtra& x, const double* a, const double* b, double* c) {
  for (int i = 0; i < x.m; ++i) {
    for (int j = 0; j < x.n; ++j) {
      int sum = 0;
      for (int k = 0; k < x.k; ++k) {
        const bool p = a[i * x.k + k] != 0, q = b[k * x.n + j] != 0;
        sum += x.bitwise_and ? (p && q) : (p != q);
      }
      c[i * x.n + j] += sum;
    }
  }
}

}  // namespace

void multiply_matrices(Warp& w, const Op& op, u32) {
  const auto& x = static_cast<const MatrixExtra&>(*op.extra);
  static thread_local double a[largest], b[largest], c[32 * 32];
  const int a_bits = static_cast<int>(bits_of(x.a_type)), b_bits = static_cast<int>(bits_of(x.b_type));
  read_fragment(w, x.a, fragment_registers(x.m, x.k, a_bits), x.a_type, a, x.k,
                [&](int lane, int r, int e) { return place_in_a(x.m, x.k, a_bits, lane, r, e); });
  read_fragment(w, x.b, fragment_registers(x.k, x.n, b_bits), x.b_type, b, x.n,
                [&](int lane, int r, int e) { return place_in_b(x.k, b_bits, lane, r, e); });
  const int elements = x.m * x.n / 32;
  for (int lane = 0; lane < 32; ++lane) {
    for (int e = 0; e < elements; ++e) {
      const Place2 at = place_in_c(x.m, lane, e);
      c[at.row * x.n + at.column] = accumulator(w, x, lane, e);
    }
  }
  if (x.a_type == Type::b1) {
    multiply_bits(x, a, b, c);
  } else {
    const bool exact_order = x.a_type == Type::f64;  // fused, in the order of k, from the accumulator
    for (int i = 0; i < x.m; ++i) {
      double sum[32] = {};
      if (exact_order) __builtin_memcpy(sum, c + i * x.n, sizeof(double) * static_cast<unsigned>(x.n));
      for (int k = 0; k < x.k; ++k) {
        const double left = a[i * x.k + k];
        const double* right = b + k * x.n;
        if (exact_order) {
          for (int j = 0; j < x.n; ++j) sum[j] = __builtin_fma(left, right[j], sum[j]);
        } else {
          RIDGE_PTX_LOOP
          for (int j = 0; j < x.n; ++j) sum[j] += left * right[j];
        }
      }
      for (int j = 0; j < x.n; ++j) c[i * x.n + j] = exact_order ? sum[j] : c[i * x.n + j] + sum[j];
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    for (int e = 0; e < elements; ++e) {
      const Place2 at = place_in_c(x.m, lane, e);
      put_result(w, x, lane, e, c[at.row * x.n + at.column]);
    }
  }
}

}  // namespace ridge::ptx::RIDGE_PTX_ISA
