// libFuzzer entry: any text either parses and decodes, or is refused with a ReadError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/ptx/ptx.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)ridge::ptx::Module::parse(std::string(reinterpret_cast<const char*>(data), size))->unsupported();
  } catch (const ridge::ptx::ReadError&) {  // the expected answer to malformed text
  }
  return 0;
}
