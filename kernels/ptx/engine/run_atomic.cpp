// atom and red. On global memory they are atomic for the host too when blocks run on several host threads.
#include <bit>
#include <cstring>

#include "kernels/ptx/arith/half.hpp"
#include "kernels/ptx/engine/run.hpp"

namespace ridge::ptx {
namespace {

template <class T>
T combined(AtomicOp o, T old, T b, T c) {
  switch (o) {
    case AtomicOp::add:
      return static_cast<T>(old + b);
    case AtomicOp::min:
      return b < old ? b : old;
    case AtomicOp::max:
      return old < b ? b : old;
    case AtomicOp::and_:
      return static_cast<T>(old & b);
    case AtomicOp::or_:
      return static_cast<T>(old | b);
    case AtomicOp::xor_:
      return static_cast<T>(old ^ b);
    case AtomicOp::exch:
      return b;
    case AtomicOp::cas:
      return old == b ? c : old;
    case AtomicOp::inc:
      return old >= b ? T{0} : static_cast<T>(old + 1);
    case AtomicOp::dec:
      return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
  return old;
}

template <class F>
struct Float {
  F v;
};
template <class F>
F combined_float(AtomicOp o, F old, F b) {
  switch (o) {
    case AtomicOp::add:
      return old + b;
    case AtomicOp::min:
      return b < old || old != old ? b : old;
    case AtomicOp::max:
      return old < b || old != old ? b : old;
    default:
      return b;
  }
}
template <class F>
Float<F> combined(AtomicOp o, Float<F> old, Float<F> b, Float<F>) {
  return {combined_float(o, old.v, b.v)};
}
template <class H>
H combined_half(AtomicOp o, H old, H b) {
  return o == AtomicOp::add ? half_add(old, b) : from_float<H>(combined_float(o, to_float(old), to_float(b)));
}
f16 combined(AtomicOp o, f16 old, f16 b, f16) {
  return combined_half(o, old, b);
}
bf16 combined(AtomicOp o, bf16 old, bf16 b, bf16) {
  return combined_half(o, old, b);
}
template <class H>
pair<H> combined(AtomicOp o, pair<H> old, pair<H> b, pair<H>) {
  return {combined_half(o, old.lo, b.lo), combined_half(o, old.hi, b.hi)};
}

template <class T>
void run_atomic(Warp& w, const Op& op, u32 lanes) {
  using Bits = std::conditional_t<sizeof(T) == 8, u64, std::conditional_t<sizeof(T) == 4, u32, u16>>;
  const auto& x = static_cast<const AtomicExtra&>(*op.extra);
  u64 address[32];
  u8* host[32];
  addresses_of(w, x, address);
  const unsigned count = x.count;
  touch(w, op, x, lanes, address, host, static_cast<unsigned>(sizeof(T)) * count, AccessKind::atomic);
  const bool parallel = w.worker->launch->parallel && x.space != Space::shared;
  for (u32 left = lanes; left; left &= left - 1) {
    const int i = std::countr_zero(left);
    for (unsigned k = 0; k < count; ++k) {
      Bits* p = reinterpret_cast<Bits*>(host[i]) + k;
      const T b = reg<T>(w, count > 1 ? x.registers[k] : x.operand)[i],
              c = reg<T>(w, count > 1 ? x.registers[k] : x.second)[i];
      Bits old = parallel ? __atomic_load_n(p, __ATOMIC_RELAXED) : *p;
      for (;;) {
        const Bits next = std::bit_cast<Bits>(combined(x.operation, std::bit_cast<T>(old), b, c));
        if (!parallel) {
          *p = next;
          break;
        }
        if (__atomic_compare_exchange_n(p, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) break;
      }
      if (x.result != no_register) reg<T>(w, static_cast<u32>(x.result))[i] = std::bit_cast<T>(old);
    }
  }
}

}  // namespace

Handler atomic_handler(Type t) {
  switch (t) {
    case Type::b16:
    case Type::u16:
      return run_atomic<u16>;
    case Type::b32:
    case Type::u32:
      return run_atomic<u32>;
    case Type::s32:
      return run_atomic<s32>;
    case Type::b64:
    case Type::u64:
      return run_atomic<u64>;
    case Type::s64:
      return run_atomic<s64>;
    case Type::f32:
      return run_atomic<Float<float>>;
    case Type::f64:
      return run_atomic<Float<double>>;
    case Type::f16:
      return run_atomic<f16>;
    case Type::bf16:
      return run_atomic<bf16>;
    case Type::f16x2:
      return run_atomic<pair<f16>>;
    case Type::bf16x2:
      return run_atomic<pair<bf16>>;
    default:
      return nullptr;
  }
}

}  // namespace ridge::ptx
