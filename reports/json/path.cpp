// Paths as messages spell them.
#include "reports/json/path.hpp"

#include <fmt/format.h>

#include "reports/record/text.hpp"

namespace ridge::json {

std::string path_text(std::span<const Part> path) {
  constexpr std::size_t most = 80;  // of one key
  std::string text;
  for (const Part& part : path) {
    if (part.key.data() == nullptr)
      text += fmt::format("[{}]", part.index);
    else
      text += (text.empty() ? "" : ".") + record::cut(record::printable(part.key), most);
  }
  return text;
}

}  // namespace ridge::json
