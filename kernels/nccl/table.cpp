// Opening by versioned name, and the reasons why not.
#include "kernels/nccl/table.hpp"

#include <fmt/format.h>

#include "kernels/device/device.hpp"

namespace ridge::nccl {
namespace {

constexpr const char* library = "libnccl.so.2";

template <class Entry>
void take(std::function<Entry>& entry, const device::LibraryOpener& opener, void* handle, const char* symbol) {
  void* const found = opener.symbol(handle, symbol);
  if (found == nullptr) throw device::Absent(fmt::format("{} has no {}: NCCL 2.13 or newer has", library, symbol));
  entry = reinterpret_cast<Entry*>(found);
}

}  // namespace

std::string version_text(int code) {
  const int unit = code < 10000 ? 1000 : 10000;
  return fmt::format("{}.{}.{}", code / unit, code % unit / 100, code % 100);
}

std::shared_ptr<const Table> load(const device::LibraryOpener& opener) {
  const auto opened = opener.open(library);
  if (opened.handle == nullptr) {
    const bool missing = opened.error.empty() || opened.error.find("No such file") != std::string::npos;
    throw device::Absent(missing
                             ? fmt::format("{} not found (NVIDIA's package libnccl2, or Python's nvidia-nccl)", library)
                             : fmt::format("{} cannot be opened: {}", library, opened.error));
  }
  auto table = std::make_shared<Table>();
#define RIDGE_TAKE(function) take(table->function, opener, opened.handle, "nccl" #function);
  RIDGE_NCCL_FUNCTIONS(RIDGE_TAKE)
#undef RIDGE_TAKE
  int version = 0;
  if (table->GetVersion(&version) != ncclSuccess) throw device::Absent("ncclGetVersion gives no version");
  table->source = fmt::format("NCCL {} (known here: {})", version_text(version), version_text(NCCL_VERSION_CODE));
  return table;
}

}  // namespace ridge::nccl
