// The reports of the last runs, kept so that `ridge explain` and the like can speak of this machine's own figures.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "reports/record/report.hpp"

namespace ridge::report_store {

// Either a path or, where there is none, why. Nothing here throws: a store that does not work must not cost a run.
struct Place {
  std::optional<std::string> path;
  std::string reason;
};

// ${XDG_STATE_HOME:-$HOME/.local/state}/ridge/reports from the values of those two variables (null: unset; a relative
// one counts as unset, as the XDG specification has it).
Place folder_from(const char* xdg_state_home, const char* home);
Place default_folder();  // from this process's environment

inline constexpr std::size_t kept = 50;

// Stores the report as <folder>/<UTC start>-<command>.json and removes the oldest beyond the newest `most`. Folders are
// made as needed; two processes at once never take each other's name.
Place keep(const record::Report& report, std::string_view command, const std::string& folder, std::size_t most = kept);

struct Found {
  std::string path;
  record::Report report;
};

// The newest stored report with a measured record (ok or suspect) of that benchmark; files that cannot be read are
// passed over.
std::optional<Found> newest_with(std::string_view benchmark, const std::string& folder);

}  // namespace ridge::report_store
