// ridge allreduce --predict: what models give for ranks that one does not have, by this run or by an earlier report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cmd/commands.hpp"
#include "cmd/measure_options.hpp"

namespace ridge::cmd {

// "64,1024". UsageError names --predict.
std::vector<std::int64_t> ranks_to_predict(const std::string& text);

// Measures nothing: the models are fitted to the records of the operation in the report `file`, and what they give is
// told as findings of a report without records. UsageError for a file that cannot be read, and for options that are
// about measuring; Exit::nothing_ran where the report has nothing to fit.
record::Exit predict_from(const Invocation& invocation, const std::string& operation, const std::string& file,
                          const std::vector<std::int64_t>& ranks, const MeasureOptions& options);

}  // namespace ridge::cmd
