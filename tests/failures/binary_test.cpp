// The real binary with a driver and an NVML that fail in one call: exit status, what is said, and nothing left behind.
#include <catch2/catch.hpp>
#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/failures/calls.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/process.hpp"

using namespace ridge::test;
using Catch::Contains;

namespace {

const std::vector<std::vector<std::string>> commands{
    {"info"},
    {"bandwidth", "read", "memcpy", "--gpus", "1:2", "--size", "4Ki", "--device", "cuda:0", "--rounds", "1",
     "--min-time", "1us", "--quiet"},
    {"transfer", "--size", "4Ki", "--memory", "all", "--device", "cuda:0", "--rounds", "1", "--min-time", "1us",
     "--quiet"},
    {"launch", "empty", "--arguments", "16", "--device", "cuda:0", "--rounds", "1", "--min-time", "1us", "--quiet"},
};

struct Told {
  Outcome outcome;
  std::map<std::string, int> calls;
  std::string left;
};

Told invoke(std::vector<std::string> arguments, const std::map<std::string, std::string>& environment) {
  static const Folder home;
  Start start;
  start.limit = 60;
  start.environment = environment;
  start.environment["HOME"] = home.text();
  start.environment["XDG_STATE_HOME"] = home / "state";
  start.environment["LD_LIBRARY_PATH"] = STANDIN_FOLDER;
  start.environment["COLUMNS"] = "400";  // no line is broken
  start.environment["RIDGE_STANDIN_GPUS"] = "2";
  start.environment["RIDGE_STANDIN_TOLD"] = home / "driver";
  start.environment["RIDGE_STANDIN_NVML_TOLD"] = home / "nvml";
  arguments.insert(arguments.begin(), RIDGE_BINARY);
  Told told{run(arguments, start), {}, "the driver's library was not closed"};
  for (const char* library : {"driver", "nvml"}) {
    std::ifstream in(home / library);
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string call;
      words >> call;
      if (call == "left:")
        told.left = line.substr(std::min(line.size(), std::size_t{6}));
      else
        words >> told.calls[call];
    }
  }
  return told;
}

std::string said(const Outcome& outcome) {
  return outcome.out + outcome.err;
}

}  // namespace

TEST_CASE("whichever driver call fails first, the binary says which and ends with the right status") {
  for (const auto& command : commands) {
    const bool measures = command.front() != "info";
    const Told whole = invoke(command, {});
    INFO(said(whole.outcome));
    REQUIRE(whole.outcome.status == 0);
    CHECK(whole.left.empty());
    int failed = 0;
    for (const Call& call : calls) {
      if (whole.calls.count(call.name) == 0) continue;
      const Told told = invoke(command, {{"RIDGE_STANDIN_FAIL", std::string(call.name) + ":1:999"}});
      CAPTURE(command.front(), call.name, said(told.outcome), told.left);
      CHECK_FALSE(told.outcome.timed_out);
      const bool harmless = call.effect == Effect::less || call.effect == Effect::released;
      const bool start = call.effect == Effect::no_driver || call.effect == Effect::no_gpu;
      CHECK(told.outcome.status == (harmless || !measures ? 0 : start ? 5 : 4));
      if (!harmless)
        CHECK_THAT(said(told.outcome), Contains(std::string(call.name) + ": CUDA_ERROR_UNKNOWN") ||
                                           Contains(std::string(call.name) + " answered 999"));
      if (call.effect != Effect::released) CHECK(told.left.empty());
      ++failed;
    }
    std::cout << command.front() << ": " << failed << " driver functions made to fail\n";
  }
}

TEST_CASE("whichever NVML call fails, everything is measured all the same") {
  for (const auto& command : commands) {
    const Told whole = invoke(command, {});
    int failed = 0;
    for (const auto& [name, times] : whole.calls) {
      if (name.rfind("nvml", 0) != 0 || name == "nvmlErrorString") continue;
      const Told told = invoke(command, {{"RIDGE_STANDIN_NVML_FAIL", name + ":999"}});
      CAPTURE(command.front(), name, said(told.outcome));
      CHECK(told.outcome.status == 0);
      CHECK(told.left.empty());
      ++failed;
    }
    std::cout << command.front() << ": " << failed << " NVML functions made to fail\n";
  }
}

TEST_CASE("an NVML that does not start or does not know a GPU is said, with its own words") {
  CHECK_THAT(invoke(commands[0], {{"RIDGE_STANDIN_NVML_FAIL", "nvmlInit_v2:999"}}).outcome.out,
             Contains("does not start: Unknown Error"));
  CHECK_THAT(invoke(commands[0], {{"RIDGE_STANDIN_NVML_FAIL", "nvmlDeviceGetHandleByUUID:999"}}).outcome.out,
             Contains("power limit 300 W"));  // found by its PCI address
  CHECK_THAT(invoke(commands[0],
                    {{"RIDGE_STANDIN_NVML_FAIL", "nvmlDeviceGetHandleByUUID:999,nvmlDeviceGetHandleByPciBusId_v2:6"}})
                 .outcome.out,
             Contains("NVML does not know GPU-") && Contains("Not Found"));
}

TEST_CASE("each fact that NVML tells is missing when its call fails, and the others are there") {
  const std::vector<std::pair<std::string, std::string>> facts{
      {"nvmlDeviceGetMaxPcieLinkGeneration", "link generation 5 x 16"},
      {"nvmlDeviceGetEnforcedPowerLimit", "power limit 300 W"},
      {"nvmlSystemGetDriverVersion", "580.0.0-stand-in"},
      {"nvmlDeviceGetPersistenceMode", "persistence on"}};
  for (const auto& [call, fact] : facts) {
    const Told told = invoke(commands[0], {{"RIDGE_STANDIN_NVML_FAIL", call + ":999"}});
    for (const auto& [other, text] : facts) {
      CAPTURE(call, other, told.outcome.out);
      CHECK((told.outcome.out.find(text) != std::string::npos) == (other != call));
    }
  }
}
