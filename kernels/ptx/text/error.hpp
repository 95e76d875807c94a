// What the reader throws for text it cannot accept: always with the line, and the kernel when inside one.
#pragma once

#include <stdexcept>
#include <string>

namespace ridge::ptx {

/// Malformed PTX, or an instruction the engine does not know. `what()` holds all three fields.
class ReadError : public std::runtime_error {
 public:
  ReadError(int line_number, const std::string& message, const std::string& kernel_name = {})
      : std::runtime_error("PTX line " + std::to_string(line_number) +
                           (kernel_name.empty() ? "" : ", kernel " + kernel_name) + ": " + message),
        line(line_number),
        kernel(kernel_name),
        reason(message) {}

  int line;            ///< 1-based line of the PTX text
  std::string kernel;  ///< empty outside functions
  std::string reason;
};

}  // namespace ridge::ptx
