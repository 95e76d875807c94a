// Device names, and the text of running out of memory.
#include "kernels/device/device.hpp"

#include <fmt/format.h>

#include <charconv>

namespace ridge::device {

std::string Name::text() const {
  switch (kind) {
    case Kind::cuda:
      return fmt::format("cuda:{}", index);
    case Kind::ptx:
      return fmt::format("ptx:{}", index);
    case Kind::cpu:
      break;
  }
  return "cpu";
}

std::optional<Name> parse_name(std::string_view text) {
  if (text == "cpu") return Name{};
  const auto colon = text.find(':');
  const auto kind = text.substr(0, colon);
  if (colon == std::string_view::npos || (kind != "cuda" && kind != "ptx")) return std::nullopt;
  const auto number = text.substr(colon + 1);
  Name name{kind == "cuda" ? Kind::cuda : Kind::ptx, 0};
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), name.index);
  if (parsed.ec != std::errc{} || parsed.ptr != number.data() + number.size() || name.index < 0) return std::nullopt;
  return name;
}

OutOfMemory::OutOfMemory(std::int64_t needed_bytes, std::int64_t available_bytes)
    : Error(fmt::format("out of memory: needs {} bytes, {} bytes available", needed_bytes, available_bytes)),
      needed(needed_bytes),
      available(available_bytes) {}

std::int64_t borrow_cost(std::int64_t bytes) {
  constexpr std::int64_t alignment = 4096;
  constexpr std::int64_t stagger = 4096;
  return (bytes + alignment - 1) / alignment * alignment + stagger;
}

}  // namespace ridge::device
