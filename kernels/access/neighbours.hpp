// Stores of narrow elements that lie beside each other.
#pragma once

#include <cstdint>

namespace ridge::access {

// at[i] = pattern(first + i) for as many of `count` elements as make whole vectors; answers how many.
std::int64_t store_neighbours(std::uint8_t* at, std::int64_t first, std::int64_t count);
std::int64_t store_neighbours(std::uint16_t* at, std::int64_t first, std::int64_t count);
std::int64_t store_neighbours(std::uint32_t* at, std::int64_t first, std::int64_t count);

}  // namespace ridge::access
