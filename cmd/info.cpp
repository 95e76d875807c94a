// ridge info: the machine as a report will hold it.
#include <memory>

#include "bench/harness/machine.hpp"
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
  std::string device = "all";
};

std::vector<info::Device> devices_of(const bench::Inventory& inventory) {
  std::vector<info::Device> devices;
  for (const bench::DeviceEntry& entry : inventory.devices)
    devices.push_back({entry.name.text(), entry.absent,
                       entry.available_bytes > 0 ? std::optional(entry.available_bytes) : std::nullopt});
  return devices;
}

record::Exit do_info(const Invocation& invocation, const InfoOptions& options) {
  const Surveyed surveyed;
  record::Machine machine = surveyed.machine();
  if (options.device == "ptx") bench::add_gpus(machine, surveyed.gpus().reference());
  if (options.format == "json") {  // a report without records: programs read one format
    record::Report report;
    report.tool = this_tool();
    report.command = invocation.line;
    report.started = utc_now();
    report.machine = machine;
    return write_stdout(json::write(report));
  }
  return write_stdout(info::text(machine, devices_of(surveyed.inventory()), width()));
}

}  // namespace

void add_info(CLI::App& app, const Invocation& invocation, Action& chosen) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command =
      app.add_subcommand("info", "show the machine: what makes it comparable, its software, what is incidental");
  command->add_option("--format", options->format, "table or json (default table)")
      ->check(CLI::IsMember({"table", "json"}));
  command
      ->add_option("--device", options->device,
                   "all: what the machine has; ptx: the reference GPUs too, which exist anywhere (default all)")
      ->check(CLI::IsMember({"all", "ptx"}));
  command->callback(
      [&invocation, &chosen, options] { chosen = [&invocation, options] { return do_info(invocation, *options); }; });
}

}  // namespace ridge::cmd
