// A pattern on the CPU: its elements shared out over a team.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "bench/access/points.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::access {
namespace {

namespace ra = ridge::access;

template <class T>
class CpuCase final : public Case {
 public:
  CpuCase(CpuContext& context, const record::Point& point)
      : team_(context.device.team(static_cast<int>(point.integer("threads")))),
        pattern_(pattern_of(point)),
        stores_(stores(point)),
        elements_(point.integer("size") / std::int64_t{sizeof(T)}),
        seed_(context.seed),
        zero_(context.fill == Fill::zero),
        found_(static_cast<std::size_t>(team_.size())) {
    array_ = context.arena.borrow(elements_ * std::int64_t{sizeof(T)} + guard_bytes).template as<T>();
    fill(false);
  }

  void run(std::int64_t repetitions) override {
    team_.parallel([this, repetitions](int rank) {
      const auto [begin, end] = part(pattern_.count, rank);
      std::uint64_t bits = 0;
      for (std::int64_t i = 0; i < repetitions; ++i) {
        if (stores_)
          ra::cpu_store(array_, pattern_, begin, end);
        else
          bits = ra::cpu_load<T>(array_, pattern_, begin, end);
      }
      found_[static_cast<std::size_t>(rank)].bits = bits;
    });
  }

  record::Verification verify() override {
    if (stores_ || zero_) fill(true);  // otherwise it holds what a check needs already
    run(1);
    record::Verification result = stores_ ? verify_stores() : verify_loads();
    if (zero_) fill(false);
    return result;
  }

  device::Stream& stream() override { return team_; }

 private:
  struct alignas(64) Slot {
    std::uint64_t bits = 0;
    std::int64_t wrong = 0;
  };

  [[nodiscard]] device::cpu::Share part(std::int64_t count, int rank) const {
    return device::cpu::share(count, rank, team_.size(), 64);
  }
  // Random words for loads, poison for stores; every thread its own part first.
  void fill(bool for_check) {
    team_.parallel([&](int rank) {
      const auto [begin, end] = part(elements_, rank);
      auto* const bytes = reinterpret_cast<unsigned char*>(array_);
      const std::int64_t stop = end * std::int64_t{sizeof(T)};
      for (std::int64_t at = begin * std::int64_t{sizeof(T)}; at < stop; at += 8) {
        const std::uint64_t word = stores_ ? ~std::uint64_t{0} : zero_ && !for_check ? 0 : ra::word(seed_, at / 8);
        std::memcpy(bytes + at, &word, static_cast<std::size_t>(std::min<std::int64_t>(8, stop - at)));
      }
    });
    std::memset(array_ + elements_, stream::poison_byte, guard_bytes);
  }
  record::Verification verify_loads() {
    std::uint64_t found = 0;
    for (const Slot& slot : found_) found ^= slot.bits;
    team_.parallel([&](int rank) {
      const auto [begin, end] = part(pattern_.count, rank);
      std::uint64_t bits = 0;
      for (std::int64_t i = begin; i < end; ++i) bits ^= ra::spread(array_[pattern_.offset + i * pattern_.stride], i);
      found_[static_cast<std::size_t>(rank)].bits = bits;
    });
    std::uint64_t want = 0;
    for (const Slot& slot : found_) want ^= slot.bits;
    record::Verification result;
    result.checked = pattern_.count;
    result.max_error = 0;
    result.bound = 0;
    result.status = found == want ? record::Check::passed : record::Check::failed;
    if (found != want) result.reason = "the exclusive or of all elements is wrong";
    return result;
  }
  // Elements [begin, end) of the array that are neither what the pattern puts there nor, outside of it, untouched.
  [[nodiscard]] std::int64_t wrong_in(std::int64_t begin, std::int64_t end) const {
    std::int64_t wrong = 0;
    std::int64_t next = begin <= pattern_.offset ? 0 : (begin - pattern_.offset - 1) / pattern_.stride + 1;
    for (std::int64_t at = begin; at < end; ++at) {
      if (next < pattern_.count && at == pattern_.offset + next * pattern_.stride) {
        const T want = ra::pattern<T>(next++);
        wrong += std::memcmp(array_ + at, &want, sizeof(T)) == 0 ? 0 : 1;
      } else {
        wrong += stream::untouched(array_ + at, sizeof(T)) ? 0 : 1;
      }
    }
    return wrong;
  }
  record::Verification verify_stores() {
    team_.parallel([&](int rank) {
      const auto [begin, end] = part(elements_, rank);
      found_[static_cast<std::size_t>(rank)].wrong = wrong_in(begin, end);
    });
    std::int64_t wrong = 0;
    for (const Slot& slot : found_) wrong += slot.wrong;
    record::Verification result;
    result.checked = elements_;
    result.max_error = 0;
    result.bound = 0;
    const bool inside = stream::untouched(array_ + elements_, guard_bytes);
    result.status = wrong == 0 && inside ? record::Check::passed : record::Check::failed;
    if (wrong > 0) result.reason = fmt::format("{} of {} elements wrong or touched", wrong, elements_);
    if (wrong == 0 && !inside) result.reason = "wrote behind the last element";
    return result;
  }

  device::cpu::Team& team_;
  Pattern pattern_;
  bool stores_;
  std::int64_t elements_;
  std::uint64_t seed_;
  bool zero_;
  T* array_ = nullptr;  // (elements), then guard_bytes
  std::vector<Slot> found_;
};

}  // namespace

std::unique_ptr<Case> prepare_cpu(CpuContext& context, const record::Point& point) {
  switch (width_of(point)) {
    case 1:
      return std::make_unique<CpuCase<std::uint8_t>>(context, point);
    case 2:
      return std::make_unique<CpuCase<std::uint16_t>>(context, point);
    case 8:
      return std::make_unique<CpuCase<std::uint64_t>>(context, point);
    case 16:
      return std::make_unique<CpuCase<ra::Wide>>(context, point);
    default:
      return std::make_unique<CpuCase<std::uint32_t>>(context, point);
  }
}

}  // namespace ridge::bench::access
