// libFuzzer: whatever the bytes, the reader gives a run of positive or absent figures, or a ReadError.
#include <cstdint>
#include <cstdlib>

#include "reports/inputs/google_benchmark.hpp"
#include "reports/json/scanner.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto run = ridge::inputs::read_google_benchmark({reinterpret_cast<const char*>(data), size}, "fuzzed.json");
    for (const auto& each : run.cases)
      if (each.id.empty() || (each.metrics.empty() && each.reason.empty())) std::abort();
  } catch (const ridge::json::ReadError&) {
  }
  return 0;
}
