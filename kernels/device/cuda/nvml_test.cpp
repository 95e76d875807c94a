// NVML as it is met: whole, old, in part, without permission, with a lost GPU, throttled.
#include "kernels/device/cuda/nvml.hpp"

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstring>
#include <set>

#include "kernels/device/cuda/nvml_facts.hpp"

using namespace ridge::device;
using cuda::Nvml;
using cuda::NvmlGpu;
namespace nvml = cuda::nvml;

namespace {

int state = 0;
nvml::Handle the_gpu() {
  return reinterpret_cast<nvml::Handle>(&state);
}

// A table of a GPU on which everything is supported.
Nvml full() {
  Nvml t;
  t.error_string = [](int status) {
    return status == nvml::gpu_is_lost ? "GPU is lost" : status == nvml::not_found ? "Not Found" : "Not Supported";
  };
  t.by_uuid = [](const char* uuid, nvml::Handle* h) {
    *h = the_gpu();
    return std::strcmp(uuid, "GPU-1") == 0 ? nvml::success : nvml::not_found;
  };
  t.by_pci = [](const char* address, nvml::Handle* h) {
    *h = the_gpu();
    return std::strcmp(address, "0000:17:00.0") == 0 ? nvml::success : nvml::not_found;
  };
  const auto number = [](unsigned value) {
    return [value](nvml::Handle, unsigned* out) {
      *out = value;
      return nvml::success;
    };
  };
  t.link_generation = number(1);
  t.link_generation_max = number(5);
  t.link_width = number(8);
  t.link_width_max = number(16);
  t.power = number(123'456);
  t.power_limit = number(600'000);
  t.power_limit_default = number(700'000);
  t.clock = [](nvml::Handle, int, unsigned* out) {
    *out = 1755;
    return nvml::success;
  };
  t.clock_max = [](nvml::Handle, int kind, unsigned* out) {
    *out = kind == nvml::clock_sm ? 1980 : 3201;
    return nvml::success;
  };
  t.temperature = [](nvml::Handle, nvml::Temperature* out) {
    if (out->version != 0x0100000c || out->sensor != 0) return nvml::not_supported;
    out->celsius = 61;
    return nvml::success;
  };
  t.clock_reasons = [](nvml::Handle, std::uint64_t* out) {
    *out = nvml::reason_idle;
    return nvml::success;
  };
  t.ecc = [](nvml::Handle, int* now, int* later) {
    *now = 1;
    *later = 0;
    return nvml::success;
  };
  t.mig = [](nvml::Handle, unsigned* now, unsigned* later) {
    *now = 0;
    *later = 1;
    return nvml::success;
  };
  t.persistence = [](nvml::Handle, int* on) {
    *on = 1;
    return nvml::success;
  };
  t.compute_mode = [](nvml::Handle, int* mode) {
    *mode = 3;
    return nvml::success;
  };
  t.nvlink_active = [](nvml::Handle, unsigned link, int* active) {
    *active = link != 1;
    return link < 4 ? nvml::success : nvml::not_supported;
  };
  t.nvlink_remote = [](nvml::Handle, unsigned link, nvml::PciInfo* info) {
    std::snprintf(info->bus_id, sizeof info->bus_id, "00000000:%02X:00.0", link == 0 ? 0x18 : 0x2A);
    return nvml::success;
  };
  return t;
}

}  // namespace

TEST_CASE("everything that NVML tells becomes a fact with its unit") {
  const auto facts = NvmlGpu(std::make_shared<Nvml>(full()), "GPU-1", "").facts();
  CHECK(facts.link_generation == 1);
  CHECK(facts.link_generation_max == 5);
  CHECK(facts.link_width == 8);
  CHECK(facts.link_width_max == 16);
  CHECK(facts.clock_max_hz == 1980e6);
  CHECK(facts.memory_clock_max_hz == 3201e6);
  CHECK(facts.power_limit_w == 600.0);
  CHECK(facts.power_limit_default_w == 700.0);
  CHECK(facts.ecc == true);
  CHECK(facts.mig == false);
  CHECK(facts.persistence == true);
  CHECK(facts.compute_mode == "exclusive process");
  CHECK(facts.nvlinks == 3);
  CHECK(facts.nvlink_remotes == std::vector<std::string>{"0000:18:00.0", "0000:2a:00.0", "0000:2a:00.0"});
}

TEST_CASE("what is not supported, or not in this library, is unknown and no error") {
  auto table = full();
  table.link_width = [](nvml::Handle, unsigned*) { return nvml::not_supported; };
  table.power_limit = [](nvml::Handle, unsigned*) { return nvml::no_permission; };
  table.ecc = nullptr;
  table.nvlink_active = [](nvml::Handle, unsigned, int*) { return nvml::not_supported; };
  table.clock_reasons = nullptr;
  table.temperature = nullptr;
  const NvmlGpu gpu(std::make_shared<Nvml>(table), "GPU-1", "");
  const auto facts = gpu.facts();
  CHECK_FALSE(facts.link_width);
  CHECK_FALSE(facts.power_limit_w);
  CHECK_FALSE(facts.ecc);
  CHECK_FALSE(facts.nvlinks);
  CHECK(facts.link_width_max == 16);
  const auto sample = gpu.sample();
  CHECK_FALSE(sample.throttled);
  CHECK_FALSE(sample.temperature_c);
  CHECK(sample.power_w == Approx(123.456));
}

TEST_CASE("an older library's temperature is asked where the newer call is missing or refused") {
  auto table = full();
  table.temperature = [](nvml::Handle, nvml::Temperature*) { return nvml::not_supported; };
  table.temperature_of_sensor = [](nvml::Handle, int sensor, unsigned* out) {
    *out = 59;
    return sensor == 0 ? nvml::success : nvml::not_supported;
  };
  CHECK(NvmlGpu(std::make_shared<Nvml>(table), "GPU-1", "").sample().temperature_c == 59.0);
}

TEST_CASE("a GPU is found by UUID, as a MIG slice, or by PCI address, and by nothing else") {
  auto table = full();
  CHECK_NOTHROW(NvmlGpu(std::make_shared<Nvml>(table), "GPU-1", "0000:99:00.0"));
  CHECK_NOTHROW(NvmlGpu(std::make_shared<Nvml>(table), "GPU-2", "0000:17:00.0"));
  CHECK_THROWS_WITH(NvmlGpu(std::make_shared<Nvml>(table), "GPU-2", "0000:99:00.0"),
                    "NVML does not know GPU-2 at 0000:99:00.0: Not Found");
  table.by_uuid = [](const char* uuid, nvml::Handle* h) {
    *h = the_gpu();
    return std::strcmp(uuid, "MIG-2") == 0 ? nvml::success : nvml::not_found;
  };
  CHECK_NOTHROW(NvmlGpu(std::make_shared<Nvml>(table), "GPU-2", ""));
}

TEST_CASE("a lost GPU is an error in words") {
  auto table = full();
  table.by_uuid = [](const char*, nvml::Handle*) { return nvml::gpu_is_lost; };
  table.by_pci = nullptr;
  CHECK_THROWS_WITH(NvmlGpu(std::make_shared<Nvml>(table), "GPU-1", ""), Catch::Contains("GPU is lost"));
  table = full();
  table.clock = [](nvml::Handle, int, unsigned*) { return nvml::gpu_is_lost; };
  CHECK_THROWS_WITH(NvmlGpu(std::make_shared<Nvml>(table), "GPU-1", "").sample(), "NVML: GPU is lost");
}

TEST_CASE("idling and settings are no throttling, while heat, power and the board are, in words") {
  CHECK(cuda::throttle_text(0).empty());
  CHECK(cuda::throttle_text(nvml::reason_idle | nvml::reason_application_setting | nvml::reason_sync_boost).empty());
  CHECK(cuda::throttle_text(nvml::reason_power_cap) == "power cap");
  CHECK(cuda::throttle_text(nvml::reason_power_cap | nvml::reason_thermal_hardware) ==
        "power cap, hardware thermal slowdown");
  auto table = full();
  table.clock_reasons = [](nvml::Handle, std::uint64_t* out) {
    *out = nvml::reason_thermal_software;
    return nvml::success;
  };
  const auto sample = NvmlGpu(std::make_shared<Nvml>(table), "GPU-1", "").sample();
  CHECK(sample.throttled == true);
  CHECK(sample.throttle_reason == "thermal slowdown");
  CHECK(NvmlGpu(std::make_shared<Nvml>(full()), "GPU-1", "").sample().throttled == false);
}

TEST_CASE("PCI addresses of both spellings are one") {
  CHECK(cuda::normal_pci_address("00000000:17:00.0") == "0000:17:00.0");
  CHECK(cuda::normal_pci_address("0000:AF:00.0") == "0000:af:00.0");
  CHECK(cuda::normal_pci_address("00010000:17:00.0") == "00010000:17:00.0");
  CHECK(cuda::normal_pci_address("").empty());
}

TEST_CASE("newer names are preferred, older ones accepted, and a library that lacks the most basic is refused") {
  std::set<std::string> missing{"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetTemperatureV"};
  std::set<std::string> asked;
  static int starts = 0;
  static int stops = 0;
  starts = stops = 0;
  LibraryOpener opener{[](const char*) -> LibraryOpener::Opened {
                         return {&state, {}};
                       },
                       [&](void*, const char* name) -> void* {
                         asked.insert(name);
                         if (missing.count(name) != 0) return nullptr;
                         if (std::strcmp(name, "nvmlInit_v2") == 0)
                           return reinterpret_cast<void*>(+[] { return ++starts, 0; });
                         return reinterpret_cast<void*>(+[] { return ++stops, 0; });
                       },
                       [](void*) {}};
  {
    const auto loaded = cuda::load_nvml(opener);
    REQUIRE(loaded.nvml);
    CHECK(loaded.nvml->clock_reasons);
    CHECK_FALSE(loaded.nvml->temperature);
    CHECK(asked.count("nvmlDeviceGetCurrentClocksThrottleReasons") == 1);
    CHECK(starts == 1);
  }
  CHECK(stops == 1);
  missing = {"nvmlInit_v2"};
  CHECK(cuda::load_nvml(opener).reason == "libnvidia-ml.so.1 has no nvmlInit_v2 or no nvmlShutdown");
  opener.open = [](const char*) -> LibraryOpener::Opened { return {nullptr, "no"}; };
  CHECK(cuda::load_nvml(opener).reason == "libnvidia-ml.so.1 not found");
}
