// How a test says that this machine lacks what it needs: ctest shows it as skipped, and `make test` prints the reason.
#pragma once

#include <iostream>
#include <string_view>

namespace ridge::test {

/// Prints the reason; the test returns right after it. For hardware and drivers only: anything else is a failure.
inline void skip(std::string_view reason) {
  std::cout << "skipped: " << reason << std::endl;
}

}  // namespace ridge::test
