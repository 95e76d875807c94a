// Attention of a library's products on the CPU: q·kᵀ, a softmax in place, scores times values, all of oneDNN's and on
// its threads. What a framework without a fused kernel calls.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/fusion/attention_case.hpp"
#include "kernels/gemm_library/library_stream.hpp"

namespace ridge::bench::fusion {
namespace {

namespace ra = ridge::attention;

class LibraryAttention final : public AttentionCase {
 public:
  LibraryAttention(CpuContext& context, const record::Point& point)
      : AttentionCase(context, point), work_(attention_work(point)) {
    float* const scores = borrow(context, ra::pairs(shape_));
    team_.parallel([&](int rank) {  // first touched by many
      const auto [begin, end] = device::cpu::share(ra::pairs(shape_), rank, team_.size(), 1024);
      std::fill(scores + begin, scores + end, NAN);
    });
    library_ = ridge::gemm::open_onednn_attention({shape_.heads, shape_.sequence, shape_.head},
                                                  {out_, q_, k_, v_, scores}, team_.size());
    stream_.emplace(team_, *library_);
    const auto by = library_->implementation();
    work_.counting += fmt::format("; by {}, kernels {}", by.at("library"), by.at("kernel"));
  }

  void run(std::int64_t repetitions) override {
    stream_->used(repetitions);
    for (std::int64_t i = 0; i < repetitions; ++i) library_->multiply();
  }

  device::Stream& stream() override { return *stream_; }
  [[nodiscard]] std::optional<record::Work> work() const override { return work_; }

 private:
  record::Work work_;
  std::unique_ptr<ridge::gemm::Library> library_;
  std::optional<ridge::gemm::LibraryStream> stream_;
};

}  // namespace

std::unique_ptr<Case> prepare_library_attention(CpuContext& context, const record::Point& point) {
  return std::make_unique<LibraryAttention>(context, point);
}

}  // namespace ridge::bench::fusion
