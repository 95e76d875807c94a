// access.transpose: its work, what is predicted of it, and its case on the CPU.
#include "bench/access/transpose.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "bench/access/points.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/stream/check.hpp"
#include "kernels/transpose/transpose.hpp"

namespace ridge::bench::access {
namespace {

namespace rt = ridge::transpose;

rt::Variant variant_of(const record::Point& point) {
  return rt::variant_from(point.text("variant")).value_or(rt::Variant::naive);
}

class CpuTranspose final : public Case {
 public:
  CpuTranspose(CpuContext& context, const record::Point& point)
      : team_(context.device.team(static_cast<int>(point.integer("threads")))),
        variant_(variant_of(point)),
        n_(side_of(point)),
        wrong_(static_cast<std::size_t>(team_.size())) {
    out_ = context.arena.borrow(n_ * n_ * 4 + guard_bytes).as<std::uint32_t>();
    in_ = context.arena.borrow(n_ * n_ * 4).as<std::uint32_t>();
    const bool zero = context.fill == Fill::zero;
    team_.parallel([&](int rank) {
      const auto [begin, end] = mine(rank);
      for (std::int64_t i = begin * n_; i < end * n_; ++i) in_[i] = zero ? 0 : rt::element(i / n_, i % n_, n_);
    });
    zero_ = zero;
  }

  void run(std::int64_t repetitions) override {
    team_.parallel([this, repetitions](int rank) {
      const auto [begin, end] = mine(rank);
      for (std::int64_t i = 0; i < repetitions; ++i) rt::cpu_transpose(variant_, in_, out_, n_, begin, end);
    });
  }

  record::Verification verify() override {
    const auto fill = [this](bool zero) {
      for (std::int64_t i = 0; zero_ && i < n_ * n_; ++i) in_[i] = zero ? 0 : rt::element(i / n_, i % n_, n_);
    };
    fill(false);
    team_.parallel([this](int rank) {  // its pages lie beside the threads that write them
      const auto [begin, end] = mine(rank);
      std::memset(out_ + begin * n_, stream::poison_byte, static_cast<std::size_t>((end - begin) * n_ * 4));
    });
    std::memset(out_ + n_ * n_, stream::poison_byte, guard_bytes);
    run(1);
    team_.parallel([&](int rank) {
      const auto [begin, end] = mine(rank);
      std::int64_t wrong = 0;
      for (std::int64_t i = begin * n_; i < end * n_; ++i) wrong += out_[i] == rt::element(i % n_, i / n_, n_) ? 0 : 1;
      wrong_[static_cast<std::size_t>(rank)] = wrong;
    });
    std::int64_t wrong = 0;
    for (const std::int64_t each : wrong_) wrong += each;
    fill(true);
    record::Verification result;
    result.checked = n_ * n_;
    result.max_error = 0;
    result.bound = 0;
    const bool inside = stream::untouched(out_ + n_ * n_, guard_bytes);
    result.status = wrong == 0 && inside ? record::Check::passed : record::Check::failed;
    if (wrong > 0) result.reason = fmt::format("{} of {} elements wrong", wrong, n_ * n_);
    if (wrong == 0 && !inside) result.reason = "wrote behind the last element";
    return result;
  }

  device::Stream& stream() override { return team_; }

 private:
  // Rows of the result: whole tiles, so that no two threads write the same line.
  [[nodiscard]] device::cpu::Share mine(int rank) const { return device::cpu::share(n_, rank, team_.size(), rt::tile); }

  device::cpu::Team& team_;
  rt::Variant variant_;
  std::int64_t n_;
  bool zero_ = false;
  std::uint32_t* out_ = nullptr;  // (n, n), then guard_bytes
  std::uint32_t* in_ = nullptr;   // (n, n)
  std::vector<std::int64_t> wrong_;
};

}  // namespace

std::int64_t side_of(const record::Point& point) {
  const std::int64_t elements = point.integer("size") / 4;
  auto n = static_cast<std::int64_t>(std::sqrt(static_cast<double>(elements)));
  while (n * n > elements) --n;
  while ((n + 1) * (n + 1) <= elements) ++n;
  return n;
}

record::Work transpose_work(const record::Point& point) {
  const std::int64_t n = side_of(point);
  record::Work work;
  work.items = n * n;
  work.bytes_read = n * n * 4;
  work.bytes_written = n * n * 4;
  work.counting = "each element read once and written once";
  return work;
}

std::vector<std::int64_t> transpose_buffers(const record::Point& point) {
  const std::int64_t n = side_of(point);
  return {n * n * 4 + guard_bytes, n * n * 4};
}

std::optional<std::string> transpose_unsupported(const record::Point& point) {
  if (side_of(point) > 0) return std::nullopt;
  return fmt::format("a size of {} bytes is below one element of 4 bytes", point.integer("size"));
}

std::optional<TransposeCounts> predicted_counts(const record::Point& point) {
  const std::int64_t n = side_of(point);
  if (n % rt::tile != 0) return std::nullopt;
  const rt::Variant variant = variant_of(point);
  if (variant == rt::Variant::naive) return TransposeCounts{4, 32, 0};
  return TransposeCounts{4, 4, variant == rt::Variant::tiled ? n * n / 32 * 31 : 0};
}

std::unique_ptr<Case> prepare_transpose_cpu(CpuContext& context, const record::Point& point) {
  if (variant_of(point) == rt::Variant::swizzled)
    throw device::Absent("swizzling is for the banks of a GPU's shared memory: on a CPU it would be the padded one");
  return std::make_unique<CpuTranspose>(context, point);
}

}  // namespace ridge::bench::access
