// The n-th call of every driver function fails, in a run that uses all of the GPU path: what failed says so with the
// call and its status, the rest is measured and right, nothing is left behind, and the next run works.
#include <catch2/catch.hpp>
#include <iostream>
#include <set>

#include "bench/harness/engine.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/gpus/cuda_survey.hpp"
#include "kernels/ptx/driver/reference.hpp"
#include "tests/failures/calls.hpp"

using namespace ridge;
using test::Call;
using test::Effect;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int most_places = 3;
#else
constexpr int most_places = 8;
#endif

struct Silent : bench::Observer {};

// Everything that a GPU does for Ridge, small: kernels, copies of every kind, graphs, on one GPU and on two.
const std::vector<bench::Request>& requests() {
  static const std::vector<bench::Request> all{
      {{"bandwidth.copy", "bandwidth.read"}, {{"size", "4Ki"}, {"gpus", "1:2"}}},
      {{"bandwidth.memcpy"}, {{"size", "4Ki"}}},
      {{"transfer.host"}, {{"size", "4Ki"}, {"memory", "all"}}},
      {{"transfer.host"}, {{"size", "4Ki"}, {"direction", "both"}, {"gpus", "2"}}},
      {{"transfer.latency"}, {{"size", "4"}, {"direction", "to_host"}}},
      {{"transfer.peer"}, {{"size", "4Ki"}}},
      {{"launch.empty"}, {{"arguments", "1"}}},
  };
  return all;
}

struct Outcome {
  std::string refused;  // why the GPUs could not be used at all
  std::vector<record::Record> records;
  std::map<std::string, int> calls;
  std::string left;
};

ptx::ReferenceSettings two_gpus() {
  ptx::ReferenceSettings settings{.gpus = 2, .memory_bytes = 16 << 20, .multiprocessors = 2, .l2_bytes = 4096};
  settings.host_clock = true;
  return settings;
}

void measure(const std::shared_ptr<const device::cuda::Driver>& driver, Outcome& outcome) {
  device::cuda::Devices devices(driver, device::Kind::cuda, [](const char*) -> const char* { return nullptr; });
  const auto survey = gpus::survey_devices(devices, device::Kind::cuda, nullptr, "no NVML");
  if (survey.gpus.size() < 2) throw std::runtime_error(survey.reason);
  bench::Inventory inventory;
  for (const auto& gpu : survey.gpus)
    inventory.devices.push_back({gpu.name, std::nullopt, gpu.memory_free, {{"L2", gpu.l2_bytes, 1}}});
  bench::Settings settings;
  settings.rounds = 1;
  settings.min_time = 1e-6;
  bench::Hooks hooks;
  hooks.open = [&](const device::Name& name) {
    auto& device = devices.open(name.index);
    return bench::OpenedDevice{&device, nullptr, &device};
  };
  hooks.interrupted = [] { return false; };
  hooks.conditions = [] { return bench::Reading{}; };
  hooks.gpu_clock = [&](const device::Name& name) { return devices.open(name.index).effective_clock(); };
  Silent silent;
  const auto registry = bench::make_registry();
  const auto plan = bench::plan(registry, {requests(), {{device::Kind::cuda, 0}}, false}, inventory, settings);
  outcome.records = bench::run(plan, settings, hooks, silent);
}

Outcome run(ptx::Reference& reference) {
  Outcome outcome;
  const auto driver = reference.driver();
  driver->cuInit(0);
  try {
    measure(driver, outcome);
  } catch (const std::exception& error) {
    outcome.refused = error.what();
  }
  outcome.calls = reference.calls();
  outcome.left = reference.left();
  return outcome;
}

Outcome run_with_failure(const std::string& call, int nth, CUresult status) {
  ptx::Reference reference(two_gpus());
  reference.fail(call, nth, status);
  return run(reference);
}

bool all_measured(const Outcome& outcome) {
  for (const record::Record& record : outcome.records)
    if (record.status != record::Status::ok && record.status != record::Status::suspect) return false;
  return outcome.refused.empty() && !outcome.records.empty();
}

// Every record is measured and right, or failed (or skipped) for the reason that it names.
void check(const Outcome& outcome, const std::string& name_and_status) {
  if (!outcome.refused.empty()) CHECK_THAT(outcome.refused, Catch::Contains(name_and_status));
  for (const record::Record& record : outcome.records) {
    INFO(record::identity(record) << ": " << record.reason);
    if (record.status == record::Status::failed) {
      CHECK(record.failure == record::Failure::measurement);
      CHECK_THAT(record.reason, Catch::Contains(name_and_status));
    } else if (record.status == record::Status::skipped) {  // what a GPU was not told to be able to
      CHECK_THAT(record.reason, Catch::Contains("cannot write into"));
    } else {
      CHECK((record.status == record::Status::ok || record.status == record::Status::suspect));
      CHECK(record.verification.status == record::Check::passed);
      CHECK(record.samples.size() == 1);
    }
  }
}

// The first few, then evenly up to the last.
std::set<int> places(int count) {
  std::set<int> all;
  for (int n = 1; n <= count && n <= most_places / 2; ++n) all.insert(n);
  for (int i = 1; i <= most_places / 2; ++i) all.insert(std::max(1, count * i / (most_places / 2)));
  return all;
}

}  // namespace

TEST_CASE("the walk calls every function that Ridge calls, each is in the list, and a run leaves nothing behind") {
  ptx::Reference reference(two_gpus());
  const Outcome whole = run(reference);
  INFO(whole.refused);
  CHECK(all_measured(whole));
  check(whole, "");
  CHECK(whole.left.empty());
  std::set<std::string> listed;
  for (const Call& call : test::calls) {
    INFO(call.name);
    listed.insert(call.name);
    const bool called = whole.calls.count(call.name) != 0;
    // At the start, for an error's text, and when memory is used up: below, and in binary_test.cpp.
    const std::set<std::string> elsewhere{"cuDriverGetVersion", "cuGetErrorName", "cuGetErrorString", "cuMemGetInfo"};
    CHECK(called == (call.effect != Effect::unused && elsewhere.count(call.name) == 0));
  }
#define RIDGE_LISTED(name) CHECK(listed.erase(#name) == 1);
  RIDGE_CUDA_FUNCTIONS(RIDGE_LISTED)
#undef RIDGE_LISTED
  CHECK(listed.empty());
}

TEST_CASE("whichever call fails, and whenever, what it was for says so, the rest is right and nothing is left") {
  ptx::Reference reference(two_gpus());
  const auto counts = run(reference).calls;
  int runs = 0;
  int functions = 0;
  for (const Call& call : test::calls) {
    if (call.effect == Effect::unused || counts.count(call.name) == 0 || std::string(call.name) == "cuInit") continue;
    ++functions;
    for (const int nth : places(counts.at(call.name))) {
      const Outcome outcome = run_with_failure(call.name, nth, CUDA_ERROR_UNKNOWN);
      ++runs;
      CAPTURE(call.name, nth, outcome.refused, outcome.left);
      check(outcome, std::string(call.name) + ": CUDA_ERROR_UNKNOWN");
      if (nth == 1) {
        const bool refused = !outcome.refused.empty();
        CHECK(refused == (call.effect == Effect::no_driver || call.effect == Effect::no_gpu));
        if (!refused) CHECK(all_measured(outcome) == (call.effect != Effect::failed));
      }
      if (call.effect != Effect::released) CHECK(outcome.left.empty());
    }
  }
  std::cout << "failed calls: " << runs << " of " << functions << " functions\n";
  CHECK(functions > 35);
}

TEST_CASE("an error that sticks to a GPU fails what comes after it, with the call that it came from") {
  for (const Call& call : test::calls) {
    if (call.effect != Effect::failed) continue;
    const Outcome outcome = run_with_failure(call.name, 1, CUDA_ERROR_LAUNCH_FAILED);
    CAPTURE(call.name, outcome.refused, outcome.left);
    CHECK_FALSE(all_measured(outcome));
    check(outcome, std::string(call.name) + ": CUDA_ERROR_LAUNCH_FAILED");
    CHECK(outcome.left.empty());
  }
}

TEST_CASE("an error whose name or text cannot be had is told by what there is") {
  for (const auto& [lacking, told] : {std::pair{"cuGetErrorName", "cuLaunchKernel: status 999"},
                                      std::pair{"cuGetErrorString", "cuLaunchKernel: CUDA_ERROR_UNKNOWN on"}}) {
    ptx::Reference reference(two_gpus());
    reference.fail("cuLaunchKernel", 1, CUDA_ERROR_UNKNOWN);
    for (int nth = 1; nth < 10; ++nth) reference.fail(lacking, nth, CUDA_ERROR_INVALID_VALUE);
    const Outcome outcome = run(reference);
    CHECK_FALSE(all_measured(outcome));
    check(outcome, told);
  }
}

TEST_CASE("memory that is used up is the reason, also where the driver does not say how much is left") {
  for (const bool told : {true, false}) {
    ptx::Reference reference(two_gpus());
    reference.fail("cuMemAlloc", 3, CUDA_ERROR_OUT_OF_MEMORY);
    if (!told) reference.fail("cuMemGetInfo", 1, CUDA_ERROR_UNKNOWN);
    const Outcome outcome = run(reference);
    CHECK_FALSE(all_measured(outcome));
    check(outcome, told ? "bytes available" : "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY");
    CHECK(outcome.left.empty());
  }
}
