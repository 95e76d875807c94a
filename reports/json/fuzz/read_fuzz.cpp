// libFuzzer target: whatever the bytes, the reader gives a report that writes and reads back the same, or a ReadError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "reports/json/read.hpp"
#include "reports/json/write.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge;
  try {
    const record::Report report = json::read({reinterpret_cast<const char*>(data), size}, "fuzz");
    const std::string once = json::write(report);
    if (json::write(json::read(once, "again")) != once) std::abort();
  } catch (const json::ReadError& error) {
    for (const char* c = error.what(); *c != '\0'; ++c)
      if (static_cast<unsigned char>(*c) < 0x20) std::abort();
  }
  return 0;
}
