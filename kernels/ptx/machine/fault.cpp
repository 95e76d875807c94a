// The text of a fault.
#include "kernels/ptx/machine/fault.hpp"

#include <fmt/format.h>

namespace ridge::ptx {
namespace {

std::string paragraph(FaultKind kind, const std::string& message, const FaultPlace& p) {
  std::string out = fmt::format("{}: {}", name_of(kind), message);
  if (!p.kernel.empty()) {
    out += fmt::format("; kernel {} block ({},{},{}) thread ({},{},{})", p.kernel, p.block.x, p.block.y, p.block.z,
                       p.thread.x, p.thread.y, p.thread.z);
  }
  if (p.ptx_line != 0) out += fmt::format(", PTX line {}: {}", p.ptx_line, p.instruction);
  if (p.source_line != 0) out += fmt::format(" ({}:{})", p.source_file, p.source_line);
  return out;
}

}  // namespace

std::string_view name_of(FaultKind kind) {
  constexpr std::string_view names[] = {"out of bounds",       "misaligned",        "use after free",
                                        "uninitialised read",  "read-only memory",  "shared-memory race",
                                        "barrier not reached", "divergent barrier", "wrong member mask",
                                        "inactive lane",       "step limit",        "trap"};
  return names[static_cast<std::size_t>(kind)];
}

Fault::Fault(FaultKind fault_kind, const std::string& message, FaultPlace fault_place)
    : std::runtime_error(paragraph(fault_kind, message, fault_place)),
      kind(fault_kind),
      place(std::move(fault_place)) {}

}  // namespace ridge::ptx
