// Which changes of a machine make it another one, and that every differing field is named with its tier and values.
#include "reports/record/machine_diff.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace ridge::record;

namespace {

Machine two_gpus() {
  Machine machine;
  machine.identity.cpu_model = "AMD EPYC 9654";
  machine.identity.architecture = "x86_64";
  machine.identity.sockets = 2;
  machine.identity.cores_used = 192;
  machine.identity.numa_nodes = 2;
  machine.identity.caches = {{1, "data", 32768, 192, 64}, {3, "unified", 33554432, 24, 64}};
  machine.identity.memory_class = "1024 GiB";
  machine.identity.gpus = {{"NVIDIA A", 80000000000, "8.0", {}, 4, 16}, {"NVIDIA B", 141000000000, "9.0", {}, 5, 16}};
  machine.software.kernel = "6.1.0";
  machine.software.simd = {"avx512", "avx2"};
  machine.software.libraries = {{"openblas", "0.3.21"}};
  machine.software.environment = {{"OMP_NUM_THREADS", "4"}};
  machine.software.gpu_settings = {{"cuda:0", "power limit 700 W"}};
  machine.incidental.hostname = "node1";
  machine.incidental.pid = 4711;
  machine.incidental.affinity = {0, 1, 2};
  machine.incidental.gpus = {{"cuda:0", "GPU-a, 0000:01:00.0"}, {"cuda:1", "GPU-b, 0000:41:00.0"}};
  return machine;
}

// The only difference after `change`, which must be exactly one.
template <class Change>
Difference after(Change change) {
  auto changed = two_gpus();
  change(changed);
  const auto found = differences(two_gpus(), changed);
  REQUIRE(found.size() == 1);
  return found.front();
}

}  // namespace

TEST_CASE("a machine does not differ from itself, nor an unknown one from an unknown one") {
  CHECK(differences(two_gpus(), two_gpus()).empty());
  CHECK(differences({}, {}).empty());
  CHECK(same_identity({}, {}));
}

TEST_CASE("another processor is another machine, and the field is named with both values") {
  const auto difference = after([](Machine& m) { m.identity.cpu_model = "AMD EPYC 9754"; });
  CHECK(difference.tier == Tier::identity);
  CHECK(difference.field == "identity.cpu_model");
  CHECK(difference.a == "AMD EPYC 9654");
  CHECK(difference.b == "AMD EPYC 9754");
}

TEST_CASE("every identity field makes another machine") {
  const std::vector<void (*)(Machine&)> changes = {[](Machine& m) { m.identity.cpu_model = std::nullopt; },
                                                   [](Machine& m) { m.identity.architecture = "aarch64"; },
                                                   [](Machine& m) { m.identity.sockets = 1; },
                                                   [](Machine& m) { m.identity.cores_used = 191; },
                                                   [](Machine& m) { m.identity.numa_nodes = 8; },
                                                   [](Machine& m) { m.identity.caches[1].bytes *= 2; },
                                                   [](Machine& m) { m.identity.caches[1].instances = 23; },
                                                   [](Machine& m) { m.identity.caches[0].line = 128; },
                                                   [](Machine& m) { m.identity.caches.pop_back(); },
                                                   [](Machine& m) { m.identity.memory_class = "512 GiB"; },
                                                   [](Machine& m) { m.identity.gpus[0].model = "NVIDIA A2"; },
                                                   [](Machine& m) { m.identity.gpus[0].memory_bytes = 40000000000; },
                                                   [](Machine& m) { m.identity.gpus[0].compute_capability = "8.6"; },
                                                   [](Machine& m) { m.identity.gpus[0].mig = "1g.10gb"; },
                                                   [](Machine& m) { m.identity.gpus[0].link_generation = 3; },
                                                   [](Machine& m) { m.identity.gpus[0].link_width = 8; }};
  std::set<std::string> named;
  for (const auto change : changes) {
    const auto difference = after(change);
    CHECK(difference.tier == Tier::identity);
    named.insert(difference.field);
    auto changed = two_gpus();
    change(changed);
    CHECK_FALSE(same_identity(two_gpus(), changed));
  }
  CHECK(named.size() == 14);  // of 16 changes, two more hit the field of one cache
}

TEST_CASE("hostname, process, clock, memory in use and device index leave the machine the same") {
  auto changed = two_gpus();
  changed.incidental.hostname = "node2";
  changed.incidental.pid = 1;
  changed.incidental.clock_hz = 2.1e9;
  changed.incidental.memory_free = 5;
  changed.incidental.affinity = {3, 4, 5};
  std::swap(changed.identity.gpus[0], changed.identity.gpus[1]);
  std::swap(changed.incidental.gpus["cuda:0"], changed.incidental.gpus["cuda:1"]);
  CHECK(same_identity(two_gpus(), changed));
  const auto found = differences(two_gpus(), changed);
  CHECK(found.size() == 7);
  for (const auto& difference : found) CHECK(difference.tier == Tier::incidental);
}

TEST_CASE("software differs with a name and leaves the machine the same") {
  const auto library = after([](Machine& m) { m.software.libraries["openblas"] = "0.3.28"; });
  CHECK(library.tier == Tier::software);
  CHECK(library.field == "software.libraries.openblas");
  const auto variable = after([](Machine& m) { m.software.environment.erase("OMP_NUM_THREADS"); });
  CHECK(variable.field == "software.environment.OMP_NUM_THREADS");
  CHECK(variable.a == "4");
  CHECK_FALSE(variable.b);
  const auto simd = after([](Machine& m) { m.software.simd = {"avx2"}; });
  CHECK(simd.a == "avx512,avx2");
  CHECK(simd.b == "avx2");
}

TEST_CASE("a fact only the second machine has is a difference too, and identity comes first") {
  auto changed = two_gpus();
  changed.incidental.hostname = "node2";
  changed.software.environment["CUDA_VISIBLE_DEVICES"] = "1";
  changed.identity.gpus.push_back({"NVIDIA C", {}, {}, {}, {}, {}});
  const auto found = differences(two_gpus(), changed);
  REQUIRE(found.size() == 3);
  CHECK(found[0].field == "identity.gpus[2].model");
  CHECK_FALSE(found[0].a);
  CHECK(found[0].b == "NVIDIA C");
  CHECK(found[1].field == "software.environment.CUDA_VISIBLE_DEVICES");
  CHECK(found[2].field == "incidental.hostname");
}

TEST_CASE("hidden caches against told ones are named one by one") {
  auto hidden = two_gpus();
  hidden.identity.caches.clear();
  const auto found = differences(hidden, two_gpus());
  REQUIRE(found.size() == 2);
  CHECK(found[0].field == "identity.caches.L1.data");
  CHECK_FALSE(found[0].a);
  CHECK(found[0].b == "32768 x 192, line 64");
}

TEST_CASE("every field of a machine has a name of its own") {
  std::set<std::string> names;
  const auto all = fields(two_gpus());
  for (const auto& field : all) names.insert(field.path);
  CHECK(names.size() == all.size());
}
