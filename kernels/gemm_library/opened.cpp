// Opening, and the reasons why not; what a problem is called in them.
#include "kernels/gemm_library/opened.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace ridge::gemm {

Opened::Opened(const device::LibraryOpener& opener, const char* name, const char* package)
    : opener_(&opener), name_(name) {
  const auto opened = opener.open(name);
  if (opened.handle == nullptr) {
    const bool missing = opened.error.empty() || opened.error.find("No such file") != std::string::npos;
    if (missing) throw device::Absent(fmt::format("{} not found (Debian and Ubuntu: {})", name, package));
    throw device::Absent(fmt::format("{} cannot be opened: {}", name, opened.error));
  }
  handle_ = opened.handle;
}

void* Opened::required(const char* symbol) const {
  void* const found = opener_->symbol(handle_, symbol);
  if (found == nullptr)
    throw device::Absent(fmt::format("{} has no {}: another version than is known here", name_, symbol));
  return found;
}

std::string extents_of(const Problem& p) {
  return fmt::format("m {}, n {}, k {}", p.m, p.n, p.k);
}

std::string arrangement_of(const Problem& p) {
  return fmt::format("layout {}{}, batch {}{}", p.a_transposed ? 't' : 'n', p.b_transposed ? 't' : 'n', p.batch,
                     p.beta == 0 ? "" : fmt::format(", beta {}", p.beta));
}

std::string described(const Problem& p) {
  return fmt::format("{}, {}·{} → {}, {}, {} thread{}", extents_of(p), name_of(p.a), name_of(p.b), name_of(p.c),
                     arrangement_of(p), p.threads, p.threads == 1 ? "" : "s");
}

std::string set_among(std::initializer_list<const char*> names, const Environment& environment) {
  std::string set;
  for (const char* name : names)
    if (const char* const value = environment(name))
      set += fmt::format("{}{}={}", set.empty() ? "" : ", ", name, value);
  return set.substr(0, 200);
}

Environment process_environment() {
  return [](const char* name) -> const char* {
    return std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here writes the environment
  };
}

}  // namespace ridge::gemm
