// Output compared with an approved file under tests/golden/; RIDGE_APPROVE=1 in the environment rewrites the file.
#pragma once

#include <string>

namespace ridge::test {

// Fails the running test case, with the first line that differs, unless `actual` equals tests/golden/<name>.
void check_golden(const std::string& name, const std::string& actual);

// `text` with every run of digits, and the point and exponent in it, replaced by one #, for figures that vary.
std::string masked(const std::string& text);

}  // namespace ridge::test
