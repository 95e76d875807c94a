// The stretch of a text that stands in JSON as it is.
#pragma once

#include <cstddef>
#include <string_view>

namespace ridge::json {

// How many bytes from the front need no look of their own: neither quote, backslash nor control character, and ASCII.
std::size_t plain_bytes(std::string_view text);

}  // namespace ridge::json
