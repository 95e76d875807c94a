// Opening by versioned name, and the reasons why not.
#include "kernels/cublaslt/table.hpp"

#include <fmt/format.h>

#include "kernels/device/device.hpp"

namespace ridge::cublaslt {
namespace {

constexpr const char* names[] = {"libcublasLt.so.13", "libcublasLt.so.12"};

template <class Entry>
void take(std::function<Entry>& entry, const device::LibraryOpener& opener, void* handle, const char* library,
          const char* symbol) {
  void* const found = opener.symbol(handle, symbol);
  if (found == nullptr) throw device::Absent(fmt::format("{} has no {}", library, symbol));
  entry = reinterpret_cast<Entry*>(found);
}

}  // namespace

std::shared_ptr<const Table> load(const device::LibraryOpener& opener) {
  std::string reason;
  for (const char* name : names) {
    const auto opened = opener.open(name);
    if (opened.handle == nullptr) {
      const bool missing = opened.error.empty() || opened.error.find("No such file") != std::string::npos;
      reason += fmt::format("{}{} {}", reason.empty() ? "" : ", ", name,
                            missing ? "not found" : "cannot be opened: " + opened.error);
      continue;
    }
    auto table = std::make_shared<Table>();
#define RIDGE_TAKE(function) take(table->function, opener, opened.handle, name, "cublasLt" #function);
    RIDGE_CUBLASLT_FUNCTIONS(RIDGE_TAKE)
#undef RIDGE_TAKE
    const std::size_t version = table->GetVersion();  // 130002 is 13.0.2
    table->source = fmt::format("cuBLASLt {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
    return table;
  }
  throw device::Absent(reason + " (CUDA Toolkit, or Python's nvidia-cublas; --library-path names other folders)");
}

}  // namespace ridge::cublaslt
