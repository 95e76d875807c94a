// From a lane of a warp to the block, thread, PTX line and source line that a fault names.
#include "kernels/ptx/machine/state.hpp"

namespace ridge::ptx {

FaultPlace place_of(const Warp& w, const Op& op, int lane) {
  const LaunchState& launch = *w.worker->launch;
  const Kernel& kernel = *launch.kernel;
  const Site& site = kernel.sites[op.site];
  FaultPlace p;
  p.kernel = kernel.name;
  p.instruction = site.text;
  p.ptx_line = site.where.line;
  p.source_line = site.where.source_line;
  const auto file = static_cast<std::size_t>(site.where.file);
  if (file < kernel.files.size()) p.source_file = kernel.files[file];
  p.block = w.block->index;
  const u32 thread = w.index * 32 + static_cast<u32>(lane < 0 ? 0 : lane);
  p.thread = {thread % launch.block.x, thread / launch.block.x % launch.block.y,
              thread / launch.block.x / launch.block.y};
  return p;
}

void fail(FaultKind kind, const Warp& w, const Op& op, int lane, const std::string& message, FaultPlace extra) {
  FaultPlace p = place_of(w, op, lane);
  p.address = extra.address;
  p.bytes = extra.bytes;
  p.space = std::move(extra.space);
  p.allocation = std::move(extra.allocation);
  throw Fault(kind, message, std::move(p));
}

}  // namespace ridge::ptx
