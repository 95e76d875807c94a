// A library opened once for the process, and its functions by name.
#pragma once

#include <string>

#include "kernels/device/device.hpp"
#include "kernels/gemm_library/library.hpp"

namespace ridge::gemm {

// Never closed: both libraries keep threads that would run on in unmapped code.
class Opened {
 public:
  // device::Absent: "libopenblas.so.0 not found (Debian and Ubuntu: libopenblas0-pthread)".
  Opened(const device::LibraryOpener& opener, const char* name, const char* package);

  // device::Absent where the library has no such function.
  template <class Function>
  void take(Function& function, const char* symbol) const {
    function = reinterpret_cast<Function>(required(symbol));
  }
  // nullptr where it has none.
  template <class Function>
  void take_if_there(Function& function, const char* symbol) const {
    function = reinterpret_cast<Function>(opener_->symbol(handle_, symbol));
  }

 private:
  [[nodiscard]] void* required(const char* symbol) const;
  const device::LibraryOpener* opener_;
  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace ridge::gemm
