// Reports as JSON text, and safely onto a disk.
#pragma once

#include <string>

#include "reports/record/report.hpp"

namespace ridge::json {

// The report as JSON (reports/schema/ridge-report.schema.json), ending in a newline. Bytes that are not UTF-8 become
// U+FFFD. std::invalid_argument, naming the field, for a number that is not finite.
std::string write(const record::Report& report);

// Puts the report at `path` whole or not at all: a temporary file beside it, synced, then renamed. A link is followed;
// what is not a regular file (a device, a pipe) is written to as it stands. std::runtime_error names the path and the
// cause.
void write_file(const record::Report& report, const std::string& path);

// As above for text that is already there.
void write_text_file(const std::string& text, const std::string& path);

// Throws what `write_file` would throw for a path that cannot be written, without touching what is there: to be called
// before measuring.
void ensure_writable(const std::string& path);

}  // namespace ridge::json
