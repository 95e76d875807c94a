// A file of CUDA kernels as it is embedded in this binary: a fatbin, and what ptxas said each kernel needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::device::cuda {

// What a kernel takes on one architecture.
struct KernelResources {
  std::string architecture;  // "sm_90"
  std::string kernel;
  int registers = 0;              // per thread
  std::int64_t stack = 0;         // bytes per thread
  std::int64_t spill_stores = 0;  // bytes per thread
  std::int64_t spill_loads = 0;   // bytes per thread
  std::int64_t shared = 0;        // static bytes per block
};

struct Image {
  const char* source;  // "kernels/stream/stream.cu"
  const unsigned char* begin;
  const unsigned char* end;
  const char* resources_begin;
  const char* resources_end;

  [[nodiscard]] std::string_view resources_text() const {
    return {resources_begin, static_cast<std::size_t>(resources_end - resources_begin)};
  }
};

// One entry per architecture and kernel, as the build compiled them. std::runtime_error for a line that is none.
std::vector<KernelResources> parse_resources(std::string_view text);

// The PTX of the highest virtual architecture not above `most` (80 for compute_80) in a fatbin or in PTX text itself,
// as an image given to the driver may be either. Empty when there is none; std::runtime_error for what is neither.
// `limit`: bytes that may be read from `data`; without it the container's own length is trusted, as the driver does.
std::string_view ptx_of(const void* data, int most, std::size_t limit = SIZE_MAX);

// Whether a fatbin holds machine code of an architecture (90 for sm_90 and sm_90a, which the container tells apart in
// no documented way). False of PTX text.
bool has_code_for(const void* data, int architecture, std::size_t limit = SIZE_MAX);

}  // namespace ridge::device::cuda
