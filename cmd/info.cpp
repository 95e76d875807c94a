// ridge info: the machine as a report will hold it.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "bench/harness/machine.hpp"
#include "bench/harness/plan.hpp"
#include "cmd/commands.hpp"
#include "cmd/inquire.hpp"
#include "cmd/output.hpp"
#include "cmd/present.hpp"
#include "reports/info/info_text.hpp"
#include "reports/json/write.hpp"

namespace ridge::cmd {
namespace {

struct InfoOptions {
  std::string format = "table";
  std::string device = "auto";
  std::string json;
};

std::vector<info::Device> devices_of(const bench::Inventory& inventory) {
  std::vector<info::Device> devices;
  for (const bench::DeviceEntry& entry : inventory.devices)
    devices.push_back({entry.name.text(), entry.absent,
                       entry.available_bytes > 0 ? std::optional(entry.available_bytes) : std::nullopt});
  return devices;
}

// A report without records: programs read one format.
record::Report report_of(const Invocation& invocation, record::Machine machine) {
  record::Report report;
  report.tool = this_tool();
  report.command = invocation.line;
  report.started = utc_now();
  report.machine = std::move(machine);
  return report;
}

// Why none of the devices asked for is there; absent when one is.
std::optional<std::string> all_absent(const std::vector<device::Name>& names, const bench::Inventory& inventory) {
  std::optional<std::string> why;
  for (const device::Name& name : names) {
    const bench::DeviceEntry* entry = inventory.find(name);
    if (entry && !entry->absent) return std::nullopt;
    why = entry ? *entry->absent : fmt::format("there is no device {}", name.text());
  }
  return why;
}

record::Exit do_info(const Invocation& invocation, const InfoOptions& options) {
  require_outputs("--json", {&options.json, 1});
  const Surveyed surveyed;
  const auto names = bench::resolve_devices(options.device, surveyed.inventory());
  if (const auto why = all_absent(names, surveyed.inventory())) {
    write_stderr(fmt::format("ridge: {}: {}\n", options.device, *why));
    return record::Exit::nothing_ran;
  }
  record::Machine machine = surveyed.machine();
  if (names.front().kind == device::Kind::ptx) bench::add_gpus(machine, surveyed.gpus().reference());
  if (!options.json.empty() && options.json != "-") json::write_file(report_of(invocation, machine), options.json);
  if (options.json == "-" || options.format == "json")
    return write_stdout(json::write(report_of(invocation, std::move(machine))));
  return write_stdout(info::text(machine, devices_of(surveyed.inventory()), width()));
}

}  // namespace

void add_info(CLI::App& app, const Invocation& invocation, Action& chosen) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command =
      app.add_subcommand("info", "show the machine: what makes it comparable, its software, what is incidental");
  command->add_option("--format", options->format, "table or json (default table)")
      ->check(CLI::IsMember({"table", "json"}));
  command->add_option("--json", options->json, "write it as a report without records to FILE; - is stdout")
      ->type_name("FILE");
  command->add_option("--device", options->device,
                      "the machine and why a device that is not there is not: auto, cpu, cuda, cuda:N, all; ptx or "
                      "ptx:N: the reference GPUs too, which exist anywhere (default auto)");
  command->callback(
      [&invocation, &chosen, options] { chosen = [&invocation, options] { return do_info(invocation, *options); }; });
}

}  // namespace ridge::cmd
