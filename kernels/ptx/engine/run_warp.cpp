// Operations in which the lanes of a warp see each other.
#include <bit>
#include <cstring>

#include "kernels/ptx/engine/run.hpp"

namespace ridge::ptx {
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

void run_shuffle(Warp& w, const Op& op, u32 lanes) {
  u32 a[32];
  std::memcpy(a, reg<u32>(w, op.a), sizeof a);
  const u32 *b = reg<u32>(w, op.b), *c = reg<u32>(w, op.c);
  u32* d = reg<u32>(w, op.dst);
  u32 in_range = 0;
  each(lanes, [&](int lane) {
    const int distance = static_cast<int>(b[lane] & 31), clamp = static_cast<int>(c[lane] & 31);
    const int segment = static_cast<int>(c[lane] >> 8 & 31);
    const int highest = (lane & segment) | (clamp & ~segment), lowest = lane & segment;
    int from = 0;
    bool valid = false;
    switch (op.k) {
      case 0:
        from = lane - distance;
        valid = from >= highest;
        break;
      case 1:
        from = lane + distance;
        valid = from <= highest;
        break;
      case 2:
        from = lane ^ distance;
        valid = from <= highest;
        break;
      default:
        from = lowest | (distance & ~segment);
        valid = from <= highest;
        break;
    }
    if (!valid) from = lane;
    if (!(lanes >> from & 1) && w.worker->launch->options->checks.lanes) {
      fail(FaultKind::inactive_lane, w, op, lane,
           "shuffle from lane " + std::to_string(from) + ", which does not take part");
    }
    d[lane] = a[from & 31];
    in_range |= valid ? 1u << lane : 0u;
  });
  if (op.imm >= 0) set_predicate(w, static_cast<u32>(op.imm), in_range, lanes);
}

void run_vote(Warp& w, const Op& op, u32 lanes) {
  const u32 votes = (*reg<u32>(w, op.a) ^ (op.n ? ~0u : 0u)) & lanes;
  if (op.k == 3) {
    u32* d = reg<u32>(w, op.dst);
    each(lanes, [&](int i) { d[i] = votes; });
    return;
  }
  const bool result = op.k == 0 ? votes == lanes : op.k == 1 ? votes != 0 : votes == 0 || votes == lanes;
  set_predicate(w, op.dst, result ? ~0u : 0u, lanes);
}

void run_match(Warp& w, const Op& op, u32 lanes) {
  u32 same[32];
  bool all = true;
  each(lanes, [&](int i) {
    same[i] = 0;
    const u64 mine = read_lane(w, op.a, op.n, i);
    each(lanes, [&](int j) { same[i] |= read_lane(w, op.a, op.n, j) == mine ? 1u << j : 0u; });
    all &= same[i] == lanes;
  });
  each(lanes, [&](int i) { reg<u32>(w, op.dst)[i] = op.k ? (all ? lanes : 0) : same[i]; });
  if (op.imm >= 0) set_predicate(w, static_cast<u32>(op.imm), all ? ~0u : 0u, lanes);
}

void run_redux(Warp& w, const Op& op, u32 lanes) {
  const u32* a = reg<u32>(w, op.a);
  u32 r = a[std::countr_zero(lanes)];
  const bool sign = is_signed(static_cast<Type>(op.n));
  each(lanes & (lanes - 1), [&](int i) {
    const u32 v = a[i];
    const bool less = sign ? static_cast<s32>(v) < static_cast<s32>(r) : v < r;
    switch (static_cast<AtomicOp>(op.k)) {
      case AtomicOp::add:
        r += v;
        break;
      case AtomicOp::min:
        r = less ? v : r;
        break;
      case AtomicOp::max:
        r = less ? r : v;
        break;
      case AtomicOp::and_:
        r &= v;
        break;
      case AtomicOp::or_:
        r |= v;
        break;
      default:
        r ^= v;
        break;
    }
  });
  each(lanes, [&](int i) { reg<u32>(w, op.dst)[i] = r; });
}

void run_activemask(Warp& w, const Op& op, u32 lanes) {
  each(lanes, [&](int i) { reg<u32>(w, op.dst)[i] = lanes; });
}

void run_elect(Warp& w, const Op& op, u32 lanes) {
  const u32 leader = static_cast<u32>(std::countr_zero(lanes));
  each(lanes, [&](int i) { reg<u32>(w, op.dst)[i] = leader; });
  if (op.imm >= 0) set_predicate(w, static_cast<u32>(op.imm), 1u << leader, lanes);
}

}  // namespace ridge::ptx
