// Reading what the build embedded: resource lines, and the fatbin container.
#include "kernels/device/cuda/image.hpp"

#include <fmt/format.h>

#include <cstring>
#include <sstream>
#include <stdexcept>

namespace ridge::device::cuda {
namespace {

// The container that `fatbinary` writes: a header, then entries, each a header and a payload. Not documented by NVIDIA;
// these fields are what nvcc 11 to 13 write. Little-endian, as all machines with NVIDIA GPUs are.
constexpr std::uint32_t container_magic = 0xba55ed50;
constexpr std::uint16_t kind_ptx = 1;
constexpr std::uint16_t kind_code = 2;
constexpr std::uint64_t flag_compressed = 0xf000;

struct ContainerHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t payload_bytes;
};
static_assert(sizeof(ContainerHeader) == 16);

struct EntryHeader {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t payload_bytes;  // padded
  std::uint32_t compressed_bytes;
  std::uint32_t options_offset;
  std::uint16_t minor;
  std::uint16_t major;
  std::uint32_t architecture;  // 80 for compute_80
  std::uint32_t name_offset;
  std::uint32_t name_bytes;
  std::uint64_t flags;
  std::uint64_t zero;
  std::uint64_t uncompressed_bytes;
};
static_assert(sizeof(EntryHeader) == 64);

template <class T>
T read(const unsigned char* data, std::size_t offset, std::size_t limit) {
  if (offset > limit || limit - offset < sizeof(T)) throw std::runtime_error("the fatbin ends within a header");
  T value;
  std::memcpy(&value, data + offset, sizeof value);
  return value;
}

bool looks_like_ptx(const char* text, std::size_t limit) {
  const std::size_t shown = limit < 64 ? limit : 64;
  for (std::size_t i = 0; i < shown && text[i] != '\0'; ++i) {
    const char c = text[i];
    if (c == '/' || c == '.') return true;  // a comment, or .version
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return false;
  }
  return false;
}

std::string_view trimmed(const char* text, std::size_t bytes) {
  return {text, ::strnlen(text, bytes)};  // payloads are padded with zeros
}

bool is_container(const void* data, std::size_t limit) {
  return limit < 4 || std::memcmp(data, &container_magic, 4) == 0;
}

// visit(header, where its payload begins) for each entry.
template <class Visit>
void each_entry(const void* data, std::size_t limit, const Visit& visit) {
  const auto* const bytes = static_cast<const unsigned char*>(data);
  const auto container = read<ContainerHeader>(bytes, 0, limit);
  if (container.payload_bytes > limit || limit - container.payload_bytes < container.header_bytes)
    throw std::runtime_error("the fatbin is longer than what was given");
  const std::size_t end = container.header_bytes + container.payload_bytes;
  for (std::size_t at = container.header_bytes; at < end;) {
    const auto entry = read<EntryHeader>(bytes, at, end);
    const std::size_t room = end - at;
    if (entry.header_bytes < sizeof(EntryHeader) || entry.header_bytes > room ||
        entry.payload_bytes > room - entry.header_bytes)
      throw std::runtime_error("an entry of the fatbin is longer than the fatbin");
    visit(entry, at + entry.header_bytes);
    at += entry.header_bytes + entry.payload_bytes;
  }
}

}  // namespace

std::vector<KernelResources> parse_resources(std::string_view text) {
  std::vector<KernelResources> all;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    std::istringstream words(line);
    KernelResources r;
    if (!(words >> r.architecture >> r.kernel >> r.registers >> r.stack >> r.spill_stores >> r.spill_loads >> r.shared))
      throw std::runtime_error(fmt::format("not a line of kernel resources: '{}'", line));
    all.push_back(std::move(r));
  }
  return all;
}

std::string_view ptx_of(const void* data, int most, std::size_t limit) {
  const auto* const text = static_cast<const char*>(data);
  if (!is_container(data, limit)) {
    if (!looks_like_ptx(text, limit)) throw std::runtime_error("neither a fatbin nor PTX");
    return trimmed(text, limit == SIZE_MAX ? std::strlen(text) : limit);
  }
  std::string_view best;
  std::uint32_t best_architecture = 0;
  each_entry(data, limit, [&](const EntryHeader& entry, std::size_t payload) {
    if (entry.kind != kind_ptx || entry.architecture > static_cast<std::uint32_t>(most) ||
        entry.architecture <= best_architecture)
      return;
    if ((entry.flags & flag_compressed) != 0) throw std::runtime_error("the PTX of the fatbin is compressed");
    best = trimmed(text + payload, entry.payload_bytes);
    best_architecture = entry.architecture;
  });
  return best;
}

bool has_code_for(const void* data, int architecture, std::size_t limit) {
  bool found = false;
  if (is_container(data, limit))
    each_entry(data, limit, [&](const EntryHeader& entry, std::size_t) {
      found |= entry.kind == kind_code && entry.architecture == static_cast<std::uint32_t>(architecture);
    });
  return found;
}

}  // namespace ridge::device::cuda
