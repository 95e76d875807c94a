// Points and work.
#include "bench/fusion/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ridge::bench::fusion {

bool is_fused(const record::Point& point) {
  return point.text("side") == "fused";
}

int ops_of(const record::Point& point) {
  const record::Value* const value = point.find("ops");
  return value == nullptr ? 1 : static_cast<int>(std::get<std::int64_t>(*value));
}

double dropout_of(const record::Point& point) {
  return point.find("dropout") == nullptr ? 0 : std::stod(point.text("dropout"));
}

const Facts& facts_at(const Facts& facts, const record::Point& point) {
  return dropout_of(point) > 0 ? ridge::fused::facts_of(ridge::fused::Pair::bias_gelu_dropout) : facts;
}

std::int64_t columns_of(const record::Point& point) {
  return std::min(most_columns, point.integer("size") / 4);
}

std::int64_t rows_of(const record::Point& point) {
  return columns_of(point) == 0 ? 0 : point.integer("size") / 4 / columns_of(point);
}

record::Work work(const Facts& facts, const record::Point& point) {
  const std::int64_t elements = rows_of(point) * columns_of(point);
  const std::int64_t steps = is_fused(point) ? 1 : ops_of(point);  // a chain's passes
  record::Work work;
  work.items = elements;
  work.bytes_read = 4 * elements * steps * (is_fused(point) ? facts.fused_read : facts.unfused_read);
  work.bytes_written = 4 * elements * steps * (is_fused(point) ? facts.fused_written : facts.unfused_written);
  work.operations = elements * facts.operations * ops_of(point);
  work.counting =
      is_fused(point)
          ? "each element of x and of the residual read once, each result written once"
          : "in each pass, each element that it reads or writes once, as if no cache kept it for the next pass";
  return work;
}

std::vector<std::int64_t> buffers(const Facts& facts, const record::Point& point) {
  const std::int64_t bytes = rows_of(point) * columns_of(point) * 4;
  const std::int64_t of_columns = columns_of(point) * 4, of_rows = rows_of(point) * 4;
  std::vector<std::int64_t> all{bytes + 64, of_columns, of_columns, 2 * of_rows, of_rows, of_rows};
  if (facts.has_residual) all.push_back(bytes);
  return all;
}

std::optional<std::string> unsupported(const record::Point& point) {
  if (point.integer("size") >= 4) return std::nullopt;
  return fmt::format("a size of {} bytes is below one element of 4 bytes", point.integer("size"));
}

}  // namespace ridge::bench::fusion
