// Launches a side's kernels, states what they do, and checks what they leave.
#include "bench/fusion/cuda_case.hpp"

#include <algorithm>

#include "kernels/fused/fused_image.hpp"

namespace ridge::bench::fusion {
namespace {

namespace rf = ridge::fused;
using rf::Pair;

constexpr unsigned threads = rf::row_threads;
static_assert(rf::most_row == most_columns);

// Elements that are made on the host, or brought to it, at once.
constexpr std::int64_t piece = std::int64_t{1} << 20;

}  // namespace

StepLaunch::StepLaunch(CudaContext& context, const device::cuda::Image& image, const rf::CudaStep& what,
                       std::int64_t rows)
    : step(what),
      function(context.device.function(image, what.kernel)),
      shape{context.device.grid(function, threads, rows), threads, 0} {}

CudaCase::CudaCase(CudaContext& context, const Facts& facts, bool is_fused, const Shape& shape,
                   const device::cuda::Image& image)
    : facts_(facts),
      fused_(is_fused),
      shape_(shape),
      stream_(context.device.stream()),
      data_{facts.pair, context.seed, shape.columns, shape.ops, shape.dropout},
      zero_(context.fill == Fill::zero),
      chain_(context.device.function(image, rf::cuda_chain)) {
  for (const rf::CudaStep& step : rf::cuda_steps(facts.pair, is_fused))
    launches_.emplace_back(context, image, step, shape.rows);
  const std::int64_t pieces = elements() / 4 / rf::row_threads + 1;
  chain_shape_ = {context.device.grid(chain_, threads, pieces), threads, 0};
  o_.columns = shape.columns;
  o_.ops = shape.ops;
  o_.dropout = data_.dropout();
  device::Arena& arena = context.arena;
  o_.x = arena.borrow(elements() * 4 + guard_bytes).as<float>();
  if (facts.has_residual) o_.residual = residual_ = arena.borrow(elements() * 4).as<float>();
  o_.bias = bias_ = arena.borrow(shape.columns * 4).as<float>();
  beta_ = arena.borrow(shape.columns * 4).as<float>();
  if (facts.pair == Pair::layernorm) o_.beta = beta_;
  o_.stats = arena.borrow(shape.rows * 8).as<float>();
  o_.loss = arena.borrow(shape.rows * 4).as<float>();
  o_.labels = labels_ = arena.borrow(shape.rows * 4).as<std::int32_t>();
  fill(zero_);
}

void CudaCase::run(std::int64_t repetitions) {
  for (std::int64_t i = 0; i < repetitions; ++i) {
    for (const StepLaunch& each : launches_) each.function(stream_, each.shape, o_, shape_.rows);
    if (facts_.pair != Pair::chain) continue;
    if (fused_) chain_(stream_, chain_shape_, o_.x, elements(), 1, shape_.ops);
    for (int pass = 1; !fused_ && pass <= shape_.ops; ++pass) chain_(stream_, chain_shape_, o_.x, elements(), pass, 1);
  }
}

std::optional<record::Work> CudaCase::work() const {
  const std::int64_t passes = facts_.pair == Pair::chain && !fused_ ? shape_.ops : 1;
  record::Work work;
  work.items = elements();
  work.bytes_read = 4 * elements() * passes * (fused_ ? facts_.fused_read : facts_.unfused_read);
  work.bytes_written = 4 * elements() * passes * (fused_ ? facts_.fused_written : facts_.unfused_written);
  std::int64_t each = facts_.pair == Pair::chain ? facts_.operations * shape_.ops : 0;
  for (const StepLaunch& launch : launches_) each += launch.step.element_operations + launch.step.place_operations;
  work.operations = elements() * each;
  work.counting =
      "each array read and written once in each launch; additions, multiplications and divisions of each element, an "
      "exponential being the multiplication before it, and none of those that random numbers are drawn by";
  return work;
}

std::vector<Besides> CudaCase::besides_work() const {
  Besides vectors{"what is as long as a row, once for each block of a launch", 0, 0, 0};
  Besides sums{"sums over a block", 0, 0, 0};
  Besides of_rows{"a row's maximum, sum or loss, and what each thread makes of it", 0, 0, 0};
  Besides beyond{"places beyond a row's last column", 0, 0, 0};
  const std::int64_t rows = shape_.rows;
  for (const StepLaunch& launch : launches_) {
    const rf::CudaStep& step = launch.step;
    vectors.bytes_read += std::int64_t{launch.shape.blocks} * step.vectors * shape_.columns * 4;
    sums.operations += rows * (rf::additions_in_joins(step.sums_for_all, rf::row_threads) +
                               rf::additions_in_joins(step.sums_for_one, 1));
    of_rows.operations += rows * (step.row_operations + std::int64_t{rf::row_threads} * step.thread_operations);
    of_rows.bytes_read += rows * 4 * (step.words_read + std::int64_t{rf::row_threads} * step.stats_read);
    of_rows.bytes_written += rows * 4 * step.words_written;
    beyond.operations += rows * (rf::most_row - shape_.columns) * step.place_operations;
  }
  std::vector<Besides> all;
  for (const Besides& each : {vectors, sums, of_rows, beyond})
    if (each.bytes_read + each.bytes_written + each.operations > 0) all.push_back(each);
  return all;
}

void CudaCase::upload(float* dst, int which, std::int64_t count, bool zero) {
  std::vector<float> host(static_cast<std::size_t>(std::min(count, piece)));
  for (std::int64_t begin = 0; begin < count; begin += piece) {
    const std::int64_t end = std::min(count, begin + piece);
    for (std::int64_t i = begin; i < end; ++i)
      host[static_cast<std::size_t>(i - begin)] = zero ? 0 : which == 0 ? data_.element(i) : data_.number(which, i);
    stream_.copy_to_device(dst + begin, host.data(), (end - begin) * 4);
    stream_.synchronize();
  }
}

void CudaCase::fill(bool zero) {
  upload(o_.x, 0, elements(), zero);
  if (residual_ != nullptr) upload(residual_, 1, elements(), zero);
  upload(bias_, 2, shape_.columns, zero);
  upload(beta_, 3, shape_.columns, zero);
  std::vector<std::int32_t> labels;
  for (std::int64_t row = 0; row < shape_.rows; ++row) labels.push_back(data_.label(row));
  stream_.copy_to_device(labels_, labels.data(), shape_.rows * 4);
  stream_.fill(o_.x + elements(), stream::poison_byte, guard_bytes);
  stream_.fill(o_.stats, stream::poison_byte, shape_.rows * 8);
  stream_.fill(o_.loss, stream::poison_byte, shape_.rows * 4);
  stream_.synchronize();
}

record::Verification CudaCase::verify() {
  fill(false);
  run(1);
  const stream::Check all = check();
  unsigned char guard[guard_bytes];
  stream_.copy_to_host(guard, o_.x + elements(), guard_bytes);
  stream_.synchronize();
  fill(zero_);
  return verdict(all, stream::untouched(guard, guard_bytes));
}

stream::Check CudaCase::check() {
  const bool losses = facts_.pair == Pair::cross_entropy;
  const std::int64_t width = losses ? 1 : shape_.columns;  // of a row's results
  const std::int64_t at_once = std::max<std::int64_t>(1, piece / std::max<std::int64_t>(1, width));
  std::vector<float> have;
  stream::Check all;
  for (std::int64_t begin = 0; begin < shape_.rows; begin += at_once) {
    const std::int64_t end = std::min(shape_.rows, begin + at_once);
    have.resize(static_cast<std::size_t>((end - begin) * width));
    stream_.copy_to_host(have.data(), (losses ? o_.loss : o_.x) + begin * width, (end - begin) * width * 4);
    stream_.synchronize();
    for (std::int64_t row = begin; row < end; ++row) data_.check_row(all, row, have.data() + (row - begin) * width);
  }
  return all;
}

std::unique_ptr<Case> prepare_cuda(const Facts& facts, CudaContext& context, const record::Point& point) {
  return std::make_unique<CudaCase>(
      context, facts_at(facts, point), is_fused(point),
      CudaCase::Shape{rows_of(point), columns_of(point), ops_of(point), dropout_of(point)}, rf::fused_image);
}

}  // namespace ridge::bench::fusion
