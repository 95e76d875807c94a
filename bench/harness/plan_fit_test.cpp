// What is asked for against what the machine has: memory, windows, devices.
#include "bench/harness/plan.hpp"

#include <catch2/catch.hpp>

#include "bench/harness/made_plans.hpp"

using namespace ridge;
using bench::UsageError;
using bench::fake::Asked;
using bench::fake::MiB;
using Catch::Contains;
using record::Status;

TEST_CASE("what does not fit fails when a person asked for it and is skipped when a suite did") {
  Asked a;
  const auto asked = a.plan({"fake.copy"}, {{"size", "5Gi"}});
  CHECK(asked.cases[0].draft.status == Status::failed);
  CHECK_THAT(asked.cases[0].draft.reason, Contains("needs 53") && Contains("1048576000 bytes available"));
  CHECK(asked.windows.empty());
  a.by_suite = true;
  CHECK(a.plan({"fake.copy"}, {{"size", "5Gi"}}).cases[0].draft.status == Status::skipped);
  CHECK(a.plan({"fake.triad"}, {{"size", "8000Ti"}}).cases[0].draft.status == Status::skipped);  // sums beyond 2^63
}

TEST_CASE("a default size that does not fit is skipped, for nobody asked for it") {
  Asked a;
  a.registry[0].axes[0].fallback = "5Gi";
  CHECK(a.plan({"fake.copy"}).cases[0].draft.status == Status::skipped);
  CHECK(a.plan({"fake.copy"}, {{"size", "5Gi"}}).cases[0].draft.status == Status::failed);
}

TEST_CASE("a family leaves out what does not exist on a device, unless it was named or nothing does") {
  Asked a;
  a.registry[0].prepare_cpu = nullptr;
  CHECK(a.plan({"fake"}).cases.size() == 1);
  const auto named = a.plan({"fake.copy", "fake.triad"});
  REQUIRE(named.cases.size() == 2);
  CHECK(named.cases[0].draft.status == Status::skipped);
  CHECK_THAT(named.cases[0].draft.reason, Contains("does not exist for cpu"));
  a.registry[1].prepare_cpu = nullptr;
  CHECK(a.plan({"fake"}).cases.size() == 2);
}

TEST_CASE("windows hold cases that fit together in half of what is available") {
  Asked a;
  const auto plan = a.plan({"fake.copy"}, {{"size", "300Mi,301Mi,100Mi,900Mi"}});
  REQUIRE(plan.windows.size() == 3);
  CHECK(plan.windows[0].cases == std::vector<std::size_t>{0, 2});
  CHECK(plan.windows[1].cases == std::vector<std::size_t>{1});
  CHECK(plan.windows[2].cases == std::vector<std::size_t>{3});  // alone above half, but it fits
}

TEST_CASE("a device that is absent skips its cases with its reason") {
  Asked a;
  a.devices = bench::resolve_devices("cuda", a.inventory);
  const auto plan = a.plan({"fake.copy"});
  CHECK(plan.cases[0].draft.status == Status::skipped);
  CHECK(plan.cases[0].draft.reason == "libcuda.so.1 not found");
  CHECK(plan.cases[0].draft.device == "cuda:0");
}

TEST_CASE("an axis of devices is another one: by name, the next in a ring, or each of them") {
  Asked a;
  a.registry[0].axes.push_back({"peer", "", "the other", bench::AxisKind::device, "next", {}});
  a.registry[0].prepare_cuda = [](bench::CudaContext&, const record::Point&) -> std::unique_ptr<bench::Case> {
    return nullptr;
  };
  a.inventory.devices.resize(1);
  for (const int index : {0, 1, 2})
    a.inventory.devices.push_back({{device::Kind::cuda, index}, std::nullopt, 1000 * MiB});
  const auto peers = [&](int of, std::map<std::string, std::string> axes) {
    a.devices = {{device::Kind::cuda, of}};
    std::string all;
    for (const auto& planned : a.plan({"fake.copy"}, std::move(axes)).cases)
      all += planned.draft.point.text("peer") + " ";
    return all;
  };
  CHECK(peers(0, {}) == "cuda:1 ");
  CHECK(peers(2, {}) == "cuda:0 ");
  CHECK(peers(1, {{"peer", "all"}}) == "cuda:0 cuda:2 ");
  CHECK(peers(1, {{"peer", "cuda:1,cuda:2,next"}}) == "cuda:2 ");  // no device is its own peer, and none is there twice
  CHECK(peers(0, {{"peer", "cuda:7"}}) == "cuda:7 ");              // found missing when it is prepared
  for (const char* bad : {"1", "cpu", "ptx:1", "cuda:", ""})
    CHECK_THROWS_WITH(peers(0, {{"peer", bad}}), Contains("--peer: ") && (Contains("cuda:1") || Contains("empty")));
  a.inventory.devices.resize(2);
  CHECK(peers(0, {{"peer", "all"}}) == "cuda:1 ");  // a person is told that it is not there
  a.by_suite = true;
  CHECK(peers(0, {{"peer", "all"}}).empty());
}

TEST_CASE("a suite plans for a device what exists for it, and requests may be for one kind of device") {
  Asked a;
  a.devices = {{device::Kind::cpu, 0}, {device::Kind::cuda, 0}};
  a.inventory.devices[1].absent.reset();
  a.inventory.devices[1].available_bytes = 1000 * MiB;
  CHECK(a.plan({"fake.copy"}).cases.size() == 2);  // a person sees the one that does not exist for it skipped
  a.by_suite = true;
  CHECK(a.plan({"fake.copy"}).cases.size() == 1);
  const auto on = [&](const std::string& kind) {
    a.by_suite = false;
    const auto plan = bench::plan(a.registry, {{{{"fake.copy"}, {}, kind}}, a.devices, false}, a.inventory, a.settings);
    REQUIRE(plan.cases.size() == 1);
    return plan.cases[0].draft.device;
  };
  CHECK(on("cpu") == "cpu");
  CHECK(on("gpu") == "cuda:0");
}

TEST_CASE("an axis of GPUs is on GPUs of both kinds only, and a suite asks for no more of them than there are") {
  Asked a;
  a.registry[0].axes.push_back({"gpus", "", "how many", bench::AxisKind::count, "1", {}, device::Kind::cuda});
  a.registry[0].prepare_cuda = [](bench::CudaContext&, const record::Point&) -> std::unique_ptr<bench::Case> {
    return nullptr;
  };
  for (const int index : {0, 1}) a.inventory.devices.push_back({{device::Kind::ptx, index}, std::nullopt, 1000 * MiB});
  CHECK(a.plan({"fake.copy"}).cases[0].draft.point.find("gpus") == nullptr);
  a.devices = {{device::Kind::ptx, 0}};
  CHECK(a.plan({"fake.copy"}, {{"gpus", "1:4"}}).cases.size() == 3);
  CHECK(a.plan({"fake.copy"}, {{"gpus", "all"}}).cases[0].draft.point.integer("gpus") == 2);
  a.by_suite = true;
  CHECK(a.plan({"fake.copy"}, {{"gpus", "1:4"}}).cases.size() == 2);
}

TEST_CASE("devices are resolved by kind and number") {
  using device::Kind;
  Asked a;
  const auto text = [&](const std::string& asked) {
    std::string all;
    for (const auto& name : bench::resolve_devices(asked, a.inventory)) all += name.text() + " ";
    return all;
  };
  CHECK(text("auto") == "cpu ");
  CHECK(text("cuda:3") == "cuda:3 ");
  CHECK(text("ptx:1") == "ptx:1 ");
  a.inventory.devices[1].absent.reset();
  CHECK(text("auto") == "cuda:0 ");
  CHECK(text("all") == "cpu cuda:0 ");
  CHECK(text("ptx:1,ptx:0,cuda,ptx:1") == "ptx:1 ptx:0 cuda:0 ");
  for (const char* bad : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cpu:0", "", "cuda:99999999999", "cpu,", "cuda:0,gpu"})
    CHECK_THROWS_AS(text(bad), UsageError);
}

TEST_CASE("cache levels that a machine does not tell of are left out where nobody asked for them") {
  Asked a;
  a.inventory.levels.clear();
  a.registry[0].axes[0].fallback = "L1,memory";
  const auto by_default = a.plan({"fake.copy"});
  REQUIRE(by_default.cases.size() == 1);
  REQUIRE(by_default.findings.size() == 1);
  CHECK_THAT(by_default.findings[0].message, Contains("tells of no cache level L1"));
  CHECK_THROWS_WITH(a.plan({"fake.copy"}, {{"size", "L1,memory"}}), Contains("tells of no cache level L1"));
}
