// Every way the driver's library can be missing or broken has its own reason; a working one gives its version.
#include "kernels/device/driver_probe.hpp"

#include <catch2/catch.hpp>

using namespace ridge::device;

namespace {

int driver_13(int* version) {
  *version = 13010;
  return 0;
}
int stub_library(int*) {
  return 34;
}
int no_kernel_driver(int* version) {
  *version = 0;
  return 0;
}

struct Fake {
  int (*get_version)(int*) = nullptr;
  std::string error = {};
  bool opens = true;
  int open = 0;  // handles not closed
  std::string name = {};

  LibraryOpener opener() {
    return {[this](const char* library) -> LibraryOpener::Opened {
              name = library;
              if (!opens) return {nullptr, error};
              ++open;
              return {this, {}};
            },
            [this](void*, const char* symbol) -> void* {
              return std::string(symbol) == "cuDriverGetVersion" ? reinterpret_cast<void*>(get_version) : nullptr;
            },
            [this](void*) { --open; }};
  }
};

}  // namespace

TEST_CASE("a working driver gives the CUDA version it supports and is closed again") {
  Fake fake{.get_version = driver_13};
  const auto probe = probe_cuda_driver(fake.opener());
  CHECK(probe.cuda_version == "13.1");
  CHECK(probe.reason.empty());
  CHECK(fake.name == "libcuda.so.1");
  CHECK(fake.open == 0);
}

TEST_CASE("a missing library is no driver, named") {
  Fake fake{.error = "libcuda.so.1: cannot open shared object file: No such file or directory", .opens = false};
  const auto probe = probe_cuda_driver(fake.opener());
  CHECK_FALSE(probe.cuda_version);
  CHECK(probe.reason == "libcuda.so.1 not found: no NVIDIA driver");
}

TEST_CASE("a library that is there but does not open says why") {
  Fake fake{.error = "libcuda.so.1: file too short", .opens = false};
  CHECK(probe_cuda_driver(fake.opener()).reason == "libcuda.so.1 cannot be opened: libcuda.so.1: file too short");
}

TEST_CASE("a library that does not work is closed again and has its own reason") {
  Fake foreign;
  CHECK(probe_cuda_driver(foreign.opener()).reason == "libcuda.so.1 has no cuDriverGetVersion: not an NVIDIA driver");
  CHECK(foreign.open == 0);

  Fake stub{.get_version = stub_library};
  CHECK(probe_cuda_driver(stub.opener()).reason == "libcuda.so.1 does not work: cuDriverGetVersion answered 34");
  CHECK(stub.open == 0);

  Fake lonely{.get_version = no_kernel_driver};
  const auto probe = probe_cuda_driver(lonely.opener());
  CHECK_FALSE(probe.cuda_version);
  CHECK(probe.reason == "libcuda.so.1 is here, but no NVIDIA kernel driver");
}

TEST_CASE("the system's own opener names a library that cannot be there") {
  const auto opened = system_opener().open("libridge-no-such-library.so.1");
  CHECK(opened.handle == nullptr);
  CHECK(opened.error.find("libridge-no-such-library.so.1") != std::string::npos);
}
