// access.banks: its work.
#include "bench/access/banks.hpp"

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

std::optional<std::string> banks_unsupported(const record::Point&) {
  return std::nullopt;
}

}  // namespace ridge::bench::access
