// The blocked product, once for each instruction set: to be included inside the namespace of a set, behind
// kernels/gemm/blocks.hpp and Highway, whose operations are `hn` there. Several times, so there is no guard.
//
// A tile of six rows by two vectors in twelve accumulators, which is what sixteen registers hold beside two vectors of
// B and one element of A. What differs from type to type is its Way:
//   products                                          terms of a sum that a packed element holds
//   pack_a(p, row, rows, l, terms, out)               rows of A in slivers of six, each packed column contiguous
//   pack_b(p, l, terms, column, columns, out)         columns of B in slivers of two vectors, each packed row
//   contiguous add(x, b, sums)                                   sums + the products of x and b, packed elements
// What lies beyond the last row, column or term is packed as zeroes.

// c (6, 2 vectors) = or += a (6, depth) · b (depth, 2 vectors), both packed.
template <class Way, class D, class T = hn::TFromD<D>>
HWY_INLINE void tile(D d, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, std::int64_t depth_now, T* HWY_RESTRICT c,
                     std::int64_t stride, bool add) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto c00 = hn::Zero(d), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00;
  auto c30 = c00, c31 = c00, c40 = c00, c41 = c00, c50 = c00, c51 = c00;
  // The rows of C are far apart, so nothing else fetches them: without this, a tenth of the time is spent waiting.
  for (std::int64_t r = 0; r < tile_rows; ++r) hwy::Prefetch(c + r * stride);
  for (std::int64_t l = 0; l < depth_now; ++l, a += tile_rows, b += 2 * lanes) {
    const auto b0 = hn::LoadU(d, b);
    const auto b1 = hn::LoadU(d, b + lanes);
    auto x = hn::Set(d, a[0]);
    c00 = Way::add(x, b0, c00), c01 = Way::add(x, b1, c01);
    x = hn::Set(d, a[1]);
    c10 = Way::add(x, b0, c10), c11 = Way::add(x, b1, c11);
    x = hn::Set(d, a[2]);
    c20 = Way::add(x, b0, c20), c21 = Way::add(x, b1, c21);
    x = hn::Set(d, a[3]);
    c30 = Way::add(x, b0, c30), c31 = Way::add(x, b1, c31);
    x = hn::Set(d, a[4]);
    c40 = Way::add(x, b0, c40), c41 = Way::add(x, b1, c41);
    x = hn::Set(d, a[5]);
    c50 = Way::add(x, b0, c50), c51 = Way::add(x, b1, c51);
  }
  const auto row = [&](std::int64_t r, hn::Vec<D> left, hn::Vec<D> right) {
    T* const at = c + r * stride;
    hn::StoreU(add ? hn::Add(hn::LoadU(d, at), left) : left, d, at);
    hn::StoreU(add ? hn::Add(hn::LoadU(d, at + lanes), right) : right, d, at + lanes);
  };
  row(0, c00, c01), row(1, c10, c11), row(2, c20, c21), row(3, c30, c31), row(4, c40, c41), row(5, c50, c51);
}

// A tile that does not fit in C: computed aside, and copied as far as C goes.
template <class Way, class D, class T = hn::TFromD<D>>
void edge_tile(D d, const T* a, const T* b, std::int64_t depth_now, T* c, std::int64_t stride, bool add,
               std::int64_t rows, std::int64_t columns) {
  const std::int64_t width = 2 * static_cast<std::int64_t>(hn::Lanes(d));
  HWY_ALIGN T aside[static_cast<std::size_t>(tile_rows) * 2 * HWY_MAX_BYTES / sizeof(T)];
  tile<Way>(d, a, b, depth_now, aside, width, false);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      c[i * stride + j] = aside[i * width + j] + (add ? c[i * stride + j] : T{0});
}

// Where in the loops a block of A meets a panel of B.
struct Block {
  std::int64_t row, rows, column, columns, depth_begin, depth_now;
};

template <class Way, class T, class In>
HWY_INLINE void multiply_block(const Product<T, In>& p, const T* packed_a, const T* packed_b, const Block& at) {
  const hn::ScalableTag<T> d;
  const std::int64_t width = 2 * static_cast<std::int64_t>(hn::Lanes(d));
  const bool add = at.depth_begin > 0;
  for (std::int64_t j = 0; j < at.columns; j += width)
    for (std::int64_t i = 0; i < at.rows; i += tile_rows) {
      const T* const a = packed_a + i * at.depth_now;
      const T* const b = packed_b + j * at.depth_now;
      T* const c = p.c + (at.row + i) * p.n + at.column + j;
      const std::int64_t rows = std::min(tile_rows, at.rows - i);
      const std::int64_t columns = std::min(width, at.columns - j);
      if (rows == tile_rows && columns == width) {
        tile<Way>(d, a, b, at.depth_now, c, p.n, add);
      } else {
        edge_tile<Way>(d, a, b, at.depth_now, c, p.n, add, rows, columns);
      }
    }
}

template <class Way, class T, class In>
void blocked(const Product<T, In>& product, T* workspace, std::int64_t begin, std::int64_t end) {
  const Product<T, In> p = product;
  constexpr std::int64_t most_terms = depth<T> * Way::products;
  T* const packed_a = workspace;
  T* const packed_b = workspace + block_rows * depth<T>;
  for (std::int64_t column = begin; column < end; column += panel_columns)
    for (std::int64_t l = 0; l < p.k; l += most_terms) {
      const std::int64_t terms = std::min(most_terms, p.k - l);
      Block at{0, 0, column, std::min(panel_columns, end - column), l, (terms + Way::products - 1) / Way::products};
      Way::pack_b(p, l, terms, column, at.columns, packed_b);
      for (at.row = 0; at.row < p.m; at.row += block_rows) {
        at.rows = std::min(block_rows, p.m - at.row);
        Way::pack_a(p, at.row, at.rows, l, terms, packed_a);
        multiply_block<Way>(p, packed_a, packed_b, at);
      }
    }
}
