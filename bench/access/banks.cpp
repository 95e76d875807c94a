// access.banks: its work.
#include "bench/access/banks.hpp"

#include <fmt/format.h>

#include "kernels/access/banks.hpp"

namespace ridge::bench::access {

record::Work banks_work(const record::Point&) {
  record::Work work;
  work.items = ridge::access::bank_threads;
  work.bytes_read = std::int64_t{ridge::access::bank_threads} * bank_rounds * ridge::access::bank_steps * 4;
  work.bytes_written = 0;
  work.counting = "the words that lanes ask shared memory for, of one block";
  return work;
}

std::vector<std::int64_t> banks_buffers(const record::Point&) {
  return {};
}

// From there on lanes that differ by a power of two come round to the same word, which is given to all of them at once.
std::optional<std::string> banks_unsupported(const record::Point& point) {
  constexpr std::int64_t most = ridge::access::bank_words / 32;
  const std::int64_t stride = point.integer("stride");
  if (stride <= most) return std::nullopt;
  return fmt::format("a stride of {} words takes 32 lanes round the {} that a block has: at most {}", stride,
                     ridge::access::bank_words, most);
}

}  // namespace ridge::bench::access
