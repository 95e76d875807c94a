// Attention of a library's products on the CPU: q·kᵀ, a softmax in place, scores times values, by oneDNN and on its
// threads: what a framework without a fused kernel calls. Causal ones are products of panels of queries, each up to its
// last one's key, with our own softmax between them: the library's takes whole rows, of which half is not seen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "bench/fusion/attention_case.hpp"
#include "kernels/gemm_library/library_stream.hpp"

namespace ridge::bench::fusion {
namespace {

namespace ra = ridge::attention;
using ridge::gemm::Library;

class LibraryAttention : public AttentionCase {
 public:
  LibraryAttention(CpuContext& context, const record::Point& point)
      : LibraryAttention(context, point, ra::pairs(attention_shape(point))) {
    library_ = ridge::gemm::open_onednn_attention({shape_.heads, shape_.sequence, shape_.head},
                                                  {out_, q_, k_, v_, scores_}, team_.size());
    opened();
  }

  void run(std::int64_t repetitions) override {
    stream_->used(repetitions);
    for (std::int64_t i = 0; i < repetitions; ++i) library_->multiply();
  }

  device::Stream& stream() override { return *stream_; }
  [[nodiscard]] std::optional<record::Work> work() const override { return work_; }

 protected:
  // Whose library is still to be opened.
  LibraryAttention(CpuContext& context, const record::Point& point, std::int64_t score_elements)
      : AttentionCase(context, point), work_(attention_work(point)) {
    scores_ = borrow(context, score_elements);
    team_.parallel([&](int rank) {  // first touched by many
      const auto [begin, end] = device::cpu::share(score_elements, rank, team_.size(), 1024);
      std::fill(scores_ + begin, scores_ + end, NAN);
    });
  }
  void opened() {
    stream_.emplace(team_, *library_);
    const auto by = library_->implementation();
    work_.counting += fmt::format("; by {}, kernels {}", by.at("library"), by.at("kernel"));
  }

  record::Work work_;
  float* scores_ = nullptr;
  std::unique_ptr<Library> library_;  // all of it, or the first product
  std::optional<ridge::gemm::LibraryStream> stream_;
};

class CausalLibraryAttention final : public LibraryAttention {
 public:
  CausalLibraryAttention(CpuContext& context, const record::Point& point)
      : LibraryAttention(context, point, ra::score_elements(attention_shape(point))) {
    o_.scores = scores_;
    auto products = ridge::gemm::open_onednn_causal_products(
        {shape_.heads, shape_.sequence, shape_.head},
        {library_panel, ra::query_blocks(shape_) * ra::query_block, ra::score_columns(shape_)},
        {out_, q_, k_, v_, scores_}, team_.size());
    library_ = std::move(products.scores);
    values_ = std::move(products.values);
    opened();
    work_.counting += ", softmax by ours";
  }

  void run(std::int64_t repetitions) override {
    stream_->used(repetitions);
    for (std::int64_t i = 0; i < repetitions; ++i) {
      library_->multiply();
      team_.parallel([this](int rank) {
        each_block(rank, [this](std::int64_t head, std::int64_t block) { softmax(head, block); });
      });
      values_->multiply();
    }
  }

 private:
  // What lies between a block's last key and its panel's is multiplied with values as well, and must be 0.
  void softmax(std::int64_t head, std::int64_t block) const {
    kernels_.softmax(shape_, o_, nullptr, head, block);
    const std::int64_t first = block * ra::query_block, stride = ra::score_columns(shape_);
    const std::int64_t end = ra::keys_seen(shape_, block);
    const std::int64_t panel_end = std::min(shape_.sequence, (first / library_panel + 1) * library_panel);
    if (end == panel_end) return;
    const std::int64_t rows = std::min(ra::query_block, shape_.sequence - first);
    float* const scores = o_.scores + (head * ra::query_blocks(shape_) * ra::query_block + first) * stride;
    for (std::int64_t r = 0; r < rows; ++r)
      std::memset(scores + r * stride + end, 0, static_cast<std::size_t>(panel_end - end) * 4);
  }

  ra::Kernels kernels_ = ra::cpu_kernels();
  ra::Operands o_;
  std::unique_ptr<Library> values_;
};

}  // namespace

std::unique_ptr<Case> prepare_library_attention(CpuContext& context, const record::Point& point) {
  if (attention_shape(point).causal) return std::make_unique<CausalLibraryAttention>(context, point);
  return std::make_unique<LibraryAttention>(context, point);
}

}  // namespace ridge::bench::fusion
