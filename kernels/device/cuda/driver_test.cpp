// Every way in which libcuda.so.1 can be unfit has its own reason, before any function of it is used.
#include "kernels/device/cuda/driver.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace ridge::device;
using cuda::load_driver;

namespace {

int version_answer = 13000;
CUresult init_answer = CUDA_SUCCESS;

int get_version(int* version) {
  *version = version_answer;
  return 0;
}
CUresult init(unsigned) {
  return init_answer;
}
CUresult error_name(CUresult, const char** name) {
  *name = "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH";
  return CUDA_SUCCESS;
}
int anything() {
  return 0;
}

struct Library {
  std::set<std::string> missing = {};
  std::set<std::string> asked = {};
  int open = 0;

  LibraryOpener opener() {
    return {[this](const char*) -> LibraryOpener::Opened {
              ++open;
              return {this, {}};
            },
            [this](void*, const char* symbol) -> void* {
              const std::string name = symbol;
              asked.insert(name);
              if (missing.count(name) != 0) return nullptr;
              if (name == "cuDriverGetVersion") return reinterpret_cast<void*>(get_version);
              if (name == "cuInit") return reinterpret_cast<void*>(init);
              if (name == "cuGetErrorName") return reinterpret_cast<void*>(error_name);
              return reinterpret_cast<void*>(anything);
            },
            [this](void*) { --open; }};
  }
};

}  // namespace

TEST_CASE("a driver that is new enough fills the table, and is closed with it") {
  version_answer = 13020;
  init_answer = CUDA_SUCCESS;
  Library library;
  {
    const auto loaded = load_driver(library.opener(), 13000);
    REQUIRE(loaded.driver);
    CHECK(loaded.reason.empty());
    CHECK(loaded.driver->version_text() == "13.2");
    CHECK(loaded.cuda_version == "13.2");
    CHECK(loaded.driver->source == "libcuda.so.1");
    CHECK_FALSE(loaded.driver->modelled);
    CHECK(library.open == 1);
  }
  CHECK(library.open == 0);
}

TEST_CASE("functions are looked up under the versioned names that fit their types") {
  version_answer = 13000;
  Library library;
  load_driver(library.opener(), 13000);
  for (const char* name : {"cuMemAlloc_v2", "cuEventElapsedTime_v2", "cuStreamBeginCapture_v2", "cuDeviceGetUuid_v2",
                           "cuGraphInstantiateWithFlags", "cuDevicePrimaryCtxRelease_v2", "cuLaunchKernel"}) {
    INFO(name);
    CHECK(library.asked.count(name) == 1);
  }
  CHECK(library.asked.count("cuMemAlloc") == 0);
}

TEST_CASE("an older driver than the kernels need is named with both versions, and closed") {
  version_answer = 12040;
  Library library;
  const auto loaded = load_driver(library.opener(), 13000);
  CHECK_FALSE(loaded.driver);
  CHECK(loaded.reason == "driver 12.4 < 13.0");
  CHECK(loaded.cuda_version == "12.4");
  CHECK(library.open == 0);
}

TEST_CASE("a missing function is named") {
  version_answer = 13000;
  Library library{.missing = {"cuGraphLaunch"}};
  const auto loaded = load_driver(library.opener(), 13000);
  CHECK_FALSE(loaded.driver);
  CHECK(loaded.reason == "libcuda.so.1 (13.0) has no cuGraphLaunch");
  CHECK(library.open == 0);
}

TEST_CASE("a driver without a GPU, and one that does not start") {
  version_answer = 13000;
  Library library;
  init_answer = CUDA_ERROR_NO_DEVICE;
  CHECK(load_driver(library.opener(), 13000).reason == "the NVIDIA driver finds no GPU");
  init_answer = CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
  CHECK(load_driver(library.opener(), 13000).reason ==
        "the NVIDIA driver does not start: cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH");
  init_answer = CUDA_SUCCESS;
}

TEST_CASE("what the driver must at least be is the toolkit's major version") {
  CHECK(cuda::required_version == CUDA_VERSION / 1000 * 1000);
  CHECK(cuda::required_version % 1000 == 0);
}
