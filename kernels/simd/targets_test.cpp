// Our answer against that of Highway's own library, where it is installed.
#include <dlfcn.h>
#include <hwy/targets.h>
#include <catch2/catch.hpp>

#include "tests/support/skip.hpp"

TEST_CASE("the sets that are compiled and supported are those that Highway's library names") {
  void* const library = dlopen("libhwy.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return ridge::test::skip("needs libhwy.so.1");
  using Function = std::int64_t (*)();
  const auto theirs = reinterpret_cast<Function>(dlsym(library, "_ZN3hwy16SupportedTargetsEv"));
  REQUIRE(theirs != nullptr);
  REQUIRE(theirs != &hwy::SupportedTargets);
#if HWY_ARCH_X86
  CHECK((hwy::SupportedTargets() & HWY_TARGETS) == (theirs() & HWY_TARGETS));
#else  // the baseline alone is asked for
  CHECK((hwy::SupportedTargets() & ~theirs()) == 0);
#endif
  dlclose(library);
}

TEST_CASE("there is always one set to fall back on") {
  CHECK((hwy::SupportedTargets() & HWY_TARGETS) != 0);
  CHECK(&hwy::GetChosenTarget() == &hwy::GetChosenTarget());
}
