// Where in a document something stands: the keys and indices that lead to it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ridge::json {

struct Part {
  std::string_view key;  // no data: an index
  std::size_t index = 0;
};

// "records[3].metrics[0].value", safe to show; empty for the document itself.
std::string path_text(std::span<const Part> path);

}  // namespace ridge::json
