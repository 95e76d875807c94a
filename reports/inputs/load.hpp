// Runs from what a person names: a file, a folder of files, or a glob.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/compare/run.hpp"

namespace ridge::inputs {

// The run that `text` holds, Ridge's or Google Benchmark's by its keys. json::ReadError as their readers throw it.
compare::Run read_run(std::string_view text, const std::string& name);

// The files that a name stands for, sorted: itself; the *.json files of a folder and of its subfolders (no hidden
// ones); what a glob matches. json::ReadError for what is not there or holds no such file.
std::vector<std::string> files_of(const std::string& name);

// All of them, in the order of their start where every one tells it, else as named. Files that are named twice count
// once.
std::vector<compare::Run> load(std::span<const std::string> names);

struct Sides {
  std::vector<compare::Run> base;
  std::vector<compare::Run> fresh;
};

// Both sides of a comparison at once, so that two large files are read side by side.
Sides load_sides(std::span<const std::string> base, std::span<const std::string> fresh);

}  // namespace ridge::inputs
