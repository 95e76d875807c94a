// The generator against the known answers that its authors publish, and that its bits are even and depend on all of
// counter and key.
#include "kernels/random/philox.hpp"

#include <bit>
#include <catch2/catch.hpp>

using ridge::random::FourWords;
using ridge::random::philox;

namespace {

bool same(const FourWords& a, const FourWords& b) {
  return a.at[0] == b.at[0] && a.at[1] == b.at[1] && a.at[2] == b.at[2] && a.at[3] == b.at[3];
}

int differing_bits(const FourWords& a, const FourWords& b) {
  int bits = 0;
  for (int i = 0; i < 4; ++i) bits += std::popcount(a.at[i] ^ b.at[i]);
  return bits;
}

}  // namespace

TEST_CASE("Philox gives the known answers of Random123") {
  // The lines "philox4x32 10" of its file kat_vectors: the last counter and key are the digits of pi.
  CHECK(same(philox({{0, 0, 0, 0}}, 0), {{0x6627E8D5U, 0xE169C58DU, 0xBC57AC4CU, 0x9B00DBD8U}}));
  CHECK(
      same(philox({{~0U, ~0U, ~0U, ~0U}}, ~std::uint64_t{0}), {{0x408F276DU, 0x41C83B0EU, 0xA20BC7C6U, 0x6D5451FDU}}));
  CHECK(same(philox({{0x243F6A88U, 0x85A308D3U, 0x13198A2EU, 0x03707344U}}, 0x299F31D0A4093822U),
             {{0xD16CFE09U, 0x94FDCCEBU, 0x5001E420U, 0x24126EA1U}}));
  static_assert(philox({{0, 0, 0, 0}}, 0).at[0] == 0x6627E8D5U);
}

TEST_CASE("a bit of counter or key changes about half of Philox' bits") {
  const FourWords counter{{1, 2, 3, 4}};
  const FourWords base = philox(counter, 5);
  for (int bit = 0; bit < 128; ++bit) {
    FourWords other = counter;
    other.at[bit / 32] ^= 1U << bit % 32;
    CHECK(std::abs(differing_bits(philox(other, 5), base) - 64) < 36);  // more than six standard deviations
  }
  for (int bit = 0; bit < 64; ++bit)
    CHECK(std::abs(differing_bits(philox(counter, 5 ^ (std::uint64_t{1} << bit)), base) - 64) < 36);
}
