// Attention forward, materialised and tiled: out = softmax(q·kᵀ / √head) · v for each of several heads.
//
// q, k, v, out (heads, sequence, head) of f32. Causal: a query sees the keys up to its own place, otherwise all.
//
//   materialised   scores = q·kᵀ/√head to memory; softmax of each row in place; out = scores · v    w, rw, r of (n, n)
//   tiled          for a block of queries, keys block after block: scores in the nearest caches, a running maximum and
//                  sum, and what was added up so far rescaled when the maximum grows; nothing of (n, n) in memory
//
// Tiled is T. Dao et al., "FlashAttention: fast and memory-efficient exact attention with IO-awareness", NeurIPS 2022,
// with the running softmax of M. Milakov and N. Gimelshein, "Online normalizer calculation for softmax", 2018.
// Both forms multiply by the same tiles of registers and take the same exponentials: they differ in where scores live.
// A block of queries of a causal form goes up to its last query's key and no further, in both.
#pragma once

#include <cstdint>

namespace ridge::attention {

struct Shape {
  std::int64_t heads = 0;
  std::int64_t sequence = 0;
  std::int64_t head = 0;  // elements of one query, key or value: a multiple of head_unit, at most most_head
  bool causal = false;
};

inline constexpr std::int64_t head_unit = 32;  // a multiple of what two vectors of any instruction set hold
inline constexpr std::int64_t most_head = 128;
inline constexpr std::int64_t query_block = 48;  // eight tiles of six rows
inline constexpr std::int64_t key_block = 128;

constexpr std::int64_t blocks_of(std::int64_t count, std::int64_t block) {
  return (count + block - 1) / block;
}
constexpr std::int64_t query_blocks(const Shape& shape) {
  return blocks_of(shape.sequence, query_block);
}
constexpr std::int64_t key_blocks(const Shape& shape) {
  return blocks_of(shape.sequence, key_block);
}
// Keys that any query of a block sees.
constexpr std::int64_t keys_seen(const Shape& shape, std::int64_t block) {
  const std::int64_t end = (block + 1) * query_block;
  return shape.causal && end < shape.sequence ? end : shape.sequence;
}
// Pairs of a query and a key that are computed, of all heads; and those that count.
std::int64_t computed_pairs(const Shape& shape);
constexpr std::int64_t pairs(const Shape& shape) {
  const std::int64_t n = shape.sequence;
  return shape.heads * (shape.causal ? n * (n + 1) / 2 : n * n);
}

// Elements of what an implementation needs besides q, k, v and out.
constexpr std::int64_t packed_elements(const Shape& shape) {  // of keys, and of values
  return shape.heads * key_blocks(shape) * key_block * shape.head;
}
constexpr std::int64_t score_columns(const Shape& shape) {
  return blocks_of(shape.sequence, head_unit) * head_unit;
}
constexpr std::int64_t score_elements(const Shape& shape) {  // materialised only
  return shape.heads * blocks_of(shape.sequence, query_block) * query_block * score_columns(shape);
}
constexpr std::int64_t workspace_elements(const Shape& shape) {  // of each thread
  return query_block * (2 * shape.head + key_block + 2);
}

// On a GPU: rows and columns of a tile of scores, and queries that a block of the tiled form keeps: what fits in 48 KiB
// of shared memory beside its keys and weights.
inline constexpr std::int64_t square = 64;
template <int head>
inline constexpr int tile_of = head == 64 ? 64 : 32;
constexpr std::int64_t tiled_rows(std::int64_t head) {
  return head == 64 ? tile_of<64> : tile_of<128>;
}
// Bytes that the GPU kernels move where each query sees every key and tiles are whole. With M = tiled_rows · head words
// kept of queries these are the paper's Θ(n·head + n²) and Θ(n²·head²/M).
constexpr std::int64_t materialised_bytes(const Shape& s) {
  return 4 * s.heads *
         (4 * s.sequence * s.sequence + 3 * s.sequence * s.sequence / square * s.head + s.sequence * s.head);
}
constexpr std::int64_t tiled_bytes(const Shape& s) {
  return 4 * s.heads * (2 * s.sequence * s.sequence / tiled_rows(s.head) * s.head + 2 * s.sequence * s.head);
}

struct Operands {
  float* out = nullptr;      // (heads, sequence, head)
  const float* q = nullptr;  // the same
  const float* k = nullptr;
  const float* v = nullptr;
  float* keys = nullptr;    // packed_elements: k, a column of a block's keys contiguous
  float* values = nullptr;  // packed_elements
  float* scores = nullptr;  // score_elements; materialised only
};

// One head's block of queries, with a thread's own workspace, aligned to 64 bytes.
using OnQueries = void (*)(const Shape& shape, const Operands& operands, float* workspace, std::int64_t head,
                           std::int64_t block);

struct Kernels {
  // One head's block of keys and values into their packed places, before anything else.
  void (*pack)(const Shape& shape, const Operands& operands, std::int64_t head, std::int64_t block) = nullptr;
  OnQueries tiled = nullptr;
  // Materialised, in this order. A library's product of a whole head can take the place of the first and the last.
  OnQueries scores = nullptr;
  OnQueries softmax = nullptr;
  OnQueries values = nullptr;
};
// For this processor.
Kernels cpu_kernels();

}  // namespace ridge::attention
