// Matrix fragments to and from memory: ldmatrix, stmatrix, movmatrix, wmma.load and wmma.store.
#include <algorithm>
#include <cstring>

#include "kernels/ptx/engine/run.hpp"
#include "kernels/ptx/lanes/fragments.hpp"

namespace ridge::ptx {
namespace {

/// Lane i holds the pair (row i / 4, columns 2·(i % 4) and the next) of an 8×8 matrix of 16-bit elements.
struct Pair {
  int row, column;
};
Pair pair_of(int lane) {
  return {lane / 4, 2 * (lane % 4)};
}

u16 half_at(const u8* row, int column) {
  u16 v;
  std::memcpy(&v, row + 2 * column, sizeof v);
  return v;
}

}  // namespace

void run_matrix_move(Warp& w, const Op& op, u32 lanes) {
  const auto& x = static_cast<const MatrixAccessExtra&>(*op.extra);
  u64 address[32];
  u8* row[32] = {};
  addresses_of(w, x.memory, address);
  const u32 addressing = x.count == 4 ? all_lanes : (1u << (8 * x.count)) - 1;  // eight lanes name the rows of a matrix
  touch(w, op, x.memory, lanes & addressing, address, row, 16, x.is_store ? AccessKind::store : AccessKind::load);
  for (int j = 0; j < x.count; ++j) {
    u32* registers = reg<u32>(w, x.registers[static_cast<std::size_t>(j)]);
    for (int lane = 0; lane < 32; ++lane) {
      const Pair p = pair_of(lane);
      u8* const first = row[8 * j + (x.transposed ? p.column : p.row)];
      u8* const second = row[8 * j + (x.transposed ? p.column + 1 : p.row)];
      const int c0 = x.transposed ? p.row : p.column, c1 = x.transposed ? p.row : p.column + 1;
      if (x.is_store) {
        const u16 lo = static_cast<u16>(registers[lane]), hi = static_cast<u16>(registers[lane] >> 16);
        std::memcpy(first + 2 * c0, &lo, sizeof lo);
        std::memcpy(second + 2 * c1, &hi, sizeof hi);
      } else {
        registers[lane] = static_cast<u32>(half_at(second, c1)) << 16 | half_at(first, c0);
      }
    }
  }
}

void run_transpose(Warp& w, const Op& op, u32) {
  u16 m[8][8];
  for (int lane = 0; lane < 32; ++lane) {
    const Pair p = pair_of(lane);
    const u32 v = reg<u32>(w, op.a)[lane];
    m[p.row][p.column] = static_cast<u16>(v);
    m[p.row][p.column + 1] = static_cast<u16>(v >> 16);
  }
  for (int lane = 0; lane < 32; ++lane) {
    const Pair p = pair_of(lane);
    reg<u32>(w, op.dst)[lane] = static_cast<u32>(m[p.column + 1][p.row]) << 16 | m[p.column][p.row];
  }
}

namespace {

struct Fragment {
  Warp& w;
  const Op& op;
  const MatrixAccessExtra& x;
  u64 base;
  s64 stride;

  u64 address(Place2 at) const {
    const s64 element = x.column_major ? at.column * stride + at.row : at.row * stride + at.column;
    return base + static_cast<u64>(element * static_cast<s64>(bits_of(x.type)) / 8);
  }
  /// Adds the element of `lane` to `word` at bit `shift`, or stores it from there.
  void move(int lane, Place2 at, u64& word, unsigned shift) const {
    const unsigned width = bits_of(x.type), bytes = std::max(1u, width / 8);
    u64 addresses[32] = {};
    u8* host[32] = {};
    addresses[lane] = address(at);
    touch(w, op, x.memory, 1u << lane, addresses, host, bytes, x.is_store ? AccessKind::store : AccessKind::load);
    const u64 mask = width == 64 ? ~u64{0} : (u64{1} << width) - 1;
    if (x.is_store) {
      const u64 v = word >> shift & mask;
      std::memcpy(host[lane], &v, bytes);
      return;
    }
    u64 v = 0;
    std::memcpy(&v, host[lane], bytes);
    if (width < 8) {
      const s64 element = x.column_major ? at.column * stride + at.row : at.row * stride + at.column;
      v >>= static_cast<u64>(element) * width & 7;
    }
    word |= (v & mask) << shift;
  }
};

}  // namespace

void run_fragment_move(Warp& w, const Op& op, u32) {
  const auto& x = static_cast<const MatrixAccessExtra&>(*op.extra);
  u64 address[32];
  addresses_of(w, x.memory, address);
  const s64 stride =
      x.stride == no_register ? x.default_stride : static_cast<s32>(reg<u32>(w, static_cast<u32>(x.stride))[0]);
  const Fragment f{w, op, x, address[0], stride};
  const int width = static_cast<int>(bits_of(x.type));
  const int per_register = width == 64 ? 1 : 32 / width;
  // An accumulator of 16-bit elements packs two in a register; the others have one each.
  const bool accumulator = x.fragment == 'c';
  const int rows = x.fragment == 'b' ? x.k : x.m, columns = x.fragment == 'a' ? x.k : x.n;
  const int distinct = fragment_registers(rows, columns, width);
  for (int lane = 0; lane < 32; ++lane) {
    for (std::size_t r = 0; r < x.registers.size(); ++r) {
      u64 word = 0;
      if (x.is_store) word = read_lane(w, x.registers[r], width == 64 ? 8 : 4, lane);
      for (int e = 0; e < per_register; ++e) {
        const int at = static_cast<int>(r) % distinct;
        const Place2 place = accumulator         ? place_in_c(x.m, lane, static_cast<int>(r) * per_register + e)
                             : x.fragment == 'a' ? place_in_a(x.m, x.k, width, lane, at, e)
                                                 : place_in_b(x.k, width, lane, at, e);
        f.move(lane, place, word, static_cast<unsigned>(e * width));
      }
      if (!x.is_store) write_lane(w, x.registers[r], width == 64 ? 8 : 4, lane, word);
    }
  }
}

}  // namespace ridge::ptx
