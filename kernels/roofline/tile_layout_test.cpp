// Descriptors against values worked out by hand from the PTX manual's tables, and the layout that they tell of.
#include "kernels/roofline/tile_layout.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>

#include "kernels/roofline/tile_kernels.hpp"

using namespace ridge::roofline;

namespace {

// Where the manual says that byte `k` of row `row` of a slab lies: K-major, no swizzling. Rows of 16 bytes make core
// matrices of eight, which are the stride offset apart; the next 16 bytes of K are the leading offset on.
std::uint32_t by_manual(std::uint64_t descriptor, int row, int k) {
  const auto field = [&](int low) { return static_cast<std::uint32_t>(descriptor >> low & 0x3fff) << 4; };
  return field(0) + static_cast<std::uint32_t>(k / 16) * field(16) + static_cast<std::uint32_t>(row / 8) * field(32) +
         static_cast<std::uint32_t>(row % 8 * 16 + k % 16);
}

}  // namespace

TEST_CASE("matrix descriptors are what the manual's table makes of address and offsets") {
  // 1024 = 0x40 · 16; of 128 rows the next 16 bytes of K are 2048 = 0x80 · 16 on, the next core matrix 128 = 8 · 16.
  CHECK(wgmma_descriptor(1024, 128) == 0x0000'0008'0080'0040);
  CHECK(wgmma_descriptor(0, 256) == 0x0000'0008'0100'0000);
  CHECK(wgmma_descriptor(0x3fff0, 64) == 0x0000'0008'0040'3fff);  // the highest address that 14 bits hold
  CHECK(tcgen05_descriptor(1024, 128) == 0x0000'4008'0080'0040);  // 0b001 from bit 46 on
  CHECK(tcgen05_descriptor(0, 256) == 0x0000'4008'0100'0000);
  CHECK(wgmma_descriptor(1024, 128) >> 62 == 0);    // no swizzling
  CHECK(tcgen05_descriptor(1024, 128) >> 61 == 0);  // nor here
}

TEST_CASE("the instruction descriptor of tcgen05 is what the manual's table makes of types and shape") {
  // N = 256: 32 from bit 17 on; M = 128: 8 from bit 24 on.
  constexpr std::uint32_t shape = 32U << 17 | 8U << 24;
  static_assert(shape == 0x0840'0000);
  CHECK(tcgen05_kind({1, 1}, 128, 256) == 0x0840'0490);  // f32 += bf16 · bf16: 1 from bits 4, 7 and 10 on
  CHECK(tcgen05_kind({1, 0}, 128, 256) == 0x0840'0010);  // f16, and e4m3
  CHECK(tcgen05_kind({1, 2}, 128, 256) == 0x0840'0910);  // tf32
  CHECK(tcgen05_kind({2, 1}, 128, 256) == 0x0840'04a0);  // s32 += s8 · s8
  CHECK(tcgen05_kind({1, 1}, 64, 8) == 0x0402'0490);
}

TEST_CASE("the instructions find every piece of a tile where it was put, whichever slab or group of rows they take") {
  for (const int rows : {tile_m, tile_n}) {
    std::set<int> places;
    for (int row = 0; row < rows; ++row)
      for (int chunk = 0; chunk < tile_chunks; ++chunk) places.insert(piece_at(row, chunk, rows));
    CHECK(places.size() == static_cast<std::size_t>(rows * tile_chunks));
    CHECK(*places.begin() == 0);
    CHECK(*places.rbegin() == rows * tile_chunks - 1);
    for (const std::uint32_t begin : {0U, 8192U})
      for (int first = 0; first < rows; first += 64)
        for (int slab = 0; slab < tile_slabs; ++slab) {
          const std::uint32_t address =
              begin + static_cast<std::uint32_t>((piece_at(0, 2 * slab, rows) + first) * piece_bytes);
          for (int row = 0; row < rows - first; ++row)
            for (int k = 0; k < slab_bytes; ++k) {
              const auto placed = begin + static_cast<std::uint32_t>(
                                              piece_at(first + row, 2 * slab + k / 16, rows) * piece_bytes + k % 16);
              REQUIRE(by_manual(wgmma_descriptor(address, rows), row, k) == placed);
              REQUIRE(by_manual(tcgen05_descriptor(address, rows), row, k) == placed);
            }
        }
  }
}

TEST_CASE("every instruction of one architecture takes 32 bytes of K and says so in its name") {
  int seen = 0;
  for (const TileInstruction& each : tile_instructions) {
    INFO(each.text << " " << each.dtype);
    const int bytes = each.dtype == "tf32" ? 4 : each.dtype == "bf16" || each.dtype == "f16" ? 2 : 1;
    CHECK(each.k * bytes == slab_bytes);
    CHECK(tile_m % each.m == 0);
    CHECK(std::string(each.kernel.name) == std::string(each.name) + "_" + std::string(each.dtype));
    CHECK(tile_instruction(each.name, each.dtype) == &each);
    const std::string text = each.text;
    CHECK(text.starts_with(std::string(each.name) + ".mma"));
    if (each.name == "wgmma") {
      CHECK(text.find(".m" + std::to_string(each.m) + "n" + std::to_string(tile_n) + "k" + std::to_string(each.k) +
                      ".") != std::string::npos);
      CHECK(text.find(each.dtype == "int8" ? "s8.s8" : std::string(each.dtype) + "." + std::string(each.dtype)) !=
            std::string::npos);
    }
    ++seen;
  }
  CHECK(seen == 10);
  CHECK(tile_instruction("wgmma", "f64") == nullptr);
  CHECK(tile_instruction("mma", "bf16") == nullptr);
}
