// Points and work.
#include "collectives/allreduce/points.hpp"

#include <fmt/format.h>

namespace ridge::bench::allreduce {

int ranks_of(const record::Point& point) {
  return static_cast<int>(point.integer("ranks"));
}

reduce::Rule rule_of(const record::Point& point) {
  return {reduce::op_from(point.text("op")).value_or(reduce::Op::sum),
          reduce::type_from(point.text("dtype")).value_or(reduce::Type::f32)};
}

bool in_place(const record::Point& point) {
  return point.text("place") == "in";
}

std::int64_t count_of(const record::Point& point) {
  return point.integer("size") / reduce::bytes_of(rule_of(point).type);
}

const collectives::Algorithm& algorithm_of(const record::Point& point) {
  const auto* const found = collectives::find_algorithm(point.text("algorithm"));
  return found == nullptr ? collectives::direct : *found;
}

// In bytes of all ranks together: what every all-reduce must do at least. Each input is read, each output written, and
// n − 1 elements are joined for each element of the result.
record::Work work(const record::Point& point) {
  const std::int64_t bytes = count_of(point) * reduce::bytes_of(rule_of(point).type);
  record::Work work;
  work.bytes_read = ranks_of(point) * bytes;
  work.bytes_written = ranks_of(point) * bytes;
  work.operations = (ranks_of(point) - 1) * count_of(point);
  work.items = 1;
  work.counting =
      "each rank's array read once and its result written once, whatever the algorithm moves besides; n - 1 operations "
      "for each element of the result";
  return work;
}

std::vector<std::int64_t> buffers(const record::Point& point) {
  const std::int64_t bytes = count_of(point) * reduce::bytes_of(rule_of(point).type) + 64;
  const int arrays = 1 + (in_place(point) ? 0 : 1) + (algorithm_of(point).needs_scratch ? 1 : 0);
  return std::vector<std::int64_t>(static_cast<std::size_t>(ranks_of(point) * arrays), bytes);
}

std::optional<std::string> unsupported(const record::Point& point) {
  const std::int64_t element = reduce::bytes_of(rule_of(point).type);
  if (count_of(point) > 0) return std::nullopt;
  return fmt::format("a size of {} bytes is below one element of {} bytes", point.integer("size"), element);
}

}  // namespace ridge::bench::allreduce
