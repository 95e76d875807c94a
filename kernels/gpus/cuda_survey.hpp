// From the driver's table and NVML to plain facts.
#pragma once

#include "kernels/device/cuda/device.hpp"
#include "kernels/device/cuda/nvml_facts.hpp"
#include "kernels/gpus/survey.hpp"

namespace ridge::gpus {

// `nvml` may be null, with the reason why. A GPU whose properties cannot be read ends the survey there, with the
// reason.
Survey survey_devices(const device::cuda::Devices& devices, device::Kind kind,
                      const std::shared_ptr<const device::cuda::Nvml>& nvml, const std::string& nvml_reason);

}  // namespace ridge::gpus
