// What `ridge explain precision` says.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::bench::precision {

// What is counted is said by the table of facts.
Explanation explanation_of_product();
Explanation explanation_of_ones();
Explanation explanation_of_loss_scaling();
Explanation explanation_of_master_weights();

}  // namespace ridge::bench::precision
