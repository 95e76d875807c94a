// The case of wgmma and tcgen05 where neither can run: on a reference GPU that says it is one of their architectures,
// with the instruction played on the host. What is played wrong in one place must be refused.
#include <catch2/catch.hpp>

#include <iostream>

#include "bench/harness/plan.hpp"
#include "bench/roofline/cuda_cases.hpp"
#include "bench/roofline/cuda_played.hpp"
#include "bench/roofline/definition.hpp"
#include "kernels/roofline/tcgen05_image.hpp"
#include "kernels/roofline/wgmma_image.hpp"

using namespace ridge;
using namespace ridge::bench;
using namespace ridge::bench::roofline::testing;
using Catch::Contains;
namespace br = ridge::bench::roofline;

namespace {

struct Tried {
  record::Verification verified;
  record::Work work;
  int timed_steps = 0;
};

Tried tried(const rr::TileInstruction& instruction, Mistake mistake, Fill fill = Fill::random, int architecture = 0) {
  if (architecture == 0) architecture = instruction.architectures.front();
  Gpu gpu(architecture, false, 2);
  gpu.device().stream();  // whose making launches
  gpu.play(instruction, mistake);
  const auto bytes = fatbin(instruction, architecture);
  const device::cuda::Image image{"played", bytes.data(), bytes.data() + bytes.size(), nullptr, nullptr};
  const auto arena = gpu.device().make_arena(4096);
  CudaContext context{gpu.device(), *arena, 1, fill};
  const auto prepared =
      br::make_cuda_tile(context, std::string(instruction.name), std::string(instruction.dtype), 4096, image);
  Tried result;
  result.verified = prepared->verify();
  result.work = prepared->work().value();
  prepared->run(1);
  result.timed_steps = gpu.last_steps;
  return result;
}

}  // namespace

TEST_CASE("wgmma and tcgen05 of every type pass the check where they do as the manual says, and state 2·M·N·K each") {
  for (const rr::TileInstruction& each : rr::tile_instructions) {
    INFO(each.text << " " << each.dtype);
    const Tried one = tried(each, Mistake::none, each.dtype == "f16" ? Fill::zero : Fill::random);
    CHECK(one.verified.reason == "");
    CHECK(one.verified.status == record::Check::passed);
    const std::int64_t blocks = each.name == "wgmma" ? 2 : 4;  // on two multiprocessors
    CHECK(one.verified.checked == 3 * blocks * 128 * 256);
    CHECK(one.work.items == blocks * (each.name == "wgmma" ? 2 : 1) * 2 * 4096);
    CHECK(one.work.operations == *one.work.items * 2 * each.m * 256 * each.k);
    CHECK_THAT(one.work.counting, Contains(each.text));
    CHECK(one.timed_steps == 4096);
    if (const int second = each.architectures.back(); second != 0)
      CHECK(tried(each, Mistake::none, Fill::random, second).verified.status == record::Check::passed);
  }
}

TEST_CASE("a matrix instruction that is played wrong in one place is refused: the list and the count") {
  struct Planted {
    const char* what;
    Mistake mistake;
    const char* dtype;
    const char* said;
    std::vector<std::string> of = {"wgmma"};
  };
  const char* const products = "products are left out";
  const char* const layout = "does not find the operands where they lie";
  const char* const steps = "not all steps are done";
  const std::vector<std::string> both{"wgmma", "tcgen05"};
  const Planted planted[] = {
      {"offsets of A exchanged", Mistake::offsets_of_a, "bf16", layout, both},
      {"offsets of B exchanged", Mistake::offsets_of_b, "tf32", layout, both},
      {"operands read as if swizzled", Mistake::swizzled, "e4m3", layout, both},
      {"the first slab twice", Mistake::first_slab_twice, "int8", layout, both},
      {"every warpgroup takes the first rows", Mistake::first_group_twice, "f16", layout},
      {"the last product left out", Mistake::last_product, "bf16", products},
      {"the last slab left out", Mistake::last_slab, "e4m3", products},
      {"the last steps left out", Mistake::remainder, "f16", products},
      {"half of many steps", Mistake::half_of_steps, "e4m3", steps},
      {"columns of results exchanged", Mistake::columns_exchanged, "int8", layout},
      {"the last row not written", Mistake::last_row, "tf32", products},
      {"one result too many", Mistake::one_too_many, "int8", "wrote behind the last result"},
      {"all blocks start alike", Mistake::same_start, "bf16", products},
      {"bytes without a sign", Mistake::unsigned_bytes, "int8", layout},
      {"8-bit numbers of another kind", Mistake::other_type, "e4m3", products},
      {"16-bit numbers of another kind", Mistake::other_type, "f16", products},
  };
  int killed = 0;
  for (const Planted& each : planted)
    for (const std::string& name : each.of) {
      const Tried one = tried(*rr::tile_instruction(name, each.dtype), each.mistake);
      const bool refused = one.verified.status == record::Check::failed;
      std::cout << (refused ? "killed: " : "SURVIVED: ") << name << ", " << each.what << ": " << one.verified.reason
                << "\n";
      CHECK(refused);
      CHECK_THAT(one.verified.reason, Contains(each.said) && Contains(name));
      killed += refused ? 1 : 0;
    }
  CHECK(killed == 20);
}

TEST_CASE(
    "an instruction of one architecture is not asked of another GPU, nor without code, nor of the reference machine") {
  const rr::TileInstruction& hopper = *rr::tile_instruction("wgmma", "bf16");
  const rr::TileInstruction& blackwell = *rr::tile_instruction("tcgen05", "bf16");
  CHECK(br::tile_absent(hopper, 90, false, true).empty());
  CHECK(br::tile_absent(blackwell, 100, false, true).empty());
  CHECK(br::tile_absent(blackwell, 103, false, true).empty());
  CHECK(br::tile_absent(hopper, 80, false, true) ==
        "wgmma of bf16 is an instruction of compute capability 9.0 alone, and this GPU has 8.0");
  CHECK(br::tile_absent(hopper, 100, false, true) ==
        "wgmma of bf16 is an instruction of compute capability 9.0 alone, and this GPU has 10.0");
  CHECK(br::tile_absent(blackwell, 120, false, true) ==
        "tcgen05 of bf16 is an instruction of compute capability 10.0 and 10.3 alone, and this GPU has 12.0");
  CHECK(br::tile_absent(*rr::tile_instruction("tcgen05", "int8"), 103, false, true) ==
        "tcgen05 of int8 is an instruction of compute capability 10.0 alone, and this GPU has 10.3");
  CHECK(br::tile_absent(hopper, 90, false, false) ==
        "this build has no machine code of sm_90a, which wgmma needs; a release build has");
  CHECK(br::tile_absent(blackwell, 103, false, false) ==
        "this build has no machine code of sm_103a, which tcgen05 needs; a release build has");
  CHECK(br::tile_absent(blackwell, 100, true, true) ==
        "tcgen05 is not provable on the reference machine, which executes PTX for compute_80");
}

// As a user meets it: planned by the capability, then skipped with the reason where the machine cannot.
TEST_CASE("what is planned for a GPU follows from its capability, and what cannot run there says why") {
  const struct {
    int capability;
    const char* own;
    bool int8 = true;  // also of whole numbers
  } gpus[] = {{80, ""}, {90, "wgmma"}, {100, "tcgen05"}, {103, "tcgen05", false}};
  const Registry registry = br::definitions();
  for (const auto& [capability, own, int8] : gpus)
    for (const bool modelled : {true, false}) {
      Gpu gpu(capability, modelled);
      const device::Name name{device::Kind::ptx, 0};
      Inventory inventory;
      inventory.devices.push_back({name, std::nullopt, 64 << 20, {}, gpu.device().properties().capability()});
      const auto plan = bench::plan(
          registry, {{{{"roofline.dot_peak"}, {}}, {{"roofline.dot_ops"}, {}}}, {name}, false}, inventory, {});
      std::vector<std::string> planned;
      for (const PlannedCase& each : plan.cases) {
        const record::Point& point = each.draft.point;
        planned.push_back(point.text("dtype") + " " + point.text("instruction"));
        CHECK(each.draft.status == record::Status::not_run);
        if (point.text("instruction") == "mma") continue;
        const auto arena = gpu.device().make_arena(4096);
        CudaContext context{gpu.device(), *arena, 1, Fill::random};
        const auto& image = *own == 'w' ? rr::wgmma_image : rr::tcgen05_image;
        if (modelled) {
          CHECK_THROWS_WITH(each.definition->prepare_cuda(context, point), Contains("not provable on the reference"));
        } else if (!device::cuda::has_code_for(image.begin, capability)) {
          CHECK_THROWS_WITH(each.definition->prepare_cuda(context, point), Contains("this build has no machine code"));
        }
      }
      std::vector<std::string> all{"bf16 mma"};
      if (*own != 0) all.push_back(std::string("bf16 ") + own);
      all.emplace_back("int8 mma");
      if (*own != 0 && int8) all.push_back(std::string("int8 ") + own);
      CHECK(planned == all);
    }
}

TEST_CASE("the embedded kernels of one architecture are no part of what the reference machine executes") {
  for (const auto* image : {&rr::wgmma_image, &rr::tcgen05_image}) {
    CHECK(device::cuda::ptx_of(image->begin, 80).find(".entry") == std::string_view::npos);
    int kernels = 0;
    for (const auto& each : device::cuda::parse_resources(image->resources_text())) {
      CHECK(each.spill_loads + each.spill_stores == 0);
      ++kernels;
    }
    CHECK(kernels == (image == &rr::wgmma_image ? 5 : 5 + 4));  // sm_103a multiplies no whole numbers
  }
}
