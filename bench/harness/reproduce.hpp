// The command line that gives one record again.
#pragma once

#include <string>

#include "bench/harness/settings.hpp"
#include "reports/record/record.hpp"

namespace ridge::bench {

// "ridge bandwidth triad --device cpu --size 67108864 … --rounds 5 --min-time 0.02s --seed 1"
std::string reproduction(const record::Record& record, const Settings& settings);

// `text` as one word of a POSIX shell: quoted only where it must be.
std::string shell_word(const std::string& text);

}  // namespace ridge::bench
