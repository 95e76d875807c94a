// Wrong kernels, made of right ones by changing one place of their PTX at a time: what tests must catch.
#pragma once

#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::ptx::testing {

struct Mutation {
  const char* mistake;
  const char* from;  // a regular expression
  const char* to;
};

// One kernel within the PTX of its whole file.
struct KernelText {
  std::string before, text, after;
};

// std::out_of_range where there is no such kernel.
inline KernelText find_kernel(std::string_view file, const std::string& name) {
  const std::string ptx(file);
  const auto begin = ptx.find(".entry " + name + "(");
  if (begin == std::string::npos) throw std::out_of_range("no kernel " + name);
  // Bodies hold blocks of their own, and vectors in braces.
  auto end = ptx.find('{', begin);
  for (int open = 0; end < ptx.size(); ++end) {
    if (ptx[end] == '{') ++open;
    if (ptx[end] == '}' && --open == 0) break;
  }
  return {ptx.substr(0, begin), ptx.substr(begin, end - begin), ptx.substr(end)};
}

// The file with these kernels only: others would take time to read, mutant by mutant.
inline std::string only(std::string_view file, const std::vector<std::string>& names) {
  std::string text(file.substr(0, file.find(".visible")));
  for (const std::string& name : names) text += ".visible " + find_kernel(file, name).text + "}\n";
  return text;
}

struct Mutant {
  std::string ptx;   // of the whole file
  std::string line;  // that was changed, as it was
};

// The mutation at every place of the kernel where `from` stands, one at a time.
inline std::vector<Mutant> mutants(const KernelText& kernel, const Mutation& mutation) {
  std::vector<Mutant> all;
  const std::regex from(mutation.from);
  for (std::sregex_iterator at(kernel.text.begin(), kernel.text.end(), from), end; at != end; ++at) {
    const auto begin = static_cast<std::size_t>(at->position());
    const std::size_t line = kernel.text.rfind('\n', begin) + 1;
    all.push_back({kernel.before + kernel.text.substr(0, begin) + at->format(mutation.to) +
                       kernel.text.substr(begin + static_cast<std::size_t>(at->length())) + kernel.after,
                   kernel.text.substr(line, kernel.text.find('\n', begin) - line)});
  }
  return all;
}

}  // namespace ridge::ptx::testing
