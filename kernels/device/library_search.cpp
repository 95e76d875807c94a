// Folders and the opener that tries them.
#include "kernels/device/library_search.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace ridge::device {
namespace {

namespace fs = std::filesystem;

bool is_missing(const std::string& error) {
  return error.empty() || error.find("No such file") != std::string::npos;
}

// The entries of a folder, by name; none where it cannot be read.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> all;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) all.push_back(*at);
  std::sort(all.begin(), all.end());
  return all;
}

// nvidia/*/lib of each pythonX.Y/{site,dist}-packages in `lib`.
void add_python(std::vector<std::string>& folders, const fs::path& lib) {
  for (const fs::path& python : entries(lib)) {
    if (!python.filename().string().starts_with("python")) continue;
    for (const char* packages : {"site-packages", "dist-packages"})
      for (const fs::path& package : entries(python / packages / "nvidia"))
        if (std::error_code error; fs::is_directory(package / "lib", error))
          folders.push_back((package / "lib").string());
  }
}

}  // namespace

std::vector<std::string> library_folders(const Variables& environment) {
  std::vector<std::string> folders;
  const auto value = [&](const char* name) -> std::string {
    const char* const found = environment(name);
    return found == nullptr ? "" : found;
  };
  std::istringstream named(value(library_path_variable));
  for (std::string folder; std::getline(named, folder, ':');)
    if (!folder.empty()) folders.push_back(folder);
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const std::string root = value(name); !root.empty()) add_python(folders, fs::path(root) / "lib");
  if (const std::string home = value("HOME"); !home.empty()) add_python(folders, fs::path(home) / ".local/lib");
  for (const char* lib : {"/usr/local/lib", "/usr/lib"}) add_python(folders, lib);
  std::vector<fs::path> toolkits{"/usr/local/cuda"};
  if (const std::string root = value("CUDA_PATH"); !root.empty()) toolkits.insert(toolkits.begin(), root);
  for (const fs::path& toolkit : toolkits)
    for (const char* lib : {"lib64", "lib"})
      if (std::error_code error; fs::is_directory(toolkit / lib, error)) folders.push_back((toolkit / lib).string());
  return folders;
}

LibraryOpener searching_opener(std::vector<std::string> folders, LibraryOpener opener) {
  LibraryOpener searching = opener;
  searching.open = [folders = std::move(folders), open = opener.open](const char* name) {
    auto opened = open(name);
    for (const std::string& folder : folders) {
      if (opened.handle != nullptr || !is_missing(opened.error)) break;
      auto here = open((folder + "/" + name).c_str());
      if (here.handle != nullptr || !is_missing(here.error)) opened = std::move(here);
    }
    return opened;
  };
  return searching;
}

}  // namespace ridge::device
