// From what the host says to the machine of the report, sorted into its three tiers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "kernels/device/cpu/host.hpp"
#include "kernels/device/driver_probe.hpp"
#include "kernels/gpus/survey.hpp"
#include "reports/record/machine.hpp"

namespace ridge::bench {

// The value of an environment variable; nothing when it is not set.
using Environment = std::function<std::optional<std::string>(const char* name)>;
Environment process_environment();

// Only variables of a fixed short list are ever looked at: those that change what is measured.
record::Machine make_machine(const device::cpu::Host& host, const device::DriverProbe& driver = {},
                             const Environment& environment = process_environment());

// Adds what a survey says of GPUs, sorted into the same tiers. Of two surveys the second one adds to the first.
void add_gpus(record::Machine& machine, const gpus::Survey& survey);

// "24 GiB": total memory rounded up to 2^n or, from 3 GiB on, 3·2^n, as a machine shows less than is installed. MiB
// below 1 GiB. Nothing for sizes below 1 MiB.
std::optional<std::string> memory_class(std::int64_t bytes);

}  // namespace ridge::bench
