// Which folders are searched, in which order, and what is opened.
#include "kernels/device/library_search.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <map>

#include "tests/support/folder.hpp"

using namespace ridge;

TEST_CASE("libraries are sought in named folders, in Python's packages, in the toolkit") {
  const test::Folder scratch;
  const std::filesystem::path root = scratch.path();
  for (const char* folder :
       {"venv/lib/python3.11/site-packages/nvidia/cublas/lib", "venv/lib/python3.11/site-packages/nvidia/nccl/lib",
        "venv/lib/python3.11/site-packages/nvidia/empty", "toolkit/lib64"})
    std::filesystem::create_directories(root / folder);
  const std::map<std::string, std::string> variables{{"RIDGE_LIBRARY_PATH", "/first::/second"},
                                                     {"VIRTUAL_ENV", (root / "venv").string()},
                                                     {"CUDA_PATH", (root / "toolkit").string()}};
  const auto folders = device::library_folders([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
  REQUIRE(folders.size() >= 5);
  CHECK(folders[0] == "/first");
  CHECK(folders[1] == "/second");
  CHECK(folders[2].ends_with("nvidia/cublas/lib"));
  CHECK(folders[3].ends_with("nvidia/nccl/lib"));
  CHECK(std::find(folders.begin(), folders.end(), (root / "toolkit/lib64").string()) != folders.end());
}

TEST_CASE("a library that the system does not find is opened from the first folder that has it") {
  std::vector<std::string> tried;
  int here = 0;
  device::LibraryOpener opener = device::system_opener();
  opener.open = [&](const char* name) -> device::LibraryOpener::Opened {
    tried.emplace_back(name);
    if (tried.back() == "/b/libx.so.1") return {&here, {}};
    if (tried.back() == "/b/liby.so.1") return {nullptr, "wrong ELF class"};
    return {nullptr, "No such file or directory"};
  };
  const auto searching = device::searching_opener({"/a", "/b", "/c"}, opener);
  CHECK(searching.open("libx.so.1").handle == &here);
  CHECK(tried == std::vector<std::string>{"libx.so.1", "/a/libx.so.1", "/b/libx.so.1"});
  CHECK(searching.open("liby.so.1").error == "wrong ELF class");
  CHECK(searching.open("libz.so.1").error == "No such file or directory");
}
