// Chooses how a report is shown.
#include "cmd/present.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

#include "bench/harness/parse.hpp"
#include "cmd/output.hpp"
#include "reports/json/write.hpp"
#include "reports/report_store/report_store.hpp"
#include "reports/sinks/sinks.hpp"
#include "ridge_version.hpp"

namespace ridge::cmd {

std::string present(const record::Report& report, const Presentation& presentation) {
  if (presentation.format == "json") return json::write(report);
  if (presentation.format == "csv") return sinks::csv(report);
  if (presentation.format == "markdown") return sinks::markdown(report);
  const sinks::Layout layout{static_cast<std::size_t>(width()), colour()};
  if (presentation.view == View::summary)
    return sinks::summary(report, layout, presentation.key_figures, presentation.stored_at);
  return sinks::table(report, layout) + (presentation.picture.empty() ? "" : "\n" + presentation.picture);
}

std::string keep_as_last(const record::Report& report, const std::string& command, const MeasureOptions& options) {
  report_store::Place place = report_store::default_folder();
  if (place.path) place = report_store::keep(report, command, *place.path);
  if (!options.json.empty() && options.json != "-") return options.json;
  return place.path ? *place.path : "not kept: " + place.reason;
}

void require_outputs(std::string_view option, std::span<const std::string> files) {
  require_stdout();
  for (const std::string& file : files) {
    if (file.empty() || file == "-") continue;
    try {
      json::ensure_writable(file);
    } catch (const std::runtime_error& error) {
      throw bench::UsageError(fmt::format("{}: {}", option, error.what()));
    }
  }
}

record::Tool this_tool() {
  record::Tool tool;
  tool.version = build::version;
  tool.commit = build::commit;
  tool.build_type = build::type;
  tool.compiler = build::compiler;
  if (*build::cuda_architectures) tool.architectures = bench::split_list(build::cuda_architectures);
  return tool;
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

}  // namespace ridge::cmd
