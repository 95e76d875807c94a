// cuBLASLt as a table of functions: from libcublasLt.so.13 or .12 at run time, or from the stand-in.
#pragma once

#include <cublasLt.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>

#include "kernels/device/driver_probe.hpp"

namespace ridge::cublaslt {

// Without "cublasLt". What is used has the same signature in both versions.
// clang-format off
#define RIDGE_CUBLASLT_FUNCTIONS(X) \
  X(Create) X(Destroy) X(GetStatusName) X(GetVersion) X(MatmulDescCreate) X(MatmulDescDestroy) \
  X(MatmulDescSetAttribute) X(MatrixLayoutCreate) X(MatrixLayoutDestroy) X(MatrixLayoutSetAttribute) \
  X(MatmulPreferenceCreate) X(MatmulPreferenceDestroy) X(MatmulPreferenceSetAttribute) X(MatmulAlgoGetHeuristic) \
  X(MatmulAlgoConfigGetAttribute) X(Matmul)
// clang-format on

// Entries are std::function so that the stand-in can be a table without being global, as for the driver.
struct Table {
#define RIDGE_ENTRY(name) std::function<std::remove_pointer_t<decltype(&::cublasLt##name)>> name;
  RIDGE_CUBLASLT_FUNCTIONS(RIDGE_ENTRY)
#undef RIDGE_ENTRY
  std::string source;  // "cuBLASLt 13.0.2 (libcublasLt.so.13)", "the stand-in for cuBLASLt"
};

// The newest of the known versions that is there; it stays open until the process ends, as GPUs may be at work in it.
// device::Absent: "libcublasLt.so.13 not found, nor libcublasLt.so.12 (…)", or the function that it lacks.
std::shared_ptr<const Table> load(const device::LibraryOpener& opener);

}  // namespace ridge::cublaslt
