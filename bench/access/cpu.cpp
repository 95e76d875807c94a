// A walk on the CPU: its items shared out over a team.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "bench/access/walk.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/random/order.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::access {
namespace {

namespace ra = ridge::access;

device::cpu::Share part(std::int64_t count, int rank, const device::cpu::Team& team) {
  return device::cpu::share(count, rank, team.size(), 64);
}

template <class T>
class CpuCase final : public Case {
 public:
  CpuCase(CpuContext& context, const record::Point& point, std::unique_ptr<Walk<T>> walk)
      : team_(context.device.team(static_cast<int>(point.integer("threads")))),
        walk_(std::move(walk)),
        stores_(stores(point)),
        elements_(walk_->elements()),
        seed_(context.seed),
        zero_(context.fill == Fill::zero),
        found_(static_cast<std::size_t>(team_.size())) {
    const std::int64_t bytes = elements_ * std::int64_t{sizeof(T)} + guard_bytes;
    if (point.find("pages") != nullptr && point.text("pages") == "small")
      small_pages_ = context.device.make_arena_of_small_pages(device::borrow_cost(bytes));
    array_ = (small_pages_ ? *small_pages_ : context.arena).borrow(bytes).template as<T>();
    fill(false);
  }

  void run(std::int64_t repetitions) override {
    team_.parallel([this, repetitions](int rank) {
      const auto [begin, end] = part(walk_->items(), rank, team_);
      std::uint64_t bits = 0;
      for (std::int64_t i = 0; i < repetitions; ++i) {
        if (stores_)
          walk_->store(array_, begin, end);
        else
          bits = walk_->load(array_, begin, end);
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
  [[nodiscard]] std::optional<std::int64_t> page_size() const override {
    return small_pages_ ? small_pages_->page_size() : std::nullopt;
  }

 private:
  struct alignas(64) Slot {
    std::uint64_t bits = 0;
    std::int64_t wrong = 0;
  };

  // Random words for loads, poison for stores; every thread its own part first.
  void fill(bool for_check) {
    team_.parallel([&](int rank) {
      const auto [begin, end] = part(elements_, rank, team_);
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
      const auto [begin, end] = part(walk_->items(), rank, team_);
      found_[static_cast<std::size_t>(rank)].bits = walk_->expected(array_, begin, end);
    });
    std::uint64_t want = 0;
    for (const Slot& slot : found_) want ^= slot.bits;
    return checked_loads(walk_->items(), found, want);
  }

  record::Verification verify_stores() {
    team_.parallel([&](int rank) {
      const auto [begin, end] = part(elements_, rank, team_);
      found_[static_cast<std::size_t>(rank)].wrong = walk_->wrong(array_, begin, end);
    });
    std::int64_t wrong = 0;
    for (const Slot& slot : found_) wrong += slot.wrong;
    return checked_stores(elements_, wrong, stream::untouched(array_ + elements_, guard_bytes));
  }

  device::cpu::Team& team_;
  std::unique_ptr<Walk<T>> walk_;
  bool stores_;
  std::int64_t elements_;
  std::uint64_t seed_;
  bool zero_;
  std::unique_ptr<device::Arena> small_pages_;  // null: the array is in the run's arena
  T* array_ = nullptr;                          // (elements), then guard_bytes
  std::vector<Slot> found_;
};

// The rows of a table of all elements in a random order; every thread its own part first.
const std::uint32_t* make_table(CpuContext& context, const record::Point& point) {
  const std::int64_t elements = elements_of(point);
  auto* const table = context.arena.borrow(elements * 4).as<std::uint32_t>();
  const random::Order order(context.seed, elements);
  device::cpu::Team& team = context.device.team(static_cast<int>(point.integer("threads")));
  team.parallel([&](int rank) {
    const auto [begin, end] = part(elements, rank, team);
    for (std::int64_t i = begin; i < end; ++i) table[i] = static_cast<std::uint32_t>(order.line(i));
  });
  return table;
}

}  // namespace

record::Verification checked_loads(std::int64_t items, std::uint64_t found, std::uint64_t want) {
  record::Verification result;
  result.checked = items;
  result.max_error = 0;
  result.bound = 0;
  result.status = found == want ? record::Check::passed : record::Check::failed;
  if (found != want) result.reason = "the exclusive or of all elements is wrong";
  return result;
}

record::Verification checked_stores(std::int64_t elements, std::int64_t wrong, bool inside) {
  record::Verification result;
  result.checked = elements;
  result.max_error = 0;
  result.bound = 0;
  result.status = wrong == 0 && inside ? record::Check::passed : record::Check::failed;
  if (wrong > 0) result.reason = fmt::format("{} of {} elements wrong or touched", wrong, elements);
  if (wrong == 0 && !inside) result.reason = "wrote behind the last element";
  return result;
}

std::unique_ptr<Case> prepare_strided_cpu(CpuContext& context, const record::Point& point) {
  return for_width(width_of(point), [&]<class T>() -> std::unique_ptr<Case> {
    return std::make_unique<CpuCase<T>>(context, point, strided<T>(point));
  });
}

std::unique_ptr<Case> prepare_indexed_cpu(CpuContext& context, const record::Point& point) {
  const std::uint32_t* const table = make_table(context, point);
  return for_indexed_width(width_of(point), [&]<class T>() -> std::unique_ptr<Case> {
    return std::make_unique<CpuCase<T>>(context, point, indexed<T>(point, context.seed, table));
  });
}

std::unique_ptr<Case> prepare_structured_cpu(CpuContext& context, const record::Point& point) {
  return std::make_unique<CpuCase<Word>>(context, point, structured(point));
}

std::unique_ptr<Case> prepare_phased_cpu(CpuContext& context, const record::Point& point) {
  return std::make_unique<CpuCase<Word>>(context, point, phased(point));
}

}  // namespace ridge::bench::access
