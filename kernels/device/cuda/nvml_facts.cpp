// Asking NVML about one GPU.
#include "kernels/device/cuda/nvml_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace ridge::device::cuda {
namespace {

constexpr unsigned most_nvlinks = 18;  // NVML_NVLINK_MAX_LINKS

// The value that `entry` writes, or nothing: no such function, not supported, no permission.
template <class V, class Entry, class... In>
std::optional<V> ask(const Entry& entry, nvml::Handle handle, In... in) {
  V value{};
  if (!entry || entry(handle, in..., &value) != nvml::success) return std::nullopt;
  return value;
}

template <class V>
std::optional<V> first_of_two(const std::function<nvml::Return(nvml::Handle, V*, V*)>& entry, nvml::Handle handle) {
  V now{};
  V later{};
  if (!entry || entry(handle, &now, &later) != nvml::success) return std::nullopt;
  return now;
}

std::optional<int> as_int(std::optional<unsigned> value) {
  return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
}
std::optional<double> scaled(std::optional<unsigned> value, double factor) {
  return value ? std::optional<double>(*value * factor) : std::nullopt;
}
template <class V>
std::optional<bool> as_bool(std::optional<V> value) {
  return value ? std::optional<bool>(*value != 0) : std::nullopt;
}

std::optional<std::string> compute_mode_text(std::optional<int> mode) {
  if (!mode) return std::nullopt;
  constexpr std::array<const char*, 4> names{"default", "exclusive thread", "prohibited", "exclusive process"};
  if (*mode < 0 || *mode >= static_cast<int>(names.size())) return std::nullopt;
  return names[static_cast<std::size_t>(*mode)];
}

}  // namespace

NvmlGpu::NvmlGpu(std::shared_ptr<const Nvml> nvml, const std::string& uuid, const std::string& pci_address)
    : nvml_(std::move(nvml)) {
  nvml::Return last = nvml::not_found;
  if (nvml_->by_uuid) {
    last = nvml_->by_uuid(uuid.c_str(), &handle_);
    if (last == nvml::success) return;
    // CUDA gives a MIG slice's identity as bare bytes; NVML spells the same with another prefix.
    if (uuid.rfind("GPU-", 0) == 0 && nvml_->by_uuid(("MIG-" + uuid.substr(4)).c_str(), &handle_) == nvml::success)
      return;
  }
  if (nvml_->by_pci && !pci_address.empty()) {
    last = nvml_->by_pci(pci_address.c_str(), &handle_);
    if (last == nvml::success) return;
  }
  throw std::runtime_error(fmt::format("NVML does not know {} at {}: {}", uuid, pci_address, nvml_->text(last)));
}

NvmlFacts NvmlGpu::facts() const {
  const Nvml& n = *nvml_;
  NvmlFacts f;
  std::array<char, 96> text{};
  if (n.name && n.name(handle_, text.data(), static_cast<unsigned>(text.size())) == nvml::success) f.name = text.data();
  if (const auto memory = ask<nvml::Memory>(n.memory, handle_)) f.memory_free = static_cast<std::int64_t>(memory->free);
  f.link_generation = as_int(ask<unsigned>(n.link_generation, handle_));
  f.link_generation_max = as_int(ask<unsigned>(n.link_generation_max, handle_));
  f.link_width = as_int(ask<unsigned>(n.link_width, handle_));
  f.link_width_max = as_int(ask<unsigned>(n.link_width_max, handle_));
  f.clock_max_hz = scaled(ask<unsigned>(n.clock_max, handle_, nvml::clock_sm), 1e6);
  f.memory_clock_max_hz = scaled(ask<unsigned>(n.clock_max, handle_, nvml::clock_memory), 1e6);
  f.power_limit_w = scaled(ask<unsigned>(n.power_limit, handle_), 1e-3);
  f.power_limit_default_w = scaled(ask<unsigned>(n.power_limit_default, handle_), 1e-3);
  f.ecc = as_bool(first_of_two(n.ecc, handle_));
  f.mig = as_bool(first_of_two(n.mig, handle_));
  f.persistence = as_bool(ask<int>(n.persistence, handle_));
  f.compute_mode = compute_mode_text(ask<int>(n.compute_mode, handle_));
  for (unsigned link = 0; link < most_nvlinks; ++link) {
    const auto active = ask<int>(n.nvlink_active, handle_, link);
    if (!active) break;  // no such link: the GPU has no more
    f.nvlinks = f.nvlinks.value_or(0) + (*active != 0 ? 1 : 0);
    if (*active == 0) continue;
    if (const auto remote = ask<nvml::PciInfo>(n.nvlink_remote, handle_, link))
      f.nvlink_remotes.push_back(
          normal_pci_address(std::string(remote->bus_id, ::strnlen(remote->bus_id, sizeof remote->bus_id))));
  }
  return f;
}

NvmlSample NvmlGpu::sample() const {
  const Nvml& n = *nvml_;
  NvmlSample s;
  unsigned megahertz = 0;
  if (n.clock) {
    const auto status = n.clock(handle_, nvml::clock_sm, &megahertz);
    if (status == nvml::gpu_is_lost) throw std::runtime_error("NVML: " + n.text(status));
    if (status == nvml::success) s.clock_hz = 1e6 * megahertz;
  }
  s.power_w = scaled(ask<unsigned>(n.power, handle_), 1e-3);
  nvml::Temperature temperature{nvml::temperature_version, 0, 0};
  if (n.temperature && n.temperature(handle_, &temperature) == nvml::success)
    s.temperature_c = temperature.celsius;
  else
    s.temperature_c = scaled(ask<unsigned>(n.temperature_of_sensor, handle_, 0), 1.0);
  if (const auto reasons = ask<std::uint64_t>(n.clock_reasons, handle_)) {
    const std::string text = throttle_text(*reasons);
    s.throttled = !text.empty();
    if (!text.empty()) s.throttle_reason = text;
  }
  return s;
}

std::string throttle_text(std::uint64_t reasons) {
  constexpr std::array<std::pair<std::uint64_t, const char*>, 5> known{
      {{nvml::reason_power_cap, "power cap"},
       {nvml::reason_hardware_slowdown, "hardware slowdown"},
       {nvml::reason_thermal_software, "thermal slowdown"},
       {nvml::reason_thermal_hardware, "hardware thermal slowdown"},
       {nvml::reason_power_brake, "power brake"}}};
  std::string text;
  for (const auto& [bit, name] : known)
    if ((reasons & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string normal_pci_address(const std::string& address) {
  std::string text = address;
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto colon = text.find(':');
  if (colon != std::string::npos && colon > 4 && text.compare(0, colon - 4, std::string(colon - 4, '0')) == 0)
    text.erase(0, colon - 4);
  return text;
}

}  // namespace ridge::device::cuda
