// GPUs in the machine: what makes reports comparable, what may explain a change, what is incidental.
#include <catch2/catch.hpp>

#include "bench/harness/machine.hpp"
#include "reports/record/machine_diff.hpp"

using namespace ridge;
using device::Kind;

namespace {

gpus::Survey survey() {
  gpus::GpuFacts gpu;
  gpu.name = {Kind::cuda, 0};
  gpu.model = "NVIDIA H200";
  gpu.uuid = "GPU-0";
  gpu.pci_address = "0000:17:00.0";
  gpu.capability = "9.0";
  gpu.memory_bytes = 151397597184;
  gpu.multiprocessors = 132;
  gpu.clock_max_hz = 1980e6;
  gpu.link_generation = 1;
  gpu.link_generation_max = 5;
  gpu.link_width = gpu.link_width_max = 16;
  gpu.power_limit_w = 600;
  gpu.power_limit_default_w = 700;
  gpu.ecc = true;
  gpu.mig = false;
  gpu.nvlinks = 18;
  gpu.peers = {{{Kind::cuda, 1}, true, 18}, {{Kind::cuda, 2}, false, {}}};
  gpus::Survey s;
  s.gpus = {gpu};
  s.driver = "580.65.06";
  s.cuda = "13.0";
  s.libraries["nvml"] = "13.580.65.06";
  return s;
}

record::Machine machine_with(const gpus::Survey& s) {
  record::Machine machine;
  bench::add_gpus(machine, s);
  return machine;
}

}  // namespace

TEST_CASE("each fact of a GPU is in its tier") {
  const auto machine = machine_with(survey());
  REQUIRE(machine.identity.gpus.size() == 1);
  CHECK(machine.identity.gpus[0].model == "NVIDIA H200");
  CHECK(machine.identity.gpus[0].memory_bytes == 151397597184);
  CHECK(machine.identity.gpus[0].link_generation == 5);
  CHECK(machine.identity.gpus[0].link_width == 16);
  CHECK(machine.software.driver == "580.65.06");
  CHECK(machine.software.cuda == "13.0");
  CHECK(machine.software.libraries.at("nvml") == "13.580.65.06");
  CHECK(machine.software.gpu_settings.at("cuda:0") ==
        "132 SMs, SM clock up to 1980 MHz, power limit 600 W (default 700 W), ECC on, MIG off, 18 NVLinks active");
  CHECK(machine.software.gpu_settings.at("cuda:0 peers") == "cuda:1 NVLink x18, cuda:2 through the host");
  CHECK(machine.incidental.gpus.at("cuda:0") == "GPU-0, 0000:17:00.0, link now generation 1 x16");
}

TEST_CASE(
    "which GPU of a kind and an idle link do not change identity, but memory, slice and what the link can do at most") {
  auto other = survey();
  other.gpus[0].uuid = "GPU-1";
  other.gpus[0].pci_address = "0000:18:00.0";
  other.gpus[0].link_generation = 5;
  other.gpus[0].power_limit_w = 700;
  CHECK(record::same_identity(machine_with(survey()), machine_with(other)));
  other.gpus[0].link_width_max = 8;
  CHECK_FALSE(record::same_identity(machine_with(survey()), machine_with(other)));
  other = survey();
  other.gpus[0].mig_slice = "1g.18gb";
  CHECK_FALSE(record::same_identity(machine_with(survey()), machine_with(other)));
}

TEST_CASE("without GPUs only what the driver said is known") {
  gpus::Survey none;
  none.reason = "driver 12.4 < 13.0";
  none.cuda = "12.4";
  const auto machine = machine_with(none);
  CHECK(machine.identity.gpus.empty());
  CHECK(machine.software.cuda == "12.4");
  CHECK_FALSE(machine.software.driver);
  CHECK(machine.software.gpu_settings.empty());
}
