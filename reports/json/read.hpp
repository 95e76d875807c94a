// Reports from JSON text and files: strict about what it knows, deaf to what it does not know.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "reports/json/scanner.hpp"
#include "reports/record/report.hpp"

namespace ridge::json {

// Files beyond this are refused unread: a report of 10 000 records with 20 samples each is a tenth of it.
inline constexpr std::int64_t max_file_bytes = std::int64_t{256} << 20;

// The report that `text` holds; `name` stands for it in messages. ReadError, with position and field, for anything but
// a report of this major schema version: a missing or mistyped field, a key that occurs twice, bytes that are not
// UTF-8. Unknown keys are ignored; a byte order mark and CRLF are fine.
record::Report read(std::string_view text, const std::string& name);

// As above, but each record is handed over as soon as it is read, to be kept or taken apart, and the report holds none:
// ten thousand of them then need no memory of their own. It comes without its samples, which are checked all the same.
// What follows may still be refused.
using RecordSink = std::function<void(record::Record&)>;
record::Report read(std::string_view text, const std::string& name, const RecordSink& each);

// As above from a file; ReadError also for what cannot be opened, is a folder, is empty or is too large.
record::Report read_file(const std::string& path);

// The bytes of a file for a reader of another format, with the same refusals.
std::string read_text_file(const std::string& path, std::int64_t max_bytes = max_file_bytes);

}  // namespace ridge::json
