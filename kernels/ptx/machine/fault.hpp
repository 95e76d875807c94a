// What the reference machine reports when a kernel does something wrong.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ridge::ptx {

enum class FaultKind : std::uint8_t {
  out_of_bounds,        ///< an access outside every live allocation, or outside shared or local memory
  misaligned,           ///< an address that is not a multiple of the access size
  use_after_free,       ///< an access to an allocation that was freed
  uninitialised,        ///< a read of bytes that nobody wrote
  read_only,            ///< a write to constants, kernel parameters or a read-only allocation
  race,                 ///< two warps touch one byte of shared memory between two barriers, and one of them writes
  barrier_not_reached,  ///< threads wait at a barrier that others never reach
  divergent_barrier,    ///< an aligned barrier executed by a part of a warp
  wrong_mask,           ///< a member mask that leaves out its own lane, or names a lane that never arrives
  inactive_lane,        ///< a shuffle from a lane that does not take part
  step_limit,           ///< more instructions than allowed
  trap,                 ///< `trap`, a failed device assertion, or an operand with no meaning
};
std::string_view name_of(FaultKind kind);

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

/// Everything known about the place of a fault. Fields that do not apply are empty or zero.
struct FaultPlace {
  std::string kernel, instruction;
  int ptx_line = 0;
  std::string source_file;  ///< from `.loc`, when nvcc wrote line information
  int source_line = 0;
  Dim3 block{0, 0, 0}, thread{0, 0, 0};
  std::uint64_t address = 0, bytes = 0;
  std::string space;       ///< "global", "shared", …
  std::string allocation;  ///< name of the allocation that was missed, or is nearest
};

/// Ends the launch; what() is one paragraph for people.
class Fault : public std::runtime_error {
 public:
  Fault(FaultKind fault_kind, const std::string& message, FaultPlace fault_place);
  FaultKind kind;
  FaultPlace place;
};

}  // namespace ridge::ptx
