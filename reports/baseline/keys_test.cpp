// Keys are readable, stable, and never paths.
#include <catch2/catch.hpp>

#include "reports/baseline/store.hpp"

using namespace ridge;
using namespace ridge::baseline;

TEST_CASE("keys hold letters, digits, dots and dashes only") {
  CHECK(key_of("Intel(R) Xeon(R) CPU @ 2.90GHz") == "intel-r-xeon-r-cpu-2.90ghz");
  CHECK(key_of("../../etc/passwd") == "etc-passwd");
  CHECK(key_of("..") == "unnamed");
  CHECK(key_of("") == "unnamed");
  CHECK(key_of("\x1b[31m\n") == "31m");
  CHECK(key_of(std::string(500, 'a')).size() == 64);
}

TEST_CASE("a machine's key follows its identity and nothing else") {
  record::Machine machine;
  machine.identity.cpu_model = "Example CPU";
  machine.identity.cores_used = 2;
  const auto key = machine_key(machine);
  CHECK(key.starts_with("example-cpu-"));
  machine.incidental.hostname = "other";
  machine.software.kernel = "6.2";
  CHECK(machine_key(machine) == key);
  machine.identity.cores_used = 3;
  CHECK(machine_key(machine) != key);
}

TEST_CASE("a workload is named by its command, without options") {
  compare::Run run;
  run.command = "ridge run --suite ci --json out.json";
  CHECK(workload_key(run) == "run-ci");
  run.command = "ridge bandwidth triad copy --size 1MiB";
  CHECK(workload_key(run) == "bandwidth-triad-copy");
  run.command = "ridge run --quiet --suite ci";
  CHECK(workload_key(run) == "run-ci");
  run.command = "ridge run --suite some/folder/own.toml";
  CHECK(workload_key(run) == "run-own.toml");
  run.schema = "google-benchmark";
  run.command = "./build/bench/my_benchmark";
  CHECK(workload_key(run) == "my-benchmark");
}
