// Launches attention's kernels, states what they do tile by tile, and checks what they leave.
#include "bench/fusion/cuda_attention.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/fusion/data.hpp"
#include "bench/fusion/points.hpp"
#include "kernels/attention/attention_image.hpp"
#include "kernels/fused/fused_kernels.hpp"

namespace ridge::bench::fusion {
namespace {

namespace ra = ridge::attention;
using ra::Inputs;
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
    : shape_(shape),
      fused_(is_fused),
      stream_(context.device.stream()),
      seed_(context.seed),
      zero_(context.fill == Fill::zero),
      array_(shape.heads * shape.sequence * shape.head) {
  if (!is_fused && shape.sequence > ra::most_softmax)
    throw device::Absent(
        fmt::format("the softmax kernel holds a row of at most {} scores, not {}", ra::most_softmax, shape.sequence));
  const bool narrow = shape.head == 64;
  if (is_fused) {
    tiled_ = context.device.function(image, narrow ? ra::cuda_tiled_64 : ra::cuda_tiled_128);
  } else {
    scores_ = context.device.function(image, narrow ? ra::cuda_scores_64 : ra::cuda_scores_128);
    softmax_ = context.device.function(image, ra::cuda_softmax);
    values_ = context.device.function(image, narrow ? ra::cuda_values_64 : ra::cuda_values_128);
  }
  const auto borrow = [&](std::int64_t elements, std::int64_t behind = 0) {
    borrowed_ += elements * bytes + behind;
    return context.arena.borrow(elements * bytes + behind).as<float>();
  };
  out_ = borrow(array_, guard_bytes);
  q_ = borrow(array_);
  k_ = borrow(array_);
  v_ = borrow(array_);
  if (!is_fused) scores_at_ = borrow(shape.heads * shape.sequence * shape.sequence);
  fill(Inputs::random, zero_);
}

void CudaAttention::run(std::int64_t repetitions) {
  const auto shape_for = [&](std::int64_t blocks) {
    return device::cuda::Shape{static_cast<unsigned>(blocks), static_cast<unsigned>(ra::cuda_threads), 0};
  };
  const std::int64_t n = shape_.sequence, squares = tiles(shape_, ra::square);
  const int causal = shape_.causal ? 1 : 0;
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
  const std::int64_t squares = shape_.heads * sums.squares, all_rows = shape_.heads * n;
  return {
      {"queries and keys again for each tile of scores",
       bytes * head * shape_.heads * (keys_of_squares + queries_of_squares - 2 * n), 0, 0},
      {"values again for each tile of queries", bytes * head * shape_.heads * (sums.keys - n), 0, 0},
      {"places of tiles beyond the last query or key", 0, 0,
       2 * head *
           (squares * ra::square * ra::square + steps * ra::square * ra::depth_step - 2 * shape_.heads * sums.scores)},
      {"1/√head", 0, 0, shape_.heads * sums.scores},
      {"softmax: subtraction, factor and sum of each place of a row", 0, 0, 3 * all_rows * ra::most_softmax},
      {"softmax: division of each score stored", 0, 0, shape_.heads * sums.scores},
      {"softmax: sums over a block", 0, 0, all_rows * ridge::fused::additions_in_joins(1, ra::cuda_threads)}};
}

void CudaAttention::fill(Inputs inputs, bool zero) {
  const ra::Numbers numbers{seed_, inputs};
  constexpr std::int64_t piece = std::int64_t{1} << 20;
  std::vector<float> host(static_cast<std::size_t>(std::min(array_, piece)));
  float* const into[] = {q_, k_, v_};
  for (int which = 0; which < 3; ++which)
    for (std::int64_t begin = 0; begin < array_; begin += piece) {
      const std::int64_t end = std::min(array_, begin + piece);
      for (std::int64_t i = begin; i < end; ++i)
        host[static_cast<std::size_t>(i - begin)] = zero ? 0 : numbers.at(which, i);
      stream_.copy_to_device(into[which] + begin, host.data(), (end - begin) * bytes);
      stream_.synchronize();
    }
  stream_.fill(out_, stream::poison_byte, array_ * bytes + guard_bytes);
  if (!fused_) stream_.fill(scores_at_, stream::poison_byte, shape_.heads * shape_.sequence * shape_.sequence * bytes);
  stream_.synchronize();
}

record::Verification CudaAttention::verify() {
  stream::Check all;
  bool guarded = true;
  for (const Inputs inputs : {Inputs::even, Inputs::random}) {
    fill(inputs, false);
    run(1);
    all.add(check(inputs));
    unsigned char guard[guard_bytes];
    stream_.copy_to_host(guard, out_ + array_, guard_bytes);
    stream_.synchronize();
    guarded = guarded && stream::untouched(guard, guard_bytes);
  }
  fill(Inputs::random, zero_);
  return verdict(all, guarded);
}

stream::Check CudaAttention::check(Inputs inputs) {
  stream::Check found;
  const std::int64_t of_head = shape_.sequence * shape_.head;
  std::vector<float> have(static_cast<std::size_t>(of_head));
  for (std::int64_t head = 0; head < shape_.heads; ++head) {
    stream_.copy_to_host(have.data(), out_ + head * of_head, of_head * bytes);
    stream_.synchronize();
    const ra::Oracle oracle(shape_, {seed_, inputs}, head);
    for (std::int64_t i = 0; i < shape_.sequence; ++i)
      check_query(found, oracle, shape_, head, i, have.data() + i * shape_.head);
  }
  return found;
}

std::unique_ptr<Case> prepare_cuda_attention(CudaContext& context, const record::Point& point) {
  constexpr std::int64_t most = 1 << 20;
  if (by_library(point)) throw device::Absent("attention by a library's products is here for CPUs only");
  const std::int64_t scores = ra::pairs(attention_shape(point));
  if (context.device.name().kind == device::Kind::ptx && scores > most)
    throw device::Absent(
        fmt::format("the reference machine would take minutes for {} scores: at most {} there", scores, most));
  return std::make_unique<CudaAttention>(context, attention_shape(point), is_fused(point), ra::attention_image);
}

}  // namespace ridge::bench::fusion
