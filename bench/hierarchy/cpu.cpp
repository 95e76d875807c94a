// Prepares, runs and checks the chase on the CPU.
#include <algorithm>

#include "bench/hierarchy/chase_case.hpp"

namespace ridge::bench::hierarchy {
namespace {

using chase::Line;
using chase::line_bytes;

// Beyond this no cache holds a part of the lines that would matter: they need not be brought back.
constexpr std::int64_t most_warmed_bytes = std::int64_t{256} << 20;
constexpr int warmers = 16;
constexpr int settling = 4;  // repetitions

}  // namespace

ChaseCase::ChaseCase(chase::Chase kernel, std::int64_t chains, std::int64_t hops, std::int64_t lines, bool small_pages,
                     CpuContext& context)
    : team_(context.device.team(1)),
      kernel_(kernel),
      hops_(hops),
      seed_(context.seed),
      at_(static_cast<std::size_t>(chains)) {
  const std::int64_t bytes = lines * line_bytes;
  if (small_pages) small_pages_ = context.device.make_arena_of_small_pages(device::borrow_cost(bytes));
  device::Arena& arena = small_pages ? *small_pages_ : context.arena;
  lines_ = {arena.borrow(bytes).as<Line>(), static_cast<std::size_t>(lines)};
  team_.parallel([this](int) { chase::link(lines_, seed_); });
  chase::start(at_, lines_, seed_);
}

// The chains go on where they got to: over many intervals each passes everywhere.
void ChaseCase::run(std::int64_t repetitions) {
  kernel_(at_.data(), repetitions * hops_);
}

record::Verification ChaseCase::verify() {
  record::Verification result;
  const auto cycle = chase::walk(lines_, seed_);
  result.checked = cycle.visited;
  result.status = record::Check::failed;
  result.reason = cycle.reason;
  if (!cycle.reason.empty()) return result;
  chase::start(at_, lines_, seed_);
  auto expected = at_;
  chase::plain_chase(expected, hops_);
  run(1);
  if (at_ == expected)
    result.status = record::Check::passed;
  else
    result.reason = "a chain did not end where following its links leads";
  return result;
}

// On the CPU that measures: the first two levels belong to it alone. By many chains, which takes a tenth of the time
// of one; then by those that are measured, since many leave more of the page tables in the caches than one keeps there.
void ChaseCase::warm() {
  const auto lines = static_cast<std::int64_t>(lines_.size());
  if (lines * line_bytes > most_warmed_bytes || lines < warmers) return;
  std::vector<const Line*> walkers(warmers);
  chase::start(walkers, lines_, seed_);
  team_.time([&] {
    chase::chase_kernel(warmers)(walkers.data(), lines / warmers);
    run(settling);
  });
}

std::optional<std::int64_t> ChaseCase::page_size() const {
  return small_pages_ ? small_pages_->page_size() : std::nullopt;
}

std::unique_ptr<Case> prepare_chase_cpu(CpuContext& context, const record::Point& point) {
  const std::int64_t chains = chains_of(point);
  return std::make_unique<ChaseCase>(chase::chase_kernel(static_cast<int>(chains)), chains, cpu_loads / chains,
                                     lines_of(point), point.text("pages") == "small", context);
}

}  // namespace ridge::bench::hierarchy
