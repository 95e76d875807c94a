// Loads and stores. The fast paths take a whole warp whose addresses lie in the range resolved last: consecutive, all
// the same, or scattered; anything else is resolved lane by lane with all its checks.
#include "kernels/ptx/lanes/lane_addresses.hpp"

namespace ridge::ptx::RIDGE_PTX_ISA {
namespace {

/// One element per lane, or `n` in neighbouring bytes; R is what a register holds.
template <class E, class R, Space S>
void run_load(Warp& w, const Op& op, u32 lanes) {
  const auto& x = static_cast<const Access&>(*op.extra);
  const unsigned n = x.count;
  const u64 bytes = sizeof(E) * n;
  alignas(64) u64 a[32];
  addresses(w, x, a);
  Range range;
  if (cached<S>(w, x, range, false)) {
    const Pattern pattern = lanes == all_lanes ? arrangement(a, bytes) : Pattern::unknown;
    if (pattern == Pattern::consecutive || pattern == Pattern::same) {
      const u64 span = pattern == Pattern::consecutive ? 32 * bytes : bytes;
      if (a[0] >= range.low && range.high - range.low >= span && a[0] - range.low <= range.high - range.low - span &&
          (a[0] & (bytes - 1)) == 0) {
        const u8* from = range.at(a[0]);
        for (unsigned k = 0; k < n; ++k) {
          R* d = lanes_of<R>(w, x.registers[k]);
          if (pattern == Pattern::same) {
            const R value = static_cast<R>(fetch<E>(from + k * sizeof(E)));
            RIDGE_PTX_LOOP
            for (int i = 0; i < 32; ++i) d[i] = value;
          } else if (n == 1) {
            if constexpr (sizeof(E) == sizeof(R)) {
              __builtin_memcpy(d, from, 32 * sizeof(E));
            } else {
              RIDGE_PTX_LOOP
              for (int i = 0; i < 32; ++i) d[i] = static_cast<R>(fetch<E>(from + i * sizeof(E)));
            }
          } else if (n == 4) {
            RIDGE_PTX_LOOP
            for (int i = 0; i < 32; ++i) d[i] = static_cast<R>(fetch<E>(from + (4 * i + k) * sizeof(E)));
          } else {
            RIDGE_PTX_LOOP
            for (int i = 0; i < 32; ++i)
              d[i] = static_cast<R>(fetch<E>(from + (n * static_cast<unsigned>(i) + k) * sizeof(E)));
          }
        }
        if (__builtin_expect(w.worker->observe, 0))
          observe(w, op, x, lanes, a, static_cast<unsigned>(bytes), AccessKind::load, pattern);
        return;
      }
    } else if (all_inside(a, lanes, range.low, range.high, bytes)) {
      for (unsigned k = 0; k < n; ++k) {
        R* d = lanes_of<R>(w, x.registers[k]);
        if (lanes == all_lanes) {
          for (int i = 0; i < 32; ++i) d[i] = static_cast<R>(fetch<E>(range.at(a[i] + k * sizeof(E))));
        } else {
          for (u32 left = lanes; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            d[i] = static_cast<R>(fetch<E>(range.at(a[i] + k * sizeof(E))));
          }
        }
      }
      if (__builtin_expect(w.worker->observe, 0))
        observe(w, op, x, lanes, a, static_cast<unsigned>(bytes), AccessKind::load, pattern);
      return;
    }
  }
  u8* host[32];
  resolve(w, op, x, lanes, a, host, static_cast<unsigned>(bytes), AccessKind::load);
  if (w.worker->observe) observe(w, op, x, lanes, a, static_cast<unsigned>(bytes), AccessKind::load);
  for (u32 left = lanes; left; left &= left - 1) {
    const int i = __builtin_ctz(left);
    for (unsigned k = 0; k < n; ++k)
      lanes_of<R>(w, x.registers[k])[i] = static_cast<R>(fetch<E>(host[i] + k * sizeof(E)));
  }
}

template <class E, class R, Space S>
void run_store(Warp& w, const Op& op, u32 lanes) {
  const auto& x = static_cast<const Access&>(*op.extra);
  const unsigned n = x.count;
  const u64 bytes = sizeof(E) * n;
  alignas(64) u64 a[32];
  addresses(w, x, a);
  Range range;
  if (cached<S>(w, x, range, true)) {
    const Pattern pattern = lanes == all_lanes ? arrangement(a, bytes) : Pattern::unknown;
    if (pattern == Pattern::consecutive && a[0] >= range.low && range.high - range.low >= 32 * bytes &&
        a[0] - range.low <= range.high - range.low - 32 * bytes && (a[0] & (bytes - 1)) == 0) {
      u8* to = range.at(a[0]);
      for (unsigned k = 0; k < n; ++k) {
        const R* s = lanes_of<R>(w, x.registers[k]);
        if (n == 1) {
          if constexpr (sizeof(E) == sizeof(R)) {
            __builtin_memcpy(to, s, 32 * sizeof(E));
          } else {
            RIDGE_PTX_LOOP
            for (int i = 0; i < 32; ++i) deposit(to + i * sizeof(E), static_cast<E>(s[i]));
          }
        } else {
          for (int i = 0; i < 32; ++i)
            deposit(to + (n * static_cast<unsigned>(i) + k) * sizeof(E), static_cast<E>(s[i]));
        }
      }
      if (__builtin_expect(w.worker->observe, 0))
        observe(w, op, x, lanes, a, static_cast<unsigned>(bytes), AccessKind::store, pattern);
      return;
    }
    if (all_inside(a, lanes, range.low, range.high, bytes)) {
      for (u32 left = lanes; left; left &= left - 1) {
        const int i = __builtin_ctz(left);
        for (unsigned k = 0; k < n; ++k) {
          deposit(range.at(a[i] + k * sizeof(E)), static_cast<E>(lanes_of<R>(w, x.registers[k])[i]));
        }
      }
      if (__builtin_expect(w.worker->observe, 0))
        observe(w, op, x, lanes, a, static_cast<unsigned>(bytes), AccessKind::store, pattern);
      return;
    }
  }
  u8* host[32];
  resolve(w, op, x, lanes, a, host, static_cast<unsigned>(bytes), AccessKind::store);
  if (w.worker->observe) observe(w, op, x, lanes, a, static_cast<unsigned>(bytes), AccessKind::store);
  for (u32 left = lanes; left; left &= left - 1) {
    const int i = __builtin_ctz(left);
    for (unsigned k = 0; k < n; ++k)
      deposit(host[i] + k * sizeof(E), static_cast<E>(lanes_of<R>(w, x.registers[k])[i]));
  }
}

/// volatile, relaxed, acquire, release: atomic for the host, because other blocks may be on other host threads.
template <class E, class R, bool Store>
void run_ordered(Warp& w, const Op& op, u32 lanes) {
  const auto& x = static_cast<const Access&>(*op.extra);
  const unsigned bytes = static_cast<unsigned>(sizeof(E)) * x.count;
  const AccessKind kind = Store ? AccessKind::store : AccessKind::load;
  alignas(64) u64 a[32];
  addresses(w, x, a);
  u8* host[32];
  resolve(w, op, x, lanes, a, host, bytes, kind);
  if (w.worker->observe) observe(w, op, x, lanes, a, bytes, kind);
  for (u32 left = lanes; left; left &= left - 1) {
    const int i = __builtin_ctz(left);
    for (unsigned k = 0; k < x.count; ++k) {
      E* p = reinterpret_cast<E*>(host[i]) + k;
      R& r = lanes_of<R>(w, x.registers[k])[i];
      if constexpr (Store) {
        __atomic_store_n(p, static_cast<E>(r), __ATOMIC_RELEASE);
      } else {
        r = static_cast<R>(__atomic_load_n(p, __ATOMIC_ACQUIRE));
      }
    }
  }
}

/// A kernel parameter at a fixed offset: the same value in all lanes.
template <class E, class R>
void run_parameter(Warp& w, const Op& op, u32 lanes) {
  const auto& x = static_cast<const Access&>(*op.extra);
  const u8* from = w.worker->launch->parameters.data() + x.offset;
  for (unsigned k = 0; k < x.count; ++k) {
    const R value = static_cast<R>(fetch<E>(from + k * sizeof(E)));
    put(
        lanes_of<R>(w, x.registers[k]), lanes, [=](int) __attribute__((always_inline)) { return value; });
  }
}

struct Load {
  template <class E, class R, Space S>
  static Handler get() {
    return run_load<E, R, S>;
  }
};
struct Store {
  template <class E, class R, Space S>
  static Handler get() {
    return run_store<E, R, S>;
  }
};
struct LoadOrdered {
  template <class E, class R, Space>
  static Handler get() {
    return run_ordered<E, R, false>;
  }
};
struct StoreOrdered {
  template <class E, class R, Space>
  static Handler get() {
    return run_ordered<E, R, true>;
  }
};
struct Parameter {
  template <class E, class R, Space>
  static Handler get() {
    return run_parameter<E, R>;
  }
};

template <class Make, Space S, class R>
Handler into(unsigned element_bytes, bool is_signed) {
  if (element_bytes == sizeof(R)) return Make::template get<R, R, S>();
  if (element_bytes == 1) return is_signed ? Make::template get<s8, R, S>() : Make::template get<u8, R, S>();
  if constexpr (sizeof(R) > 2) {
    if (element_bytes == 2) return is_signed ? Make::template get<s16, R, S>() : Make::template get<u16, R, S>();
  }
  if constexpr (sizeof(R) > 4) {
    if (element_bytes == 4) return is_signed ? Make::template get<s32, R, S>() : Make::template get<u32, R, S>();
  }
  return nullptr;
}
template <class Make, Space S>
Handler sized(unsigned element_bytes, unsigned register_bytes, bool is_signed) {
  if (register_bytes == 2) return into<Make, S, u16>(element_bytes, is_signed);
  if (register_bytes == 4) return into<Make, S, u32>(element_bytes, is_signed);
  return register_bytes == 8 ? into<Make, S, u64>(element_bytes, is_signed) : nullptr;
}
template <class Make>
Handler placed(Space space, unsigned element_bytes, unsigned register_bytes, bool is_signed) {
  if (space == Space::shared) return sized<Make, Space::shared>(element_bytes, register_bytes, is_signed);
  if (space == Space::global || space == Space::constant) {
    return sized<Make, Space::global>(element_bytes, register_bytes, is_signed);
  }
  return sized<Make, Space::generic>(element_bytes, register_bytes, is_signed);
}

}  // namespace

Handler load_of(Space space, unsigned element_bytes, unsigned register_bytes, bool is_signed, bool ordered) {
  if (ordered) return sized<LoadOrdered, Space::generic>(element_bytes, register_bytes, is_signed);
  return placed<Load>(space, element_bytes, register_bytes, is_signed);
}

Handler store_of(Space space, unsigned element_bytes, unsigned register_bytes, bool ordered) {
  if (ordered) return sized<StoreOrdered, Space::generic>(element_bytes, register_bytes, false);
  return placed<Store>(space, element_bytes, register_bytes, false);
}

Handler load_parameter_of(unsigned element_bytes, unsigned register_bytes, bool is_signed) {
  return sized<Parameter, Space::generic>(element_bytes, register_bytes, is_signed);
}

}  // namespace ridge::ptx::RIDGE_PTX_ISA
