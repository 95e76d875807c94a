// The arithmetic from a record's work and time to its figures, written out for a reader.
#pragma once

#include <string>

#include "reports/record/record.hpp"

namespace ridge::cmd {

// "size=… : 128 MiB read + 64 MiB written in 9.81 ms (median of 7) = 20.5 GB/s, 88 % of 23.3 GB/s (measured in this
// run: …)"; the reason where there is no figure.
std::string derivation(const record::Record& record);

// `text` broken at spaces into lines of at most `columns`, each after `indent` spaces; longer words stand alone.
std::string wrap(const std::string& text, int indent, int columns);

}  // namespace ridge::cmd
