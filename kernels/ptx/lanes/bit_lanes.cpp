// Bit fields, funnel shifts, three-input logic, byte permutation and the small dot products.
#include "kernels/ptx/lanes/lanes.hpp"

namespace ridge::ptx::RIDGE_PTX_ISA {
namespace {

template <bool Left>
void run_funnel(Warp& w, const Op& op, u32 lanes) {  // k: wrap
  const u32 *a = lanes_of<u32>(w, op.a), *b = lanes_of<u32>(w, op.b), *c = lanes_of<u32>(w, op.c);
  const bool wrap = op.k != 0;
  put(
      lanes_of<u32>(w, op.dst),
      lanes, [=](int i) __attribute__((always_inline)) { return funnel(a[i], b[i], c[i], Left, wrap); });
}

template <class T>
void run_bfe(Warp& w, const Op& op, u32 lanes) {
  const T* a = lanes_of<T>(w, op.a);
  const u32 *b = lanes_of<u32>(w, op.b), *c = lanes_of<u32>(w, op.c);
  put(
      lanes_of<T>(w, op.dst),
      lanes, [=](int i) __attribute__((always_inline)) { return bit_field_extract(a[i], b[i], c[i]); });
}

template <class T>
void run_bfi(Warp& w, const Op& op, u32 lanes) {
  const T *a = lanes_of<T>(w, op.a), *b = lanes_of<T>(w, op.b);
  const u32 *c = lanes_of<u32>(w, op.c), *d = lanes_of<u32>(w, op.d);
  put(
      lanes_of<T>(w, op.dst),
      lanes, [=](int i) __attribute__((always_inline)) { return bit_field_insert(a[i], b[i], c[i], d[i]); });
}

void run_lop3(Warp& w, const Op& op, u32 lanes) {
  const u32 *a = lanes_of<u32>(w, op.a), *b = lanes_of<u32>(w, op.b), *c = lanes_of<u32>(w, op.c);
  u32 term[8];
  for (int j = 0; j < 8; ++j) term[j] = op.imm >> j & 1 ? ~0u : 0u;
  put(
      lanes_of<u32>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) {
        const u32 x = a[i], y = b[i], z = c[i];
        return (term[0] & ~x & ~y & ~z) | (term[1] & ~x & ~y & z) | (term[2] & ~x & y & ~z) | (term[3] & ~x & y & z) |
               (term[4] & x & ~y & ~z) | (term[5] & x & ~y & z) | (term[6] & x & y & ~z) | (term[7] & x & y & z);
      });
}

void run_prmt(Warp& w, const Op& op, u32 lanes) {
  const u32 *a = lanes_of<u32>(w, op.a), *b = lanes_of<u32>(w, op.b), *c = lanes_of<u32>(w, op.c);
  const Permute mode = static_cast<Permute>(op.k);
  put(lanes_of<u32>(w, op.dst), lanes, [=](int i) { return permute_bytes(a[i], b[i], c[i], mode); });
}

void run_fns(Warp& w, const Op& op, u32 lanes) {
  const u32 *a = lanes_of<u32>(w, op.a), *b = lanes_of<u32>(w, op.b);
  const s32* c = lanes_of<s32>(w, op.c);
  put(lanes_of<u32>(w, op.dst), lanes, [=](int i) { return find_nth_set(a[i], b[i], c[i]); });
}

RIDGE_PTX_INLINE s32 byte_of(u32 v, int j, bool is_signed) {
  const u32 x = v >> (8 * j) & 0xff;
  return is_signed ? static_cast<s8>(x) : static_cast<s32>(x);
}
RIDGE_PTX_INLINE s32 word_of(u32 v, int j, bool is_signed) {
  const u32 x = v >> (16 * j) & 0xffff;
  return is_signed ? static_cast<s16>(x) : static_cast<s32>(x);
}

void run_dp4a(Warp& w, const Op& op, u32 lanes) {  // k: 1 a is signed, 2 b is signed
  const u32 *a = lanes_of<u32>(w, op.a), *b = lanes_of<u32>(w, op.b), *c = lanes_of<u32>(w, op.c);
  const bool sa = op.k & 1, sb = op.k & 2;
  put(
      lanes_of<u32>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) {
        u32 sum = c[i];
        for (int j = 0; j < 4; ++j) sum += static_cast<u32>(byte_of(a[i], j, sa) * byte_of(b[i], j, sb));
        return sum;
      });
}

void run_dp2a(Warp& w, const Op& op, u32 lanes) {  // n: upper bytes of b
  const u32 *a = lanes_of<u32>(w, op.a), *b = lanes_of<u32>(w, op.b), *c = lanes_of<u32>(w, op.c);
  const bool sa = op.k & 1, sb = op.k & 2;
  const int half = op.n ? 2 : 0;
  put(
      lanes_of<u32>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) {
        u32 sum = c[i];
        for (int j = 0; j < 2; ++j) sum += static_cast<u32>(word_of(a[i], j, sa) * byte_of(b[i], j + half, sb));
        return sum;
      });
}

void run_szext(Warp& w, const Op& op, u32 lanes) {  // k: 1 wrap, 2 signed
  const u32 *a = lanes_of<u32>(w, op.a), *b = lanes_of<u32>(w, op.b);
  const bool wrap = op.k & 1, sign = op.k & 2;
  put(
      lanes_of<u32>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) {
        const u32 n = wrap ? b[i] & 31 : b[i] < 32 ? b[i] : 32;
        const u32 mask = n == 32 ? ~0u : (1u << n) - 1;
        const bool negative = sign && n != 0 && (a[i] >> (n - 1) & 1);
        return negative ? a[i] | ~mask : a[i] & mask;
      });
}

void run_bmsk(Warp& w, const Op& op, u32 lanes) {  // k: wrap
  const u32 *a = lanes_of<u32>(w, op.a), *b = lanes_of<u32>(w, op.b);
  const bool wrap = op.k != 0;
  put(
      lanes_of<u32>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) {
        const u32 position = wrap ? a[i] & 31 : a[i], n = wrap ? b[i] & 31 : b[i];
        const u32 ones = n >= 32 ? ~0u : (1u << n) - 1;
        return position >= 32 ? 0u : ones << position;
      });
}

}  // namespace

Handler bit_ternary(Ternary o, Type t) {
  const bool wide64 = bits_of(t) == 64;
  switch (o) {
    case Ternary::funnel_left:
      return run_funnel<true>;
    case Ternary::funnel_right:
      return run_funnel<false>;
    case Ternary::bfe:
      return wide64 ? (is_signed(t) ? run_bfe<s64> : run_bfe<u64>) : is_signed(t) ? run_bfe<s32> : run_bfe<u32>;
    case Ternary::bfi:
      return wide64 ? run_bfi<u64> : run_bfi<u32>;
    case Ternary::lop3:
      return run_lop3;
    case Ternary::prmt:
      return run_prmt;
    case Ternary::fns:
      return run_fns;
    case Ternary::dp4a:
      return run_dp4a;
    case Ternary::dp2a:
      return run_dp2a;
    case Ternary::szext:
      return run_szext;
    case Ternary::bmsk:
      return run_bmsk;
    default:
      return nullptr;
  }
}

}  // namespace ridge::ptx::RIDGE_PTX_ISA
