// Launches attention's kernels and states what they do, tile by tile.
#include "bench/fusion/cuda_attention.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/fusion/points.hpp"
#include "kernels/attention/attention_image.hpp"
#include "kernels/fused/fused_kernels.hpp"

namespace ridge::bench::fusion {
namespace {

namespace ra = ridge::attention;
using ra::Shape;

constexpr std::int64_t bytes = 4;

std::int64_t tiles(const Shape& shape, std::int64_t rows) {
  return ra::blocks_of(shape.sequence, rows);
}
// Keys that a tile of queries goes up to.
std::int64_t end_of(const Shape& shape, std::int64_t tile, std::int64_t rows) {
  const std::int64_t end = (tile + 1) * rows;
  return shape.causal && end < shape.sequence ? end : shape.sequence;
}
std::int64_t valid(const Shape& shape, std::int64_t tile, std::int64_t rows) {
  return std::min(rows, shape.sequence - tile * rows);
}

// Sums over one head's tiles of `rows` queries.
struct Sums {
  std::int64_t scores = 0;       // of queries and keys that there are
  std::int64_t scores_seen = 0;  // that count
  std::int64_t key_tiles = 0;    // steps of depth_step keys
  std::int64_t keys = 0;         // read, tile by tile
  std::int64_t squares = 0;      // tiles of `square` keys
};
Sums sums_of(const Shape& shape, std::int64_t rows) {
  Sums sums;
  for (std::int64_t tile = 0; tile < tiles(shape, rows); ++tile) {
    const std::int64_t end = end_of(shape, tile, rows);
    sums.scores += valid(shape, tile, rows) * end;
    sums.key_tiles += ra::blocks_of(end, ra::depth_step);
    sums.squares += ra::blocks_of(end, ra::square);
    sums.keys += end;
  }
  const std::int64_t n = shape.sequence;
  sums.scores_seen = shape.causal ? n * (n + 1) / 2 : n * n;
  return sums;
}

}  // namespace

CudaAttention::CudaAttention(CudaContext& context, const Shape& shape, bool is_fused, const device::cuda::Image& image)
    : CudaAttentionCase(context, shape, !is_fused), fused_(is_fused) {
  const bool narrow = shape.head == 64;
  if (is_fused) {
    tiled_ = context.device.function(image, narrow ? ra::cuda_tiled_64 : ra::cuda_tiled_128);
  } else {
    scores_ = context.device.function(image, narrow ? ra::cuda_scores_64 : ra::cuda_scores_128);
    softmax_ = context.device.function(image, ra::cuda_softmax);
    values_ = context.device.function(image, narrow ? ra::cuda_values_64 : ra::cuda_values_128);
  }
}

void CudaAttention::run(std::int64_t repetitions) {
  const auto shape_for = [&](std::int64_t blocks) {
    return device::cuda::Shape{static_cast<unsigned>(blocks), static_cast<unsigned>(ra::cuda_threads), 0};
  };
  const std::int64_t n = shape_.sequence, squares = tiles(shape_, ra::square);
  const int causal = shape_.causal ? ra::zeros_in_tile : 0;
  for (std::int64_t i = 0; i < repetitions; ++i) {
    if (fused_) {
      (*tiled_)(stream_, shape_for(shape_.heads * tiles(shape_, ra::tiled_rows(shape_.head))), q_, k_, v_, out_, n,
                causal);
      continue;
    }
    (*scores_)(stream_, shape_for(shape_.heads * squares * squares), q_, k_, scores_at_, n, causal);
    (*softmax_)(stream_, shape_for(shape_.heads * n), scores_at_, n, shape_.heads * n, causal);
    (*values_)(stream_, shape_for(shape_.heads * squares), scores_at_, v_, out_, n, causal);
  }
}

std::optional<record::Work> CudaAttention::work() const {
  const Sums sums = sums_of(shape_, fused_ ? ra::tiled_rows(shape_.head) : ra::square);
  const std::int64_t scores = fused_ ? 0 : shape_.heads * sums.scores;
  record::Work work;
  work.items = shape_.heads * sums.scores;
  work.bytes_read = bytes * (3 * array_ + (fused_ ? 0 : shape_.heads * sums.scores_seen + scores));
  work.bytes_written = bytes * (array_ + 2 * scores);
  work.operations = shape_.heads * sums.scores * 4 * shape_.head;
  work.counting =
      "q, k, v read once and out written once; scores written, read where they are seen, written and read again; two "
      "multiply-adds for each score and element of a head, in tiles up to a causal diagonal";
  return work;
}

std::vector<Besides> CudaAttention::besides_work() const {
  const std::int64_t rows = fused_ ? ra::tiled_rows(shape_.head) : ra::square, head = shape_.head;
  const Sums sums = sums_of(shape_, rows);
  const std::int64_t n = shape_.sequence, steps = shape_.heads * sums.key_tiles;
  if (fused_) {
    const std::int64_t tile_scores = rows * ra::depth_step;
    constexpr std::int64_t side = 16;
    return {{"keys and values again for each tile of queries",
             2 * bytes * head * (shape_.heads * sums.keys - shape_.heads * n), 0, 0},
            {"places of tiles beyond the last query or key", 0, 0,
             4 * head * (steps * tile_scores - shape_.heads * sums.scores)},
            {"softmax: subtraction, factor and sum of each place", 0, 0, 3 * steps * tile_scores},
            {"softmax: a row's sum over 16 threads, what is kept of the sum before, its factor", 0, 0,
             steps * rows * side * (4 + 2 + 2)},
            {"what was added up so far, rescaled", 0, 0, steps * rows * head},
            {"1/√head and the division by the sum", 0, 0, 2 * array_}};
  }
  std::int64_t keys_of_squares = 0, queries_of_squares = 0;
  for (std::int64_t tile = 0; tile < tiles(shape_, rows); ++tile) {
    keys_of_squares += end_of(shape_, tile, rows);
    queries_of_squares += valid(shape_, tile, rows) * ra::blocks_of(end_of(shape_, tile, rows), ra::square);
  }
  const std::int64_t squares = shape_.heads * sums.squares;
  std::vector<Besides> all{
      {"queries and keys again for each tile of scores",
       bytes * head * shape_.heads * (keys_of_squares + queries_of_squares - 2 * n), 0, 0},
      {"values again for each tile of queries", bytes * head * shape_.heads * (sums.keys - n), 0, 0},
      {"places of tiles beyond the last query or key", 0, 0,
       2 * head *
           (squares * ra::square * ra::square + steps * ra::square * ra::depth_step - 2 * shape_.heads * sums.scores)},
      {"1/√head", 0, 0, shape_.heads * sums.scores}};
  for (Besides& each : softmax_besides(shape_, shape_.heads * sums.scores)) all.push_back(std::move(each));
  return all;
}

std::vector<Besides> softmax_besides(const Shape& shape, std::int64_t stored) {
  const std::int64_t rows = shape.heads * shape.sequence;
  return {{"softmax: subtraction, factor and sum of each place of a row", 0, 0, 3 * rows * ra::most_softmax},
          {"softmax: division of each score stored", 0, 0, stored},
          {"softmax: sums over a block", 0, 0, rows * ridge::fused::additions_in_joins(1, ra::cuda_threads)}};
}

std::unique_ptr<Case> prepare_cuda_attention(CudaContext& context, const record::Point& point) {
  constexpr std::int64_t most = 1 << 20;
  const Shape shape = attention_shape(point);
  const std::int64_t scores = ra::pairs(shape);
  if (context.device.name().kind == device::Kind::ptx && scores > most)
    throw device::Absent(
        fmt::format("the reference machine would take minutes for {} scores: at most {} there", scores, most));
  if (by_library(point)) return make_cuda_library_attention(context, shape, nullptr, ra::attention_image);
  return std::make_unique<CudaAttention>(context, shape, is_fused(point), ra::attention_image);
}

}  // namespace ridge::bench::fusion
