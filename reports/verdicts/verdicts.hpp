// The outputs of the gate. The same comparison gives the same bytes, always; names in it are data, never markup.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/compare/comparison.hpp"

namespace ridge::verdicts {

struct Layout {
  std::size_t columns = 100;
  bool colour = false;
  bool all = false;  // the unchanged metrics too, however many there are
};

std::string table(const compare::Comparison& comparison, const Layout& layout);
std::string json(const compare::Comparison& comparison);         // schema "ridge-comparison"
std::string markdown(const compare::Comparison& comparison);     // GitHub's dialect, for a job summary
std::string junit(const compare::Comparison& comparison);        // one test case for each metric
std::string github(const compare::Comparison& comparison);       // workflow commands: annotations of a job
std::string openmetrics(const compare::Comparison& comparison);  // for a Prometheus text file collector

inline constexpr std::string_view formats[] = {"table", "json", "markdown", "junit", "github", "openmetrics"};

// One of `formats`; std::invalid_argument for another name.
std::string as(std::string_view format, const compare::Comparison& comparison, const Layout& layout);

}  // namespace ridge::verdicts
