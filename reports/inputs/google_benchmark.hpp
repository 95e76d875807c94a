// Google Benchmark's JSON (--benchmark_out_format=json) as a run of the gate.
#pragma once

#include <string>
#include <string_view>

#include "reports/compare/run.hpp"

namespace ridge::inputs {

// Repetitions of one benchmark become the median over them; where only aggregates were kept, the "median" one counts.
// real_time and cpu_time are lower-is-better in their time_unit, bytes_per_second and items_per_second
// higher-is-better; user counters have no direction. json::ReadError with position and field for anything else.
compare::Run read_google_benchmark(std::string_view text, const std::string& name);

}  // namespace ridge::inputs
