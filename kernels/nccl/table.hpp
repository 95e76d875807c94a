// NCCL as a table of functions: from libnccl.so.2 at run time, or from the stand-in.
#pragma once

#include <nccl.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>

#include "kernels/device/driver_probe.hpp"

namespace ridge::nccl {

// Without "nccl". All of them are in each version from 2.13 on, which ncclGetLastError came with.
// clang-format off
#define RIDGE_NCCL_FUNCTIONS(X) \
  X(GetVersion) X(GetErrorString) X(GetLastError) X(GetUniqueId) X(CommInitAll) X(CommInitRank) X(CommDestroy) X(CommAbort) X(CommGetAsyncError) \
  X(GroupStart) X(GroupEnd) X(AllReduce) X(Reduce) X(Broadcast) X(AllGather) X(ReduceScatter) X(Send) X(Recv)
// clang-format on

// Entries are std::function so that the stand-in can be a table without being global, as for the driver.
struct Table {
#define RIDGE_ENTRY(name) std::function<std::remove_pointer_t<decltype(&::nccl##name)>> name;
  RIDGE_NCCL_FUNCTIONS(RIDGE_ENTRY)
#undef RIDGE_ENTRY
  std::string source;  // "NCCL 2.28.9 (known here: 2.28.9)", "the stand-in for NCCL"
};

// "2.28.9" for 22809; 2.8 and older counted by thousands.
std::string version_text(int code);

// It stays open until the process ends, as GPUs may be at work in it. device::Absent: "libnccl.so.2 not found (…)", or
// the function that it lacks.
std::shared_ptr<const Table> load(const device::LibraryOpener& opener);

}  // namespace ridge::nccl
