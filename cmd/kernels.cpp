// ridge list --kernels: from what ptxas said when the binary was built.
#include "cmd/kernels.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#if RIDGE_WITH_CUDA
#include "kernels/device/cuda/occupancy.hpp"
#endif

namespace ridge::cmd {
namespace {

constexpr int threads = 256;

#if RIDGE_WITH_CUDA
std::vector<device::cuda::KernelResources> resources_of(const device::cuda::Image& image) {
  return device::cuda::parse_resources(image.resources_text());
}
// Whether the reference machine can execute it: the image has it as PTX for compute_80.
bool provable(const device::cuda::Image& image, const device::cuda::KernelResources& kernel) {
  return device::cuda::ptx_of(image.begin, 80).find(".entry " + kernel.kernel + "(") != std::string_view::npos;
}
std::optional<double> occupancy_of(const device::cuda::KernelResources& kernel) {
  return device::cuda::theoretical_occupancy(kernel.architecture, kernel.registers, kernel.shared, threads);
}
#else
std::vector<device::cuda::KernelResources> resources_of(const device::cuda::Image&) {
  return {};
}
bool provable(const device::cuda::Image&, const device::cuda::KernelResources&) {
  return false;
}
std::optional<double> occupancy_of(const device::cuda::KernelResources&) {
  return std::nullopt;
}
#endif

}  // namespace

std::string kernels_table(const std::vector<const device::cuda::Image*>& images) {
  if (images.empty()) return "This build has no CUDA kernels.\n";
  std::string text =
      fmt::format("{:<28} {:<8} {:>9} {:>10} {:>8} {:>10}  {}\n", "kernel", "arch", "registers", "shared B", "spills B",
                  "occupancy", fmt::format("(blocks of {} threads, in theory)", threads));
  bool all_provable = true;
  for (const auto* image : images) {
    text += fmt::format("{}\n", image->source);
    for (const auto& kernel : resources_of(*image)) {
      const auto occupancy = occupancy_of(kernel);
      const bool is_provable = provable(*image, kernel);
      text += fmt::format("  {:<26} {:<8} {:>9} {:>10} {:>8} {:>10}{}\n", kernel.kernel, kernel.architecture,
                          kernel.registers, kernel.shared, kernel.spill_stores + kernel.spill_loads,
                          occupancy ? fmt::format("{:.0f} %", 100 * *occupancy) : "unknown",
                          is_provable ? "" : "  not provable");
      all_provable &= is_provable;
    }
  }
  if (!all_provable)
    text += "not provable: of an instruction that the reference machine, which executes PTX for compute_80, lacks\n";
  return text;
}

std::string kernels_json(const std::vector<const device::cuda::Image*>& images) {
  auto out = nlohmann::ordered_json::array();
  for (const auto* image : images)
    for (const auto& kernel : resources_of(*image)) {
      nlohmann::ordered_json entry{{"source", image->source},
                                   {"kernel", kernel.kernel},
                                   {"architecture", kernel.architecture},
                                   {"registers", kernel.registers},
                                   {"shared_bytes", kernel.shared},
                                   {"stack_bytes", kernel.stack},
                                   {"spill_bytes", kernel.spill_stores + kernel.spill_loads},
                                   {"occupancy", nullptr},
                                   {"provable", provable(*image, kernel)}};
      if (const auto occupancy = occupancy_of(kernel)) entry["occupancy"] = *occupancy;
      out.push_back(std::move(entry));
    }
  return nlohmann::ordered_json{{"kernels", out}}.dump(2) + "\n";
}

}  // namespace ridge::cmd
