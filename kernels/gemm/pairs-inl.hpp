// How bf16 is packed for dot products of pairs, once for each instruction set: included as blocked-inl.hpp is.

// Two neighbours along k in the 32 bits of a packed element, the first in the low half; where k is odd, the last one's
// neighbour is zero.
struct Pairs {
  static constexpr std::int64_t products = 2;

  // (count, terms) elements, `down` apart from row to row and `along` apart along k, in slivers of `width` rows.
  static void pack(const std::uint16_t* HWY_RESTRICT from, std::int64_t down, std::int64_t along, std::int64_t count,
                   std::int64_t terms, std::int64_t width, float* HWY_RESTRICT out) {
    for (std::int64_t i = 0; i < count; i += width)
      for (std::int64_t l = 0; l < terms; l += 2)
        for (std::int64_t s = i; s < i + width; ++s) {
          std::uint32_t both = 0;
          if (s < count) both = from[s * down + l * along];
          if (s < count && l + 1 < terms) both |= std::uint32_t{from[s * down + (l + 1) * along]} << 16;
          *out++ = std::bit_cast<float>(both);
        }
  }

  static void pack_a(const Product<float, std::uint16_t>& p, std::int64_t row, std::int64_t rows, std::int64_t l,
                     std::int64_t terms, float* out) {
    const std::int64_t stride = p.stride_of_a();
    pack(p.a_at(row, l), p.a_transposed ? 1 : stride, p.a_transposed ? stride : 1, rows, terms, tile_rows, out);
  }

  static void pack_b(const Product<float, std::uint16_t>& p, std::int64_t l, std::int64_t terms, std::int64_t column,
                     std::int64_t columns, float* out) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const std::int64_t sliver = 2 * lanes;
    const std::uint16_t* const from = p.b_at(l, column);
    if (p.b_transposed) return pack(from, p.k, 1, columns, terms, sliver, out);
    const hn::RebindToUnsigned<decltype(d)> bits;
    const hn::Rebind<std::uint16_t, decltype(d)> half;
    std::int64_t j = 0;
    for (; j + sliver <= columns; j += sliver)
      for (std::int64_t row = 0; row < terms; row += 2)
        for (std::int64_t at = j; at < j + sliver; at += lanes, out += lanes) {
          const std::uint16_t* const first = from + row * p.n + at;
          auto both = hn::PromoteTo(bits, hn::LoadU(half, first));
          if (row + 1 < terms)
            both = hn::Or(both, hn::ShiftLeft<16>(hn::PromoteTo(bits, hn::LoadU(half, first + p.n))));
          hn::StoreU(hn::BitCast(d, both), d, out);
        }
    pack(from + j, 1, p.n, columns - j, terms, sliver, out);
  }
};
