// A seeded shuffle within each round.
#include "bench/harness/order.hpp"

#include <utility>

namespace ridge::bench {
namespace {

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace

std::vector<Turn> make_order(std::size_t members, int rounds, std::uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<Turn> order;
  order.reserve(members * static_cast<std::size_t>(rounds));
  for (int round = 0; round < rounds; ++round) {
    const std::size_t begin = order.size();
    for (std::size_t member = 0; member < members; ++member) order.push_back({member, round});
    for (std::size_t left = members; left > 1; --left)
      std::swap(order[begin + left - 1], order[begin + random.next() % left]);
  }
  return order;
}

}  // namespace ridge::bench
