// The case of dot-product instructions, with plain code in the place of the instruction, since the processor that tests
// run on may have none; and wrong instructions refused.
#include "bench/roofline/dot_case.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <iostream>

#include "bench/roofline/definition.hpp"
#include "kernels/device/cpu/device.hpp"

using namespace ridge;
using namespace ridge::bench;
using device::cpu::dot_chains;
using device::cpu::DotInstruction;
namespace br = ridge::bench::roofline;

namespace {

float of_bf16(const void* operand, int i) {
  std::uint16_t word = 0;
  std::memcpy(&word, static_cast<const char*>(operand) + 2 * i, sizeof word);
  const std::uint32_t bits = static_cast<std::uint32_t>(word) << 16;
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

enum class Wrong { no, last_lane, one_product, one_step, first_chain, signs, starts, beyond, neighbour };

template <int lanes, Wrong wrong>
void bf16(void* sums, const void* a, const void* b, std::int64_t steps) {
  auto* const at = static_cast<float*>(sums);
  for (std::int64_t s = wrong == Wrong::one_step ? 1 : 0; s < steps; ++s)
    for (int chain = wrong == Wrong::first_chain ? 1 : 0; chain < dot_chains; ++chain)
      for (int lane = 0; lane < (wrong == Wrong::last_lane ? lanes - 1 : lanes); ++lane)
        for (int p = wrong == Wrong::one_product ? 1 : 0; p < 2; ++p)
          at[chain * lanes + lane] +=
              of_bf16(a, 2 * lane + p) *
              of_bf16(b, wrong == Wrong::neighbour ? (2 * lane + p + 2) % (2 * lanes) : 2 * lane + p);
  if (wrong == Wrong::starts)
    for (int i = 0; i < dot_chains * lanes; ++i) at[i] -= static_cast<float>(i);
  if (wrong == Wrong::beyond) at[dot_chains * lanes] = 0;
}

template <int lanes, Wrong wrong>
void int8(void* sums, const void* a, const void* b, std::int64_t steps) {
  auto* const at = static_cast<std::uint32_t*>(sums);
  const auto* const left = static_cast<const std::uint8_t*>(a);
  const auto* const right = static_cast<const std::int8_t*>(b);
  for (std::int64_t s = 0; s < steps; ++s)
    for (int i = 0; i < dot_chains * lanes; ++i)
      for (int p = 0; p < 4; ++p) {
        const int k = i % lanes * 4 + p;
        const int signed_left = static_cast<std::int8_t>(left[k]);
        at[i] += static_cast<std::uint32_t>((wrong == Wrong::signs ? signed_left : left[k]) * right[k]);
      }
}

record::Verification verified(const DotInstruction& instruction, const std::string& dtype, int threads,
                              Fill fill = Fill::random) {
  const auto device = device::cpu::make_device();
  const auto arena = device->make_arena(4096);
  CpuContext context{*device, *arena, 1, fill};
  const auto made = br::make_dot(instruction, dtype, 5, threads, context);
  made->run(3);
  const auto result = made->verify();
  made->run(2);
  CHECK(made->work()->operations ==
        std::int64_t{2} * threads * dot_chains * instruction.lanes * instruction.products * 5);
  CHECK(made->work()->counting.find(instruction.name) != std::string::npos);
  CHECK(made->verify().status == result.status);
  return result;
}

}  // namespace

TEST_CASE("dot products of every width and type are verified, threads and fills whatever they are") {
  const auto passes = [](const DotInstruction& instruction, const std::string& dtype) {
    for (const int threads : {1, 3})
      for (const Fill fill : {Fill::random, Fill::zero}) {
        const auto result = verified(instruction, dtype, threads, fill);
        CHECK(result.reason == "");
        CHECK(result.checked == threads * dot_chains * instruction.lanes);
      }
  };
  passes({"plain", 16, 2, bf16<16, Wrong::no>}, "bf16");
  passes({"plain", 8, 2, bf16<8, Wrong::no>}, "bf16");
  passes({"plain", 16, 4, int8<16, Wrong::no>}, "int8");
  passes({"plain", 8, 4, int8<8, Wrong::no>}, "int8");
}

TEST_CASE("wrong dot products are refused: the list and the count") {
  int killed = 0;
  int all = 0;
  const auto refused = [&](const char* mistake, void (*repeat)(void*, const void*, const void*, std::int64_t),
                           const std::string& dtype) {
    const bool dead =
        verified({"wrong", 16, dtype == "bf16" ? 2 : 4, repeat}, dtype, 2).status == record::Check::failed;
    std::cout << (dead ? "killed: " : "SURVIVED: ") << mistake << "\n";
    CHECK(dead);
    ++all;
    killed += dead ? 1 : 0;
  };
  refused("last lane lost", bf16<16, Wrong::last_lane>, "bf16");
  refused("one product of two lost", bf16<16, Wrong::one_product>, "bf16");
  refused("one step lost", bf16<16, Wrong::one_step>, "bf16");
  refused("one chain lost", bf16<16, Wrong::first_chain>, "bf16");
  refused("sums not added to", bf16<16, Wrong::starts>, "bf16");
  refused("written behind the sums", bf16<16, Wrong::beyond>, "bf16");
  refused("a neighbour's operand", bf16<16, Wrong::neighbour>, "bf16");
  refused("unsigned bytes taken for signed ones", int8<16, Wrong::signs>, "int8");
  std::cout << killed << " of " << all << " wrong dot products refused\n";
  CHECK(killed == 8);
}

TEST_CASE("a processor without such an instruction is skipped with the reason") {
  if (device::cpu::bf16_dot(device::cpu::dot_features()) != nullptr) return;
  const auto device = device::cpu::make_device();
  const auto arena = device->make_arena(4096);
  CpuContext context{*device, *arena, 1, Fill::random};
  record::Point point;
  point.set("dtype", std::string("bf16"));
  point.set("threads", std::int64_t{1});
  CHECK_THROWS_WITH(br::prepare_dot_cpu(context, point),
                    "this processor has no bf16 dot product (AVX512_BF16, or BF16 of AArch64)");
}
