// Small pieces that handlers share, and the handlers that are only a few lines.
#include <bit>
#include <cmath>

#include "kernels/ptx/arith/directed64.hpp"
#include "kernels/ptx/arith/integer.hpp"
#include "kernels/ptx/arith/round32.hpp"
#include "kernels/ptx/engine/run.hpp"

namespace ridge::ptx {

void addresses_of(Warp& w, const Access& x, u64* address) {
  for (int i = 0; i < 32; ++i) {
    const u64 offset = static_cast<u64>(x.offset);
    if (x.base == no_register) {
      address[i] = offset;
    } else if (x.wide_base) {
      address[i] = reg<u64>(w, static_cast<u32>(x.base))[i] + offset;
    } else {
      address[i] = static_cast<u32>(reg<u32>(w, static_cast<u32>(x.base))[i] + static_cast<u32>(offset));
    }
  }
}

void touch(Warp& w, const Op& op, const Access& x, u32 lanes, const u64* address, u8** host, unsigned bytes,
           AccessKind kind) {
  resolve(w, op, x, lanes, address, host, bytes, kind);
  if (w.worker->observe) observe(w, op, x, lanes, address, bytes, kind);
}

u64 read_lane(Warp& w, u32 offset, unsigned bytes, int lane) {
  return bytes == 2 ? reg<u16>(w, offset)[lane] : bytes == 4 ? reg<u32>(w, offset)[lane] : reg<u64>(w, offset)[lane];
}

void write_lane(Warp& w, u32 offset, unsigned bytes, int lane, u64 value) {
  if (bytes == 2)
    reg<u16>(w, offset)[lane] = static_cast<u16>(value);
  else if (bytes == 4)
    reg<u32>(w, offset)[lane] = static_cast<u32>(value);
  else
    reg<u64>(w, offset)[lane] = value;
}

namespace {

template <class F>
void each(u32 lanes, F f) {
  for (; lanes; lanes &= lanes - 1) f(std::countr_zero(lanes));
}

void set_predicate(Warp& w, u32 offset, u32 value, u32 lanes) {
  u32& p = *reg<u32>(w, offset);
  p = (p & ~lanes) | (value & lanes);
}

}  // namespace

void run_nothing(Warp&, const Op&, u32) {}

void run_clock(Warp& w, const Op& op, u32 lanes) {  // grows with every read, and says no time
  u64 now = w.worker->ticks += 32;
  if (op.n) now >>= 32;
  each(lanes, [&](int i) { write_lane(w, op.dst, op.k, i, now); });
}

void run_predicate(Warp& w, const Op& op, u32 lanes) {
  const u32 a = *reg<u32>(w, op.a) ^ (op.n & 1 ? ~0u : 0u);
  const u32 b = op.k >= 2 ? *reg<u32>(w, op.b) ^ (op.n & 2 ? ~0u : 0u) : 0;
  const u32 values[] = {a, ~a, a & b, a | b, a ^ b};
  set_predicate(w, op.dst, values[op.k], lanes);
}

void run_testp(Warp& w, const Op& op, u32 lanes) {
  u32 out = 0;
  each(lanes, [&](int i) {
    const int c = op.n ? std::fpclassify(reg<double>(w, op.a)[i]) : std::fpclassify(reg<float>(w, op.a)[i]);
    const bool values[] = {
        c != FP_NAN && c != FP_INFINITE, c == FP_INFINITE, c != FP_NAN, c == FP_NAN, c == FP_NORMAL, c == FP_SUBNORMAL};
    out |= values[op.k] ? 1u << i : 0u;
  });
  set_predicate(w, op.dst, out, lanes);
}

void run_slct(Warp& w, const Op& op, u32 lanes) {
  each(lanes, [&](int i) {
    const bool first = op.k ? reg<float>(w, op.c)[i] >= 0 : reg<s32>(w, op.c)[i] >= 0;
    write_lane(w, op.dst, op.n, i, read_lane(w, first ? op.a : op.b, op.n, i));
  });
}

void run_isspacep(Warp& w, const Op& op, u32 lanes) {
  const Space space = static_cast<Space>(op.k);
  u32 out = 0;
  each(lanes, [&](int i) {
    const u64 window = reg<u64>(w, op.a)[i] >> 60;
    const bool yes = space == Space::shared  ? window == 1
                     : space == Space::local ? window == 2
                                             : space == Space::global && window == 0;
    out |= yes ? 1u << i : 0u;
  });
  set_predicate(w, op.dst, out, lanes);
}

void run_carry(Warp& w, const Op& op,
               u32 lanes) {  // n: 0 add 1 sub 2 mad.lo 3 mad.hi unsigned 4 mad.hi signed; imm: bytes
  const unsigned bytes = static_cast<unsigned>(op.imm), bit_count = 8 * bytes;
  const u64 mask = bytes == 8 ? ~u64{0} : (u64{1} << bit_count) - 1;
  each(lanes, [&](int i) {
    const u64 a = read_lane(w, op.a, bytes, i), b = read_lane(w, op.b, bytes, i);
    const u64 carry = op.k & 2 ? w.carry >> i & 1 : 0;
    u128 r = 0;
    if (op.n == 0) {
      r = static_cast<u128>(a) + b + carry;
    } else if (op.n == 1) {
      r = static_cast<u128>(a) - b - carry;
    } else {
      u64 product = a * b;
      if (op.n == 3) product = bytes == 8 ? mul_hi<u64>(a, b) : (a * b) >> 32;
      if (op.n == 4) {
        product = bytes == 8 ? static_cast<u64>(mul_hi<s64>(static_cast<s64>(a), static_cast<s64>(b)))
                             : static_cast<u64>(s64{static_cast<s32>(a)} * static_cast<s32>(b)) >> 32;
      }
      r = static_cast<u128>(product & mask) + read_lane(w, op.c, bytes, i) + carry;
    }
    write_lane(w, op.dst, bytes, i, static_cast<u64>(r));
    if (op.k & 1) w.carry = (w.carry & ~(1u << i)) | (static_cast<u32>(r >> bit_count) & 1) << i;
  });
}

void run_pack(Warp& w, const Op& op, u32 lanes) {
  const auto& x = static_cast<const ElementsExtra&>(*op.extra);
  each(lanes, [&](int i) {
    u64 v = 0;
    for (std::size_t k = 0; k < x.registers.size(); ++k) {
      const u64 mask = x.element_bytes == 8 ? ~u64{0} : (u64{1} << (8 * x.element_bytes)) - 1;
      v |= (read_lane(w, x.registers[k], x.element_bytes < 2 ? 2 : x.element_bytes, i) & mask)
           << (8 * x.element_bytes * k);
    }
    write_lane(w, op.dst, x.whole_bytes, i, v);
  });
}

void run_unpack(Warp& w, const Op& op, u32 lanes) {
  const auto& x = static_cast<const ElementsExtra&>(*op.extra);
  each(lanes, [&](int i) {
    const u64 v = read_lane(w, op.a, x.whole_bytes, i);
    const u64 mask = x.element_bytes == 8 ? ~u64{0} : (u64{1} << (8 * x.element_bytes)) - 1;
    for (std::size_t k = 0; k < x.registers.size(); ++k) {
      write_lane(w, x.registers[k], x.element_bytes < 2 ? 2 : x.element_bytes, i,
                 v >> (8 * x.element_bytes * k) & mask);
    }
  });
}

void run_convert(Warp& w, const Op& op, u32 lanes) {
  const auto& x = static_cast<const ConversionExtra&>(*op.extra);
  each(lanes, [&](int i) {
    write_lane(w, op.dst, x.to_bytes, i, convert(read_lane(w, op.a, x.from_bytes, i), x.conversion));
  });
}

void run_convert_packed(Warp& w, const Op& op, u32 lanes) {
  const auto& x = static_cast<const ConversionExtra&>(*op.extra);
  Conversion c = x.conversion;
  c.to = element_of(c.to);
  c.from = element_of(c.from);
  const unsigned to = bits_of(c.to), from = bits_of(c.from);
  each(lanes, [&](int i) {
    const u64 a = read_lane(w, op.a, x.from_bytes, i);
    const u64 high = op.k == 2 ? a : a >> from;
    const u64 low = op.k == 2 ? read_lane(w, op.b, x.from_bytes, i) : a & ((u64{1} << from) - 1);
    write_lane(w, op.dst, x.to_bytes, i, convert(high, c) << to | (convert(low, c) & ((u64{1} << to) - 1)));
  });
}

void run_convert_pack(Warp& w, const Op& op, u32 lanes) {
  const Type t = static_cast<Type>(op.k);
  const unsigned n = bits_of(t);
  const s64 high = is_signed(t) ? (s64{1} << (n - 1)) - 1 : (s64{1} << n) - 1, low = is_signed(t) ? -high - 1 : 0;
  const u32 mask = static_cast<u32>((u64{1} << n) - 1);
  each(lanes, [&](int i) {
    const u32 a = clamped<u32>(reg<s32>(w, op.a)[i], low, high) & mask,
              b = clamped<u32>(reg<s32>(w, op.b)[i], low, high) & mask;
    u32 r = a << n | b;
    if (op.n && n < 16) r |= reg<u32>(w, op.c)[i] << (2 * n);
    reg<u32>(w, op.dst)[i] = r;
  });
}

void run_directed32(Warp& w, const Op& op, u32 lanes) {
  const bool root = static_cast<Unary>(op.k) == Unary::sqrt;
  each(lanes, [&](int i) {
    const float a = reg<float>(w, op.a)[i];
    float r = 0;
    switch (static_cast<Rounding>(op.n)) {
      case Rounding::zero:
        r = root ? sqrt<Rounding::zero>(a) : div<Rounding::zero>(1, a);
        break;
      case Rounding::down:
        r = root ? sqrt<Rounding::down>(a) : div<Rounding::down>(1, a);
        break;
      default:
        r = root ? sqrt<Rounding::up>(a) : div<Rounding::up>(1, a);
        break;
    }
    reg<float>(w, op.dst)[i] = r;
  });
}

void run_directed64(Warp& w, const Op& op, u32 lanes) {
  double one[32];
  for (double& x : one) x = 1;
  const bool root = static_cast<Unary>(op.k) == Unary::sqrt;
  const double* a = reg<double>(w, op.a);
  directed64(root ? Operation64::sqrt : Operation64::div, static_cast<Rounding>(op.n), lanes, reg<double>(w, op.dst),
             root ? a : one, a, nullptr);
}

}  // namespace ridge::ptx
