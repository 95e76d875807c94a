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
  const auto end = ptx.find("\n}", begin);
  return {ptx.substr(0, begin), ptx.substr(begin, end - begin), ptx.substr(end)};
}

// The mutation at every place of the kernel where `from` stands, one at a time; whole files.
inline std::vector<std::string> mutants(const KernelText& kernel, const Mutation& mutation) {
  std::vector<std::string> all;
  const std::regex from(mutation.from);
  for (std::sregex_iterator at(kernel.text.begin(), kernel.text.end(), from), end; at != end; ++at)
    all.push_back(kernel.before + kernel.text.substr(0, static_cast<std::size_t>(at->position())) +
                  at->format(mutation.to) +
                  kernel.text.substr(static_cast<std::size_t>(at->position() + at->length())) + kernel.after);
  return all;
}

}  // namespace ridge::ptx::testing
