// Picks an output by its name.
#include <fmt/format.h>

#include <stdexcept>

#include "reports/verdicts/verdicts.hpp"

namespace ridge::verdicts {

std::string as(std::string_view format, const compare::Comparison& comparison, const Layout& layout) {
  if (format == "table") return table(comparison, layout);
  if (format == "json") return json(comparison);
  if (format == "markdown") return markdown(comparison);
  if (format == "junit") return junit(comparison);
  if (format == "github") return github(comparison);
  if (format == "openmetrics") return openmetrics(comparison);
  throw std::invalid_argument(fmt::format("'{}' is no output format", format));
}

}  // namespace ridge::verdicts
