// What an operation would take with other numbers of ranks, by the models of a run: predictions, never among what was
// measured.
#pragma once

#include <span>
#include <vector>

#include "collectives/operations/operations.hpp"
#include "reports/record/report.hpp"

namespace ridge::bench::collective {

// Scales the model of each algorithm by what it costs at either number of ranks: α with its steps, the time per byte
// by the bytes that pass through the busiest rank and those joined there (Model::with). Not of `direct`, whose ranks
// share one memory, nor of a library's own, which does not tell what it does; a warning where nothing is left to
// predict from.
std::vector<record::Finding> predict(const collectives::Operation& operation, std::span<const record::Record> records,
                                     std::span<const std::int64_t> ranks);
// Of each operation among the records.
std::vector<record::Finding> predict(std::span<const record::Record> records, std::span<const std::int64_t> ranks);

}  // namespace ridge::bench::collective
