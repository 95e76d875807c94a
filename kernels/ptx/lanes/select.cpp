// Picks the table of handlers for the processor that runs this.
#include <string_view>

#include "kernels/ptx/lanes/handlers.hpp"

namespace ridge::ptx {

namespace base {
const Handlers& table();
}
#if defined(RIDGE_PTX_WIDE_LANES)
namespace v3 {
const Handlers& table();
}
namespace v4 {
const Handlers& table();
}
#endif

const Handlers* handlers_named(const char* name) {
  const std::string_view wanted = name;
#if defined(RIDGE_PTX_WIDE_LANES)
  __builtin_cpu_init();
  const bool has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool has_v4 = has_v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  if (wanted == "v4") return has_v4 ? &v4::table() : nullptr;
  if (wanted == "v3") return has_v3 ? &v3::table() : nullptr;
#endif
  return wanted == "base" ? &base::table() : nullptr;
}

const Handlers& handlers() {
  static const Handlers& best = []() -> const Handlers& {
    for (const char* name : {"v4", "v3"}) {
      if (const Handlers* table = handlers_named(name)) return *table;
    }
    return base::table();
  }();
  return best;
}

}  // namespace ridge::ptx
