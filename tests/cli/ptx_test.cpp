// The reference machine from the command line: counts and proofs, no times; facts like those of a GPU.
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/cli/ridge.hpp"

using namespace ridge::test;
using Catch::Contains;
using nlohmann::json;

TEST_CASE("a benchmark on the reference machine proves its work and reports no time") {
  const Folder folder;
  const std::string file = folder / "ptx.json";
  const Outcome outcome = invoke({"bandwidth", "--device", "ptx", "--size", "64Ki", "--quiet", "--json", file});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  std::ifstream written(file);
  const json report = json::parse(written);
  CHECK(report["records"].size() == 8);
  for (const json& record : report["records"]) {
    INFO(record["benchmark"]);
    CHECK(record["status"] == "ok");
    CHECK(record["device"] == "ptx:0");
    CHECK(record["verification"]["status"] == "passed");
    CHECK(record["samples"].empty());
    CHECK(record["statistics"]["median"].is_null());
    for (const json& metric : record["metrics"]) {
      if (metric["name"] == "work_proven") CHECK(metric["value"] == 1);
      if (metric["name"] == "bandwidth" || metric["name"] == "time") CHECK(metric["value"].is_null());
    }
    CHECK(record["metrics"][2]["name"] == "work_proven");
  }
}

TEST_CASE("info shows the reference GPUs when asked for them") {
  const Outcome without = invoke({"info"});
  CHECK(without.status == 0);
  CHECK_THAT(without.out, !Contains("Ridge reference GPU"));
  const Outcome with = invoke({"info", "--device", "ptx"});
  CHECK(with.status == 0);
  for (const char* text : {"Ridge reference GPU", "4 SMs", "ptx:1 direct", "0000:01:00.0", "ECC on"})
    CHECK_THAT(with.out, Contains(text));
}

TEST_CASE("a benchmark that needs a third reference GPU is skipped with the number there is: 5") {
  const Outcome outcome = invoke({"transfer", "peer", "--device", "ptx", "--peer", "ptx:2", "--size", "64Ki"});
  CHECK(outcome.status == 5);
  CHECK_THAT(outcome.out, Contains("there is no ptx:2 beside ptx:0"));
}

TEST_CASE("pairs of reference GPUs are a matrix of what was verified") {
  const Outcome outcome = invoke({"transfer", "peer", "--device", "ptx:0,ptx:1", "--size", "64Ki", "--quiet"});
  INFO(outcome.out);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("transfer.peer: size=64 KiB by=kernel direction=out\n"
                                   "from \\ to     ptx:0     ptx:1\n"
                                   "ptx:0             -  verified\n"
                                   "ptx:1      verified         -\n"));
}

TEST_CASE("what is no device beside the measured one is refused: 2") {
  for (const char* peer : {"2", "cuda:1", "ptx:x"}) {
    const Outcome outcome = invoke({"transfer", "peer", "--device", "ptx", "--peer", peer});
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains("--peer: '" + std::string(peer) + "'") && Contains("ptx:1"));
  }
}

TEST_CASE("the quick suite on a reference GPU takes the links too, and on a CPU does not mention them") {
  const Outcome gpu = invoke({"run", "--suite", "quick", "--device", "ptx", "--dry-run"});
  CHECK(gpu.status == 0);
  CHECK_THAT(gpu.out, Contains("transfer.host on ptx:0") && Contains("transfer.peer on ptx:0"));
  const Outcome cpu = invoke({"run", "--suite", "node", "--device", "cpu", "--dry-run", "--threads", "1"});
  CHECK(cpu.status == 0);
  CHECK_THAT(cpu.out, !Contains("transfer"));
}

TEST_CASE("collectives between reference GPUs are by the stand-in for NCCL, exact, and proven to do what they state") {
  for (const char* operation :
       {"allreduce", "allgather", "reducescatter", "broadcast", "reduce", "alltoall", "sendrecv"}) {
    INFO(operation);
    const Outcome outcome =
        invoke({operation, "--device", "ptx", "--ranks", "2", "--size", "4Ki", "--json", "-", "--quiet"});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    const json report = json::parse(outcome.out);
    const json record = report["records"].at(0);
    CHECK(record["verification"]["status"] == "passed");
    CHECK_THAT(record["work"]["counting"].get<std::string>(), Contains("by the stand-in for NCCL"));
    CHECK(record["metrics"].at(0)["value"].is_null());  // no time
    const auto proven = std::find_if(record["metrics"].begin(), record["metrics"].end(),
                                     [](const json& metric) { return metric["name"] == "work_proven"; });
    REQUIRE(proven != record["metrics"].end());
    CHECK((*proven)["value"] == 1);
  }
  const Outcome many = invoke({"allreduce", "--device", "ptx", "--ranks", "64", "--size", "8", "--quiet"});
  CHECK(many.status == 5);
  CHECK_THAT(many.err, Contains("needs 64 GPUs; the machine has"));
  CHECK(invoke({"barrier", "--device", "ptx"}).status == 5);
}

TEST_CASE("the kernels in the binary are listed with what they take") {
  const Outcome outcome = invoke({"list", "--kernels", "--format", "json"});
  REQUIRE(outcome.status == 0);
  const json kernels = json::parse(outcome.out)["kernels"];
  CHECK(kernels.size() >= 17);
  // They keep a tile or a row in registers, and so have their many accesses in flight in few warps.
  const std::map<std::string, double> in_registers{
      {"fused_layernorm", 0.25}, {"fused_rmsnorm", 0.375}, {"fused_bias_gelu", 0.375}, {"gemm_registers", 0.25},
      {"gemm_pipelined", 0.25},  {"gemm_warps", 0.25},     {"gemm_mma", 0.25}};
  int not_provable = 0;
  for (const json& kernel : kernels) {
    INFO(kernel.dump());
    CHECK(kernel["registers"] > 0);
    CHECK(kernel["spill_bytes"] == 0);
    const auto name = kernel["kernel"].get<std::string>();
    const auto known = in_registers.find(name);
    const bool wgmma = name.starts_with("wgmma");  // a warpgroup's sums are 128 registers a thread
    CHECK(kernel["occupancy"] >= (known != in_registers.end() ? known->second : wgmma ? 0.125 : 0.5));
    CHECK(kernel["provable"] == !(wgmma || name.starts_with("tcgen05")));
    not_provable += kernel["provable"] ? 0 : 1;
  }
  CHECK(not_provable == 5 + 5 + 4);  // of sm_90a, sm_100a, sm_103a
  const Outcome table = invoke({"list", "--kernels"});
  for (const char* text : {"wgmma_bf16", "sm_90a", "tcgen05_int8", "sm_100a", "sm_103a", "  not provable\n",
                           "not provable: of an instruction that the reference machine"})
    CHECK_THAT(table.out, Contains(text));
}

TEST_CASE("an instruction that the reference machine lacks is skipped with that reason, and planned only when named") {
  for (const char* name : {"wgmma", "tcgen05"}) {
    const Outcome outcome = invoke({"roofline", "dot_peak", "--device", "ptx", "--instruction", name, "--quiet"});
    CHECK(outcome.status == 5);
    CHECK_THAT(outcome.out + outcome.err, Contains(std::string(name) + " is not provable on the reference machine"));
  }
  const Outcome unknown = invoke({"roofline", "dot_peak", "--device", "ptx", "--instruction", "wmma"});
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err, Contains("--instruction: 'wmma' is not one of mma, wgmma, tcgen05"));
  const Outcome usual = invoke({"roofline", "dot_peak", "--device", "ptx", "--dry-run"});
  CHECK(usual.status == 0);
  CHECK_THAT(usual.out, Contains("instruction=mma") && !Contains("wgmma"));
  const Outcome other = invoke({"roofline", "dot_peak", "--device", "ptx", "--instruction", "wgmma", "--dtype", "f64"});
  CHECK(other.status == 5);
  CHECK_THAT(other.out + other.err, Contains("there is no wgmma of f64 here"));
}

TEST_CASE("explain derives what fusing saves, and counts it beside the paper's formula") {
  const Outcome outcome = invoke({"explain", "fusion.softmax", "fusion.attention"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("Unfused 3 arrays are read and 2 written, fused 1 and 1."));
  CHECK_THAT(outcome.out, Contains("(predicted 2.5)"));
  CHECK_THAT(outcome.out, Contains("bytes_moved 491520 (predicted 491520)"));  // 4·(4n² + 3n²d/64 + nd), n 128, d 64
  CHECK_THAT(outcome.out, Contains("bytes_moved 196608 (predicted 196608)"));  // 4·(2n²d/64 + 2nd)
}

TEST_CASE("explain counts an example on the reference machine, beside what was predicted") {
  const Outcome outcome = invoke({"explain", "access"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("stride=1   sectors_per_request 4 (predicted 4)"));
  CHECK_THAT(outcome.out, Contains("stride=64  sectors_per_request 32 (predicted 32)"));
  CHECK_THAT(outcome.out, Contains("offset=1   sectors_per_request 4.998 (predicted 5)"));
}

TEST_CASE("a stride that shared memory has no room for is skipped there, and measured by the rest of the family") {
  const Outcome family = invoke(
      {"access", "--device", "ptx", "--stride", "256", "--size", "64Ki", "--op", "load", "--format", "csv", "--quiet"});
  INFO(family.err);
  CHECK(family.status == 0);
  CHECK_THAT(family.out, Contains("a stride of 256 words takes 32 lanes round the 4096 that a block has: at most 128"));
  CHECK(invoke({"access", "banks", "--device", "ptx", "--stride", "129"}).status == 5);
  CHECK(invoke({"access", "banks", "--device", "ptx", "--stride", "128"}).status == 0);
}
