// Text from outside (names, paths, reasons) made safe to show, and how wide it is on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ridge::record {

// `text` with everything that could act on a terminal or break a line spelled out: \n, \t, \r, \x1b for other control
// characters (C0, DEL, C1), \u202e for Unicode's format and direction characters, \xff for bytes that are not UTF-8. A
// backslash stays as it is: the result is for eyes, not for reading back.
std::string printable(std::string_view text);

// Columns that UTF-8 text takes on a terminal: 2 for East Asian wide characters and emoji, 0 for combining marks.
std::size_t columns(std::string_view text);

// Bytes of the longest beginning of `text` that takes at most `width` columns; whole characters.
std::size_t fitting(std::string_view text, std::size_t width);

// `text` cut to at most `width` columns, with "..." at its end where something was cut (and `width` has room for it).
std::string cut(std::string_view text, std::size_t width);

}  // namespace ridge::record
